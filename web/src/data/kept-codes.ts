import * as v from 'valibot';
import { shownPickupCodes } from '../session/pickup-codes.ts';
import type { Pickup } from './pickup.ts';

const keptCode = v.object({
  buyerId: v.number(),
  purchaseId: v.number(),
  product: v.string(),
  digits: v.string(),
  qrPath: v.string(),
  qrSize: v.number(),
  expiresAt: v.string(),
});

/** A pickup code as the device keeps it, and whose: ids, never a name, email or token. */
export type KeptCode = v.InferOutput<typeof keptCode>;

/** More are not kept: the oldest goes. */
const MOST = 5;

function read(): KeptCode[] {
  try {
    return v.parse(v.array(keptCode), JSON.parse(shownPickupCodes.read() ?? ''));
  } catch {
    // Missing, or written by another version.
    return [];
  }
}

/** The code of a purchase as it was last shown on this device; `buyerId`: to them, else to whoever holds the device. */
export function codeOnDevice(
  purchaseId: number,
  { buyerId, now }: { buyerId: number | undefined; now: Date },
): KeptCode | undefined {
  return read().find(
    (kept) =>
      kept.purchaseId === purchaseId &&
      (buyerId === undefined || kept.buyerId === buyerId) &&
      new Date(kept.expiresAt) > now,
  );
}

/** Keeps what a screen shows of a purchase's code: nothing of one that is locked, or was used. */
export function keepCode(
  of: { buyerId: number; purchaseId: number; product: string },
  code: Pickup['code'],
): void {
  const others = read().filter(({ purchaseId }) => purchaseId !== of.purchaseId);
  if (!code || code.locked) return shownPickupCodes.write(JSON.stringify(others));
  const { digits, qrPath, qrSize, expiresAt } = code;
  shownPickupCodes.write(
    JSON.stringify([{ ...of, digits, qrPath, qrSize, expiresAt }, ...others].slice(0, MOST)),
  );
}
