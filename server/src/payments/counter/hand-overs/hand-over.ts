import type { PickupVerdict } from '@aparta/domain/pickup-code';
import { readPickupText } from '@aparta/domain/pickup-code';

import { recordStaffAct } from '../../../accounts/staff/store.ts';
import { isAnyTakenBack } from '../../../ledger/refunds/taken-back.read-model.ts';
import { announce } from '../../../platform/changes/announce.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { refusedBy, transaction } from '../../../platform/db/transaction.ts';
import { sendEmail } from '../../../platform/email/outbox.ts';
import type { Strokes } from '../../../platform/db/tables.ts';
import type { Staff } from '../../../platform/principal.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { type KeyRing, keyedHash } from '../../../platform/secrets.ts';
import { deliverPurchase } from '../../../purchases/hand-over/deliver-purchase.ts';
import { type OpenPickup, tryPickup } from '../../../purchases/hand-over/pickup-code.ts';
import {
  findHandOver,
  findHandOverSubject,
  type HandOverRow,
  type HandOverSubject,
} from '../../../purchases/hand-over/read-model.ts';
import { deletePickupCode } from '../../../purchases/hand-over/store.ts';
import { type LockedPurchase, lockPurchase } from '../../../purchases/plans/store.ts';
import { findPayable } from '../../owed/read-model.ts';
import { countUnknownReference, secondsToWait, type TillDeps } from '../../tills/operation.ts';
import { askedEnough } from '../find-owed.ts';
import { findCounter } from '../read-model.ts';
import { maySee } from '../receipt.ts';

type RefusalCode = Refusal['code'];

export interface HandOverDeps extends TillDeps {
  readonly keyRing: KeyRing;
}

/** What a pickup code is for, and who may collect it. */
export interface Offer {
  readonly subject: HandOverSubject;
  readonly code: OpenPickup;
}

const REFUSED: Readonly<Record<Exclude<PickupVerdict, 'right'>, RefusalCode>> = {
  wrong: 'PICKUP_WRONG',
  locked: 'PICKUP_LOCKED',
  replaced: 'PICKUP_REPLACED',
  expired: 'PICKUP_EXPIRED',
};

/**
 * What a code opens (rules/goods#hand-over): scanned, or typed with a printed number or folio of its purchase. It changes
 * nothing but the wrong tries. Another merchant's is like one that is nobody's, and both count against the counter's limit.
 */
export async function offerHandOver(
  deps: HandOverDeps,
  caller: Staff,
  shown: { readonly code: string; readonly digits: string },
): Promise<Offer> {
  const { db, keyRing } = deps;
  const { merchantId } = caller;
  const counter = await findCounter(db, merchantId);
  const seconds = counter === undefined ? 0 : await secondsToWait(deps, counter.serviceAccountId);
  if (seconds > 0) throw askedEnough(seconds);
  const { code: text, digits } = shown;
  const purchaseId = readPickupText(text)?.purchaseId ?? (await findPayable(db, text))?.purchaseId ?? 0;
  const subject = await findHandOverSubject(db, { merchantId, purchaseId });
  if (subject === undefined) {
    if (counter !== undefined) await countUnknownReference(deps, counter.serviceAccountId);
    throw new Refusal('NOT_FOUND');
  }
  const code = await tried(db, async (tx) => tryDigits(tx, keyRing, { merchantId, purchaseId, digits }));
  return { subject, code };
}

/** What somebody presses at a counter. */
export interface HandOverPress {
  /** Made by the device with the press. */
  readonly id: string;
  readonly branchId: number;
  readonly purchaseId: number;
  readonly digits: string;
  readonly signature: Strokes | undefined;
}

/**
 * Hands the goods of a purchase over, once (rules/goods#hand-over). The same press gets the same receipt; the same id for
 * anything else is INTENT_CONFLICT, and a purchase that another press handed over HANDED_OVER.
 */
export async function handOverAtCounter(
  { db, keyRing }: HandOverDeps,
  caller: Staff,
  press: HandOverPress,
): Promise<HandOverRow> {
  const { merchantId } = caller;
  const { purchaseId, branchId, digits } = press;
  // Where a branch has closed its id, once used, hands nothing more over: this only answers what it did.
  if (!caller.branchIds.includes(branchId)) await demandHandedOver(db, caller, press.id);
  const subject = await findHandOverSubject(db, { merchantId, purchaseId });
  if (subject === undefined) throw new Refusal('NOT_FOUND');
  try {
    await tried(db, async (tx) => {
      const opened = await tryDigits(tx, keyRing, { merchantId, purchaseId, digits });
      if (typeof opened === 'string') return opened;
      const { purchase } = opened;
      if (subject.wantsSignature && press.signature === undefined)
        throw new Refusal('INVALID_INPUT', { fields: { signature: 'missing' } });
      await carryOut(tx, { keyRing, caller, press, purchase, collectorName: opened.collectorName });
      return opened;
    });
  } catch (error) {
    const isTaken = refusedBy(error) === 'hand_overs_once';
    const done = await findHandOver(db, { merchantId, requestId: press.id });
    if (done?.purchaseId === purchaseId && done.branchId === branchId) return done;
    throw isTaken || done !== undefined ? new Refusal('INTENT_CONFLICT') : error;
  }
  return demandHandedOver(db, caller, press.id);
}

/** The receipt of a hand-over of the caller's, or in one of their branches. Refuses NOT_FOUND. */
export async function demandHandedOver(db: Db, caller: Staff, requestId: string): Promise<HandOverRow> {
  const done = await findHandOver(db, { merchantId: caller.merchantId, requestId });
  if (done === undefined || !maySee(caller, done)) throw new Refusal('NOT_FOUND');
  return done;
}

type Opened = OpenPickup & { readonly purchase: LockedPurchase };

/** Runs a transaction that tries digits: a wrong try is kept, and then refused. */
async function tried(db: Db, open: (tx: Tx) => Promise<Opened | RefusalCode>): Promise<Opened> {
  const opened = await transaction(db, open);
  if (typeof opened === 'string') throw new Refusal(opened);
  return opened;
}

/** Locks a purchase and tries digits; the code of the refusal where they do not open it. */
async function tryDigits(
  tx: Tx,
  keyRing: KeyRing,
  { merchantId, purchaseId, digits }: { merchantId: number; purchaseId: number; digits: string },
): Promise<Opened | RefusalCode> {
  const purchase = await lockPurchase(tx, purchaseId);
  if (purchase === undefined || purchase.merchantId !== merchantId) return 'NOT_FOUND';
  if (purchase.state === 'delivered') return 'HANDED_OVER';
  if (purchase.state === 'cancelled') return 'PURCHASE_CANCELLED';
  if (purchase.balanceCentavos > 0) return 'NOT_PAID_OFF';
  if (await isAnyTakenBack(tx, purchaseId)) return 'PAYMENT_TAKEN_BACK';
  const { verdict, code } = await tryPickup(tx, keyRing, purchase, digits);
  if (verdict !== 'right' || code === undefined) return REFUSED[verdict === 'right' ? 'wrong' : verdict];
  return { ...code, purchase };
}

async function carryOut(
  tx: Tx,
  {
    keyRing,
    caller,
    press,
    purchase,
    collectorName,
  }: {
    keyRing: KeyRing;
    caller: Staff;
    press: HandOverPress;
    purchase: LockedPurchase;
    collectorName: string | null;
  },
): Promise<void> {
  const { id: purchaseId, buyerId, merchantId, productName: product } = purchase;
  const { branchId } = press;
  const amountCentavos = await deliverPurchase(tx, {
    purchaseId,
    buyerId,
    merchantId,
    requestId: press.id,
    positionId: caller.positionId,
    branchId,
    deviceId: caller.device?.id ?? null,
    codeHash: keyedHash(keyRing, 'pickup', `${purchaseId} ${press.digits}`),
    collectorName,
    signature: press.signature ?? null,
  });
  await deletePickupCode(tx, purchaseId);
  const detail = { purchaseId };
  await recordStaffAct(tx, { by: caller, branchId, act: 'hand_over', subject: press.id, detail });
  await announce(tx, `buyer:${buyerId}`);
  await sendEmail(tx, {
    topic: 'purchase_delivered',
    dedupeKey: `purchase:${purchaseId}:delivered`,
    buyerId,
    facts: { amountCentavos, purchaseId, product },
  });
}
