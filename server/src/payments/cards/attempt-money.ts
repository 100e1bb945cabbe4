import { add, centavos } from '@aparta/domain/money';
import { cardRefunded } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { paidMoment } from '../../ledger/receipts/paid-at.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import type { ProviderPayment } from '../card-provider/port.ts';
import type { AttemptState } from './attempt.ts';
import type { ReturnReason } from '../../platform/db/tables.ts';
import { type Locked, notifyBuyer } from './notify-buyer.ts';
import { notifyHelper } from './notify-helper.ts';
import type { Unit } from '../../purchases/holds/find-unit.ts';
import { capturedOf } from './observe.ts';
import { applyTo, isStillOwed, type Payable } from './payable.ts';
import type { Attempt, AttemptChange } from './store.ts';

/** The state that money's way leads to, with what else changes; the caller writes it. */
export type Moved = Partial<AttemptChange> & {
  readonly state: AttemptState;
  /** A refund that the provider made already, to be marked so once the attempt says what it captured. */
  readonly refundDone?: { readonly id: number; readonly providerRefundId: string };
};

/** Applies an attempt's money, whole, to what it pays, with the unit that was found for it. */
export async function applyMoney(
  { tx }: Locked,
  { payable, unit }: { readonly payable: Payable; readonly unit: Unit },
  attempt: Attempt,
  payment?: ProviderPayment,
): Promise<Moved> {
  await applyTo(tx, payable, attempt, { unit, paidAt: moneyOf(attempt, payment).paidAt });
  const total = add(attempt.principalCentavos, attempt.feeCentavos);
  await notifyHelper(tx, attempt, 'help_received', total);
  return {
    state: 'applied',
    capturedCentavos: total,
    threeDsUrl: null,
  };
}

/** Owes all of an attempt's money back: the books say so now, a job sends it. `payment` where it was captured just now. */
export async function returnMoney(
  locked: Locked,
  attempt: Attempt,
  payment?: ProviderPayment,
  returnReason: ReturnReason | null = null,
): Promise<Moved> {
  const captured =
    attempt.capturedCentavos > 0
      ? attempt.capturedCentavos
      : centavos(payment === undefined ? 0 : capturedOf(payment));
  const { refundId } = await recordReceipt(locked.tx, moneyOf(attempt, payment), {
    to: 'refund',
    cause: 'not_applicable',
    method: 'card',
    attemptId: attempt.id,
    amountCentavos: captured,
  });
  if (refundId !== undefined) await enqueueRefund(locked.tx, refundId);
  const agreedCentavos = add(attempt.principalCentavos, attempt.feeCentavos);
  await notifyBuyer(locked, attempt, 'payment_returned', captured, {
    ...(returnReason !== null && { returnReason }),
    ...(captured !== agreedCentavos && { agreedCentavos }),
    // Money that was not held came too late, or twice.
    ...(attempt.state === 'held' && isStillOwed(locked.payable) && { isStillOwed: 1 }),
  });
  return {
    state: 'returned',
    capturedCentavos: captured,
    threeDsUrl: null,
    ...(returnReason !== null && { returnReason }),
  };
}

/** Holds a payment that is not as agreed: what was captured waits in suspense for the provider or a person. */
export async function holdMoney(locked: Locked, attempt: Attempt, payment: ProviderPayment): Promise<Moved> {
  // Money enters the books once: a sum that changes afterwards is for a person.
  const isNew = attempt.capturedCentavos === 0;
  const captured = isNew ? centavos(capturedOf(payment)) : attempt.capturedCentavos;
  if (isNew && captured > 0) {
    await recordReceipt(locked.tx, moneyOf(attempt, payment), { to: 'suspense', amountCentavos: captured });
  }
  const shown = captured > 0 ? captured : add(attempt.principalCentavos, attempt.feeCentavos);
  await notifyBuyer(locked, attempt, 'payment_in_review', shown);
  return { state: 'held', ...(captured > 0 ? { capturedCentavos: captured } : {}), threeDsUrl: null };
}

/**
 * Books money that came and left without a refund of ours, both ways (rules/card-attempts#came-and-went). If only a part left,
 * the attempt is held.
 */
export async function recordReversal(
  locked: Locked,
  attempt: Attempt,
  payment: ProviderPayment,
): Promise<Moved> {
  const captured = attempt.capturedCentavos > 0 ? attempt.capturedCentavos : payment.amountCentavos;
  if (payment.refundedCentavos < captured && payment.status !== 'refunded') {
    return attempt.state === 'held'
      ? { state: 'held' }
      : holdMoney(locked, attempt, { ...payment, status: 'approved' });
  }
  const placed = await recordReceipt(locked.tx, moneyOf(attempt, payment), {
    to: 'refund',
    cause: 'external',
    method: 'card',
    attemptId: attempt.id,
    amountCentavos: captured,
  });
  const refundId = placed.refundId ?? 0;
  await book(
    locked.tx,
    cardRefunded({ id: refundId, merchantId: attempt.merchantId, amountCentavos: captured }),
  );
  return {
    state: 'returned',
    capturedCentavos: captured,
    refundedCentavos: captured,
    threeDsUrl: null,
    refundDone: { id: refundId, providerRefundId: payment.id },
  };
}

function moneyOf({ id, merchantId, buyerId, createdAt, now }: Attempt, payment: ProviderPayment | undefined) {
  const paidAt = paidMoment(payment?.approvedAt, { since: createdAt, now });
  return { channel: 'card' as const, sourceId: id, merchantId, buyerId, paidAt };
}
