import * as v from 'valibot';
import { deviceStorage } from './storage.ts';

// Ours: what the store payment screen showed last, to be readable without a signal.
const SHOWN = 'refTienda';

// Logout needs the key and every screen loads this file, so the reference itself is parsed by its screen.
const shownReference = v.object({ buyerId: v.number(), instalmentId: v.number(), reference: v.unknown() });

function read(): v.InferOutput<typeof shownReference> | undefined {
  try {
    return v.parse(shownReference, JSON.parse(deviceStorage.get(SHOWN) ?? ''));
  } catch {
    // Missing, or written by another version.
    return undefined;
  }
}

/** The store reference last shown on this device, and whose: an id, never a name, e-mail or token. */
export const shownCashReference = {
  keep(buyerId: number, instalmentId: number, reference: object) {
    deviceStorage.set(SHOWN, JSON.stringify({ buyerId, instalmentId, reference }));
  },

  /** An instalment's reference, for the buyer it was shown to. */
  of(buyerId: number, instalmentId: number): unknown {
    const kept = read();
    return kept?.buyerId === buyerId && kept.instalmentId === instalmentId ? kept.reference : undefined;
  },

  /** For one that must no longer be paid. */
  dropOf(instalmentId: number) {
    if (read()?.instalmentId === instalmentId) this.drop();
  },

  /** On logout. */
  drop() {
    deviceStorage.remove(SHOWN);
  },
};
