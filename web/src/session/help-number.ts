import { helpReference, type HelpReference } from '@aparta/contract/help';
import { deviceStorage } from '@aparta/browser/storage.ts';
import * as v from 'valibot';

// Ours. On the device and not in the tab: from the screen to the store the tab is often closed.
const KEPT = 'referenciaAyuda';

const kept = v.object({ code: v.string(), number: helpReference });

/** The number for stores that was last shown here by a help link, until its helper has read how it ended. */
export const helpNumber = {
  keep(code: string, number: HelpReference) {
    deviceStorage.set(KEPT, JSON.stringify({ code, number }));
  },

  of(code: string): HelpReference | undefined {
    try {
      const saved = v.parse(kept, JSON.parse(deviceStorage.get(KEPT) ?? ''));
      return saved.code === code ? saved.number : undefined;
    } catch {
      return undefined;
    }
  },

  clear() {
    deviceStorage.remove(KEPT);
  },
};
