import * as v from 'valibot';
import { deviceStorage } from './storage.ts';

// Ours: what the in-person screen showed last, so that it can be read where a store has no signal.
const SHOWN = 'refTienda';

// Signing out must know the key, and every screen loads that: what the reference is, is the screen's affair.
const shownReference = v.object({ buyerId: v.number(), instalmentId: v.number(), reference: v.unknown() });

function read(): v.InferOutput<typeof shownReference> | undefined {
  try {
    return v.parse(shownReference, JSON.parse(deviceStorage.get(SHOWN) ?? ''));
  } catch {
    // None, or another version's.
    return undefined;
  }
}

/** The cash reference that this device showed last, and whose it is: a number, never a name, an e-mail or a token. */
export const shownCashReference = {
  keep(buyerId: number, instalmentId: number, reference: object) {
    deviceStorage.set(SHOWN, JSON.stringify({ buyerId, instalmentId, reference }));
  },

  /** The one of an instalment, as it was kept, for the buyer it was shown to. */
  of(buyerId: number, instalmentId: number): unknown {
    const kept = read();
    return kept?.buyerId === buyerId && kept.instalmentId === instalmentId ? kept.reference : undefined;
  },

  /** It must not be paid any more. */
  dropOf(instalmentId: number) {
    if (read()?.instalmentId === instalmentId) this.drop();
  },

  /** At logout. */
  drop() {
    deviceStorage.remove(SHOWN);
  },
};
