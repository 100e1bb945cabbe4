import { PICKUP_TRIES } from '@aparta/domain/pickup-code';

import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { type LockedPurchase, lockPurchase } from '../plans/store.ts';
import { makePickup, type OpenPickup, openPickup } from './pickup-code.ts';
import { findHandOver, type HandOverRow } from './read-model.ts';
import { setCollector } from './store.ts';

export interface PickupDeps {
  readonly db: Db;
  readonly keyRing: KeyRing;
}

/** What a buyer sees of the goods of a purchase that is paid whole. */
export interface PickupView {
  readonly purchaseId: number;
  readonly code: OpenPickup | undefined;
  readonly handOver: HandOverRow | undefined;
}

/**
 * The pickup code of a buyer's purchase that is paid whole, made when they open it and again when it ended, or its hand-over
 * (rules/goods#pickup-code). Refuses NOT_FOUND, PURCHASE_CANCELLED and NOT_PAID_OFF.
 */
export async function readPickup(deps: PickupDeps, buyerId: number, purchaseId: number): Promise<PickupView> {
  return withCode(deps, buyerId, purchaseId);
}

/** Makes another code for the one that was shown; one that is not the purchase's any more replaces nothing. Refuses HANDED_OVER too. */
export async function replacePickup(
  deps: PickupDeps,
  buyerId: number,
  purchaseId: number,
  shown: string,
): Promise<PickupView> {
  return withCode(deps, buyerId, purchaseId, async (tx, purchase, code) => {
    if (code.digits[0] === shown) await makePickup(tx, deps.keyRing, purchase, code.digits);
  });
}

/** Names who may collect; null: the buyer alone. Refuses HANDED_OVER too. */
export async function chooseCollector(
  deps: PickupDeps,
  buyerId: number,
  purchaseId: number,
  collector: string | null,
): Promise<PickupView> {
  return withCode(deps, buyerId, purchaseId, (tx, { id }) => setCollector(tx, id, collector));
}

type Change = (tx: Tx, purchase: LockedPurchase, code: OpenPickup) => Promise<void>;

async function withCode(
  { db, keyRing }: PickupDeps,
  buyerId: number,
  purchaseId: number,
  change?: Change,
): Promise<PickupView> {
  const shown = await transaction(db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase === undefined || purchase.buyerId !== buyerId) throw new Refusal('NOT_FOUND');
    if (purchase.state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
    if (purchase.balanceCentavos > 0) throw new Refusal('NOT_PAID_OFF');
    if (purchase.state === 'delivered') {
      if (change !== undefined) throw new Refusal('HANDED_OVER');
      return undefined;
    }
    const code = await alive(tx, keyRing, purchase);
    if (change === undefined) return code;
    await change(tx, purchase, code);
    return alive(tx, keyRing, purchase);
  });
  return {
    purchaseId,
    code: shown,
    handOver: shown === undefined ? await findHandOver(db, { purchaseId }) : undefined,
  };
}

/** The code of a purchase, made where there is none or it ended. */
async function alive(tx: Tx, keyRing: KeyRing, purchase: LockedPurchase): Promise<OpenPickup> {
  const known = await openPickup(tx, keyRing, purchase);
  if (known !== undefined && purchase.now < known.expiresAt) return known;
  await makePickup(tx, keyRing, purchase, known?.digits);
  const made = await openPickup(tx, keyRing, purchase);
  if (made === undefined) throw new Error(`purchase ${purchase.id} got no pickup code`);
  return made;
}

/** Whether five wrong ones were typed. */
export const isLocked = ({ tries }: Pick<OpenPickup, 'tries'>): boolean => tries >= PICKUP_TRIES;
