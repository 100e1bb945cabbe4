import { type Allocation } from '@aparta/domain/allocation';
import { fillsOfSum, fillsTheSame } from '@aparta/domain/buyer-sums';
import { add, type Centavos, centavos, centavosToPesos, sum, zero } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import { feeFor, feeOfSeveral } from '@aparta/domain/service-fee';

import { leaveBatch } from '../../platform/db/batch.ts';
import type { Tx } from '../../platform/db/db.ts';
import { applyPayment, applyPaymentToSeveral } from '../../purchases/plans/apply-payment.ts';
import { type LockedPurchase, lockPurchase, lockPurchaseOf } from '../../purchases/plans/store.ts';
import {
  isReplaced,
  mayReserve,
  refuseUnlessOpen,
  lockUnitLate,
  reserveLate,
} from '../../purchases/layaways/late-deposit.ts';
import type { LayawayReference } from '../../purchases/layaways/read-model.ts';
import { isSoldOut, type Unit } from '../../purchases/holds/find-unit.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listParts } from './parts-store.ts';
import type { Attempt } from './store.ts';

/**
 * What a card attempt pays, with the head of its money locked (rules/ledger#lock-order): a layaway's deposit, an instalment, or what
 * is late of several purchases of a merchant.
 */
export type Payable =
  | {
      readonly kind: 'layaway';
      readonly reference: LayawayReference;
      /** It expired, and its buyer reserved the product by another one since, or is paying that. */
      readonly isReplaced: boolean;
    }
  | (OfPurchase & { readonly kind: 'instalment' })
  | { readonly kind: 'several'; readonly shares: readonly (OfPurchase & Share)[] };

interface OfPurchase {
  readonly purchase: LockedPurchase;
  /** The instalment that its number names. */
  readonly instalmentId: number;
}

interface Share {
  readonly principalCentavos: Centavos;
}

/** Locks what a printed number pays. Undefined when it is none of ours, or its prefix does not fit its id. */
export async function lockPrinted(tx: Tx, printed: string): Promise<Payable | undefined> {
  const parsed = parsePaymentReference(printed);
  if (parsed === undefined) return undefined;
  const id = Number(parsed.id);
  const reference = parsed.prefix === '1' ? await lockReference(tx, id) : undefined;
  return reference === undefined ? lockInstalment(tx, id, parsed.prefix) : layaway(tx, reference);
}

/** Locks what an attempt pays. */
export async function lockPayable(
  tx: Tx,
  { id, referenceId, ofSeveral }: Pick<Attempt, 'id' | 'referenceId' | 'ofSeveral'>,
): Promise<Payable | undefined> {
  if (referenceId === null) return undefined;
  if (ofSeveral) {
    const parts = await listParts(tx, id);
    return lockShares(
      tx,
      parts.map(({ amountCentavos, ...part }) => ({ ...part, principalCentavos: amountCentavos })),
    );
  }
  const reference = await lockReference(tx, referenceId);
  return reference === undefined ? lockInstalment(tx, referenceId) : layaway(tx, reference);
}

/** Locks several purchases, in the order of their ids. Undefined when one of them is none. */
export async function lockShares(
  tx: Tx,
  shares: readonly (Share & { readonly purchaseId: number; readonly instalmentId: number })[],
): Promise<Extract<Payable, { kind: 'several' }> | undefined> {
  // It waits for locks while it holds others, so it may hold up no batch.
  leaveBatch(tx);
  const locked = [];
  for (const { purchaseId, ...share } of shares.toSorted((a, b) => a.purchaseId - b.purchaseId)) {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase === undefined) return undefined;
    locked.push({ purchase, ...share });
  }
  return { kind: 'several', shares: locked };
}

async function layaway(tx: Tx, reference: LayawayReference): Promise<Payable> {
  return { kind: 'layaway', reference, isReplaced: await isReplaced(tx, reference) };
}

async function lockInstalment(tx: Tx, id: number, prefix?: string): Promise<Payable | undefined> {
  const purchase = await lockPurchaseOf(tx, { id, prefix });
  return purchase && { kind: 'instalment', purchase, instalmentId: id };
}

/** Whether all of it is a buyer's own, at one merchant. */
export function isOf(payable: Payable, buyerId: number, merchantId: number): boolean {
  return subjectsOf(payable).every((its) => its.buyerId === buyerId && its.merchantId === merchantId);
}

function subjectsOf(payable: Payable): readonly { readonly buyerId: number; readonly merchantId: number }[] {
  if (payable.kind === 'several') return payable.shares.map(({ purchase }) => purchase);
  return [payable.kind === 'layaway' ? payable.reference : payable.purchase];
}

/** The ids of the references that it pays. */
export function referencesOf(payable: Payable): readonly number[] {
  return payable.kind === 'several'
    ? payable.shares.map(({ instalmentId }) => instalmentId)
    : [dueOf(payable).referenceId];
}

/** What is due: how much, from which buyer, to which merchant. */
export interface Due {
  readonly referenceId: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly productName: string;
}

/** The deposit of the frozen terms, or what is left of the instalment, with the card fee of those terms. */
export function dueOf(payable: Payable): Due {
  if (payable.kind === 'several') return dueOfSeveral(payable.shares);
  const subject = payable.kind === 'layaway' ? payable.reference : payable.purchase;
  return {
    referenceId: payable.kind === 'layaway' ? payable.reference.id : payable.instalmentId,
    buyerId: subject.buyerId,
    merchantId: subject.merchantId,
    principalCentavos: payable.kind === 'layaway' ? payable.reference.depositCentavos : owedOf(payable),
    feeCentavos: feeFor({ amountCentavos: subject.feeCentavos, methods: subject.feeMethods }, 'card'),
    productName: subject.productName,
  };
}

/** One fee for all: the highest of their terms. */
function dueOfSeveral(shares: Extract<Payable, { kind: 'several' }>['shares']): Due {
  const [first] = shares;
  if (first === undefined) throw new Error('an attempt of no purchase');
  return {
    referenceId: first.instalmentId,
    buyerId: first.purchase.buyerId,
    merchantId: first.purchase.merchantId,
    principalCentavos: sum(shares.map(({ principalCentavos }) => principalCentavos)),
    feeCentavos: feeOfSeveral(
      shares.map(({ purchase: { feeCentavos, feeMethods } }) => ({
        amountCentavos: feeCentavos,
        methods: feeMethods,
      })),
      'card',
    ),
    productName: shares.map(({ purchase }) => purchase.productName).join(', '),
  };
}

/** A sum that a buyer was shown, fee inside, and what they were shown that it fills, where they chose it. */
export interface Shown {
  readonly totalCentavos: Centavos;
  readonly fills: Allocation['parts'] | undefined;
}

/** What is due of a sum that the buyer chose of the plan, or of what is asked for. Refuses AMOUNT_CHANGED what does not stand any more. */
export function dueAsShown(payable: Payable, { totalCentavos, fills }: Shown): Due {
  const due = dueOf(payable);
  if (payable.kind !== 'instalment' || fills === undefined) {
    const total = add(due.principalCentavos, due.feeCentavos);
    if (total !== totalCentavos) throw new Refusal('AMOUNT_CHANGED', { amount: centavosToPesos(total) });
    return due;
  }
  const { instalments, balanceCentavos } = payable.purchase;
  const principalCentavos = centavos(Math.max(totalCentavos - due.feeCentavos, 0));
  const now = fillsOfSum(instalments, principalCentavos);
  if (now === undefined || !fillsTheSame(now, fills))
    throw new Refusal('AMOUNT_CHANGED', {
      amount: centavosToPesos(add(due.principalCentavos, due.feeCentavos)),
      all: centavosToPesos(add(balanceCentavos, due.feeCentavos)),
    });
  return { ...due, principalCentavos };
}

function owedOf({ purchase, instalmentId }: OfPurchase): Centavos {
  return purchase.instalments.find(({ id }) => id === instalmentId)?.balanceCentavos ?? zero;
}

/** Refuses REFERENCE_PAID, REFERENCE_CANCELLED and REFERENCE_EXPIRED. */
export function refuseUnlessAlive(payable: Payable): void {
  if (payable.kind === 'layaway') return refuseUnlessOpen(payable.reference);
  for (const each of payable.kind === 'several' ? payable.shares : [payable]) {
    if (each.purchase.state === 'cancelled') throw new Refusal('REFERENCE_CANCELLED');
    if (owedOf(each) === zero) throw new Refusal('REFERENCE_PAID', { ventaId: each.purchase.id });
  }
}

/** The purchase that it pays, or that its deposit made; of several none. */
export function purchaseIdOf(payable: Payable | undefined): number | null | undefined {
  switch (payable?.kind) {
    case 'layaway':
      return payable.reference.purchaseId;
    case 'instalment':
      return payable.purchase.id;
    default:
      return undefined;
  }
}

/** Whether what it pays is still to be paid: each of several. A deposit's terms may have ended, so it is not. */
export function isStillOwed(payable: Payable | undefined): boolean {
  if (payable === undefined || payable.kind === 'layaway') return false;
  return (payable.kind === 'several' ? payable.shares : [payable]).every((each) => takes(each, zero));
}

/**
 * Whether all of an attempt's money can be applied now (rules/card-attempts#applicable). For a layaway it counts when the attempt
 * began, so that a late bank neither loses the reservation nor makes a second one; for an instalment, what is still owed.
 */
export function isApplicable(payable: Payable, attempt: Attempt): boolean {
  if (payable.kind === 'instalment') return takes(payable, attempt.principalCentavos);
  if (payable.kind === 'several')
    return payable.shares.every((share) => takes(share, share.principalCentavos));
  return (
    attempt.principalCentavos === payable.reference.depositCentavos &&
    mayReserve(payable.reference, { begunAt: attempt.createdAt, isReplaced: payable.isReplaced })
  );
}

function takes(its: OfPurchase, principalCentavos: Centavos): boolean {
  const { state, balanceCentavos } = its.purchase;
  return state === 'active' && owedOf(its) > 0 && balanceCentavos >= principalCentavos;
}

/** Locks the unit that a deposit would take (rules/goods#holds); undefined when its product is sold out. Other money takes none. */
export async function lockUnitOf(tx: Tx, payable: Payable): Promise<Unit | undefined> {
  return payable.kind === 'layaway' ? lockUnitLate(tx, payable.reference) : { take: undefined };
}

/** Refuses SOLD_OUT a deposit whose product is sold out. */
export async function refuseSoldOut(tx: Tx, payable: Payable): Promise<void> {
  if (payable.kind === 'layaway' && (await isSoldOut(tx, payable.reference))) throw new Refusal('SOLD_OUT');
}

/** Books an attempt's money: a deposit makes its purchase, other money fills instalments, oldest first. */
export async function applyTo(
  tx: Tx,
  payable: Payable,
  attempt: Attempt,
  { unit, paidAt }: { readonly unit: Unit; readonly paidAt?: Date | undefined },
): Promise<void> {
  const money = { channel: 'card' as const, sourceId: attempt.id, feeCentavos: attempt.feeCentavos, paidAt };
  if (payable.kind === 'layaway') await reserveLate(tx, payable.reference, { ...money, unit });
  else if (payable.kind === 'several') await applyPaymentToSeveral(tx, payable.shares, money);
  else
    await applyPayment(tx, payable.purchase, {
      ...money,
      principalCentavos: attempt.principalCentavos,
      isHelp: attempt.helpLinkId !== null,
    });
}
