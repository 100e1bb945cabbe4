import * as v from 'valibot';
import { tabStorage } from './storage.ts';

// Ours: what was typed into the fiscal form and not saved yet, so that a reload does not take it.
const DRAFT = 'borradorFiscal';

const kept = v.object({ buyerId: v.number(), clientId: v.nullable(v.number()), values: v.unknown() });

/** The fiscal form of this tab, half filled: of a new fiscal client (`undefined`) or of one that is being corrected. */
export const fiscalDraft = {
  keep(buyerId: number, clientId: number | undefined, values: object) {
    tabStorage.set(DRAFT, JSON.stringify({ buyerId, clientId: clientId ?? null, values }));
  },

  /** As it was kept, for the buyer who typed it. */
  of(buyerId: number, clientId: number | undefined): unknown {
    try {
      const draft = v.parse(kept, JSON.parse(tabStorage.get(DRAFT) ?? ''));
      return draft.buyerId === buyerId && draft.clientId === (clientId ?? null) ? draft.values : undefined;
    } catch {
      return undefined;
    }
  },

  /** Saved, given up, or signed out. */
  drop() {
    tabStorage.remove(DRAFT);
  },
};
