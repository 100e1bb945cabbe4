import * as v from 'valibot';
import { deviceStorage } from '@aparta/browser/storage.ts';
import { CASH_REFERENCE as SHOWN } from './kept-keys.ts';

// The reference itself is parsed by its screen.
const shownReference = v.object({
  buyerId: v.number(),
  instalmentId: v.number(),
  seenAt: v.number(),
  reference: v.unknown(),
});
type Shown = v.InferOutput<typeof shownReference>;

function read(): Shown | undefined {
  try {
    return v.parse(shownReference, JSON.parse(deviceStorage.get(SHOWN) ?? ''));
  } catch {
    // Missing, or written by another version.
    return undefined;
  }
}

/** The store reference last shown on this device, and whose: an id, never a name, e-mail or token. */
export const shownCashReference = {
  save(buyerId: number, instalmentId: number, reference: object) {
    deviceStorage.set(SHOWN, JSON.stringify({ buyerId, instalmentId, seenAt: Date.now(), reference }));
  },

  /** An instalment's reference, for the buyer it was shown to. */
  of(buyerId: number, instalmentId: number): Shown | undefined {
    const saved = read();
    return saved?.buyerId === buyerId && saved.instalmentId === instalmentId ? saved : undefined;
  },

  /** For one that must no longer be paid. */
  clearOf(instalmentId: number) {
    if (read()?.instalmentId === instalmentId) deviceStorage.remove(SHOWN);
  },
};
