import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { isSoldOut, lockUnit, type Unit } from '../holds/find-unit.ts';
import { findOpenReference, isReservedSince, type LayawayReference } from './read-model.ts';
import { type DepositMoney, type Reservation, reserve } from './reserve.ts';
import { closeReference, lockReference } from './store.ts';

/** Refuses REFERENCE_PAID, REFERENCE_CANCELLED and REFERENCE_EXPIRED. */
export function refuseUnlessOpen({
  state,
  purchaseId,
  purchaseState,
  expiresAt,
  now,
}: LayawayReference): void {
  if (state === 'cancelled' || purchaseState === 'cancelled') throw new Refusal('REFERENCE_CANCELLED');
  if (state === 'paid') throw new Refusal('REFERENCE_PAID', { ventaId: purchaseId });
  if (state === 'expired' || expiresAt <= now) throw new Refusal('REFERENCE_EXPIRED');
}

/** Whether it expired, and its buyer reserved the product by another one since, or is paying that. */
export async function isReplaced(tx: Tx, reference: LayawayReference): Promise<boolean> {
  return reference.state === 'expired' && (await isReservedSince(tx, reference));
}

/**
 * Whether money for a deposit reserves when it arrives: it counts when it was paid, or its payment began, so that a late bank or
 * network neither loses the reservation nor makes a second one.
 */
export function mayReserve(
  { purchaseId, state, expiresAt }: LayawayReference,
  { begunAt, isReplaced }: { readonly begunAt: Date; readonly isReplaced: boolean },
): boolean {
  if (purchaseId !== null) return false;
  return state === 'open' || (state === 'expired' && begunAt <= expiresAt && !isReplaced);
}

/** Locks the unit that a deposit takes, however late it came. Undefined when the product is sold out. */
export async function lockUnitLate(tx: Tx, reference: LayawayReference): Promise<Unit | undefined> {
  // The last one may be kept for the other reference that its buyer took meanwhile.
  if (reference.state === 'expired' && (await isSoldOut(tx, reference)))
    await cancelLater(tx, reference, (later) => later.holdState === 'held');
  return lockUnit(tx, reference);
}

/** Reserves by money that {@link mayReserve}, however late it came. */
export async function reserveLate(
  tx: Tx,
  reference: LayawayReference,
  money: DepositMoney,
): Promise<Reservation> {
  if (reference.state === 'expired') await cancelLater(tx, reference);
  return reserve(tx, reference, money);
}

/** Its buyer took another reference meanwhile, and has not begun to pay it: the product is theirs now. */
async function cancelLater(
  tx: Tx,
  { buyerId, productId }: LayawayReference,
  mayGo: (later: LayawayReference) => boolean = () => true,
): Promise<void> {
  const open = await findOpenReference(tx, buyerId, productId);
  const later = open && (await lockReference(tx, open.id));
  if (later?.state === 'open' && mayGo(later)) await closeReference(tx, later.id, 'cancelled');
}
