import { type Allocation } from '@aparta/domain/allocation';
import { fillsOfSum, fillsTheSame } from '@aparta/domain/buyer-sums';
import { add, type Centavos, centavos, centavosToPesos, zero } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import { feeFor } from '@aparta/domain/service-fee';

import type { Tx } from '../../platform/db/db.ts';
import { applyPayment } from '../../purchases/plans/apply-payment.ts';
import { type LockedPurchase, lockPurchaseOf } from '../../purchases/plans/store.ts';
import {
  isReplaced,
  mayReserve,
  refuseUnlessOpen,
  reserveLate,
} from '../../purchases/layaways/late-deposit.ts';
import type { LayawayReference } from '../../purchases/layaways/read-model.ts';
import { isSoldOut, lockUnit, type Unit } from '../../purchases/holds/find-unit.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Attempt } from './store.ts';

/**
 * What a card attempt pays, with the head of its money locked (rules/ledger#lock-order): a layaway's deposit or an instalment.
 */
export type Payable =
  | {
      readonly kind: 'layaway';
      readonly reference: LayawayReference;
      /** It expired, and its buyer reserved the product by another one since, or is paying that. */
      readonly isReplaced: boolean;
    }
  | { readonly kind: 'instalment'; readonly purchase: LockedPurchase; readonly instalmentId: number };

/** Locks what a printed number pays. Undefined when it is none of ours, or its prefix does not fit its id. */
export async function lockPrinted(tx: Tx, printed: string): Promise<Payable | undefined> {
  const parsed = parsePaymentReference(printed);
  if (parsed === undefined) return undefined;
  const id = Number(parsed.id);
  const reference = parsed.prefix === '1' ? await lockReference(tx, id) : undefined;
  return reference === undefined ? lockInstalment(tx, id, parsed.prefix) : layaway(tx, reference);
}

/** Locks what an attempt pays, by the id of its reference. */
export async function lockPayable(tx: Tx, referenceId: number | null): Promise<Payable | undefined> {
  if (referenceId === null) return undefined;
  const reference = await lockReference(tx, referenceId);
  return reference === undefined ? lockInstalment(tx, referenceId) : layaway(tx, reference);
}

async function layaway(tx: Tx, reference: LayawayReference): Promise<Payable> {
  return { kind: 'layaway', reference, isReplaced: await isReplaced(tx, reference) };
}

async function lockInstalment(tx: Tx, id: number, prefix?: string): Promise<Payable | undefined> {
  const purchase = await lockPurchaseOf(tx, { id, prefix });
  return purchase && { kind: 'instalment', purchase, instalmentId: id };
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

/** A sum that a buyer was shown, fee inside, and what they were shown that it fills, where they chose it. */
export interface Shown {
  readonly totalCentavos: Centavos;
  readonly fills: Allocation['parts'] | undefined;
}

/** What is due of a sum that the buyer chose of the plan, or of what is asked for. Refuses AMOUNT_CHANGED what does not stand any more. */
export function dueAsShown(payable: Payable, { totalCentavos, fills }: Shown): Due {
  const due = dueOf(payable);
  if (payable.kind === 'layaway' || fills === undefined) {
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

function owedOf(payable: Extract<Payable, { kind: 'instalment' }>): Centavos {
  return payable.purchase.instalments.find(({ id }) => id === payable.instalmentId)?.balanceCentavos ?? zero;
}

/** Refuses REFERENCE_PAID, REFERENCE_CANCELLED and REFERENCE_EXPIRED. */
export function refuseUnlessAlive(payable: Payable): void {
  if (payable.kind === 'instalment') {
    if (payable.purchase.state === 'cancelled') throw new Refusal('REFERENCE_CANCELLED');
    if (owedOf(payable) === zero) throw new Refusal('REFERENCE_PAID', { ventaId: payable.purchase.id });
    return;
  }
  refuseUnlessOpen(payable.reference);
}

/**
 * Whether all of an attempt's money can be applied now (rules/card-attempts#applicable). For a layaway it counts when the attempt
 * began, so that a late bank neither loses the reservation nor makes a second one; for an instalment, what is still owed.
 */
export function isApplicable(payable: Payable, attempt: Attempt): boolean {
  if (payable.kind === 'instalment') {
    const { purchase } = payable;
    return (
      purchase.state === 'active' &&
      owedOf(payable) > 0 &&
      purchase.balanceCentavos >= attempt.principalCentavos
    );
  }
  return (
    attempt.principalCentavos === payable.reference.depositCentavos &&
    mayReserve(payable.reference, { begunAt: attempt.createdAt, isReplaced: payable.isReplaced })
  );
}

/** Locks the unit that a deposit would take (rules/goods#holds); undefined when its product is sold out. Other money takes none. */
export async function lockUnitOf(tx: Tx, payable: Payable): Promise<Unit | undefined> {
  return payable.kind === 'layaway' ? lockUnit(tx, payable.reference) : { take: undefined };
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
  else await applyPayment(tx, payable.purchase, { ...money, principalCentavos: attempt.principalCentavos });
}
