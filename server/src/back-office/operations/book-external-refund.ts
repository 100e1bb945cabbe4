import { add, type Centavos, centavos } from '@aparta/domain/money';

import { resolveAlerts } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type LockedPurchase, lockPurchase, sumPaid } from '../../purchases/plans/store.ts';
import { isReceiptInvoiced } from '../../invoicing/invoices/instalment.read-model.ts';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import { cardRefunded, externallyRefunded, type ExternalRefundPart } from '../../ledger/books/postings.ts';
import { book } from '../../ledger/books/store.ts';
import { findAllocations } from '../../ledger/receipts/store.ts';
import { addExternalRefund, lockRefundsOfAttempt, moveRefund } from '../../ledger/refunds/store.ts';
import { endPurchase } from '../../purchases/plans/end-purchase.ts';
import { reversePayment } from '../../purchases/plans/reverse-payment.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { gaveBackOf } from '../../payments/cards/observe.ts';
import { lockPayable, purchaseIdOf } from '../../payments/cards/payable.ts';
import type { ResolveDeps } from '../../payments/cards/resolve-attempt.ts';
import { notifyHelper } from '../../payments/cards/notify-helper.ts';
import { emailPayer } from '../../payments/refunds/move-refund.ts';
import { readPaymentOf } from '../../payments/refunds/read-payment.ts';
import { addRefunded, type Attempt, findAttempt, lockAttempt } from '../../payments/cards/store.ts';
import type { ProviderPayment } from '../../payments/card-provider/port.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { REVERSED_CODES } from './copy.ts';
import { apartOf, type Taken, takesOf } from './external-refund.ts';

/** What the operator decides; what happened is read from the provider. */
export interface ExternalRefund {
  /** Whatever no open refund covers is the merchant's loss. */
  readonly isLoss: boolean;
  /** A paid-off purchase was not handed over, so that it may be open again. */
  readonly isNotDelivered: boolean;
  /** What the provider's panel calls the refund; the payment's own id where nobody checked. */
  readonly providerRefundId: string | undefined;
}

export interface BookedExternalRefund {
  readonly goneCentavos: Centavos;
  readonly taken: readonly Taken[];
  /** The purchase whose instalments are open again, or that ended with it. */
  readonly purchaseId: number | undefined;
}

/**
 * Reads from the provider what was refunded externally of a card payment (rules/refunds#external-refunds,
 * rules/ledger#external-refund): refunded in the provider's panel, or by a call of ours that we gave up on. Resolves with what books
 * it in a transaction, which may be repeated. The amount is what the provider says it gave back in all, less what is booked, so a
 * second run has nothing to book and is refused. Also refused: a payment that brought no
 * money, a provider that does not answer, a refund that may be on its way, an invoiced instalment, a paid-off purchase without
 * `isNotDelivered`, and an amount that nothing covers without `isLoss`.
 */
export async function readExternalRefund(
  deps: ResolveDeps,
  attemptId: string,
  external: ExternalRefund,
): Promise<(tx: Tx) => Promise<BookedExternalRefund>> {
  const attempt = await findAttempt(deps.db, attemptId);
  if (attempt === undefined) throw new RefusedChange('attempt_unknown', { id: attemptId });
  const payment = await readPayment(deps, attempt);
  return (tx) => bookIt(tx, attempt, payment, external);
}

async function readPayment(deps: ResolveDeps, attempt: Attempt): Promise<ProviderPayment> {
  if (attempt.state === 'held') throw new RefusedChange('external_refund_held');
  if ((attempt.state !== 'applied' && attempt.state !== 'returned') || attempt.providerPaymentId === null)
    throw new RefusedChange('external_refund_no_money', { state: attempt.state });
  const found = await readPaymentOf(deps, attempt, attempt.providerPaymentId);
  if (found.kind === 'unread') throw new RefusedChange('external_refund_unread', { why: found.why });
  // A payment that the sweep found has no reference of ours, or that of another attempt.
  if (attempt.intentId !== null && found.payment.externalReference !== attempt.id)
    throw new RefusedChange('external_refund_unread', { why: 'external_reference' });
  return found.payment;
}

async function bookIt(
  tx: Tx,
  unlocked: Attempt,
  payment: ProviderPayment,
  { isLoss, isNotDelivered, providerRefundId = payment.id }: ExternalRefund,
): Promise<BookedExternalRefund> {
  const payable = await lockPayable(tx, unlocked);
  // Of several none: each keeps its part until it is cancelled.
  const purchaseId = purchaseIdOf(payable);
  const purchase = typeof purchaseId === 'number' ? await lockPurchase(tx, purchaseId) : undefined;
  const attempt = (await lockAttempt(tx, unlocked.id)) ?? unlocked;
  const refunds = await lockRefundsOfAttempt(tx, attempt.id);
  const onItsWay = refunds.find(({ state }) => state === 'sending' || state === 'unknown');
  if (onItsWay !== undefined) throw new RefusedChange('refund_on_its_way', { state: onItsWay.state });

  const goneCentavos = notBookedYet(attempt, payment);
  const money = { channel: 'card', sourceId: attempt.id, merchantId: attempt.merchantId } as const;
  const receipt = await findAllocations(tx, money.channel, money.sourceId);
  const isCounted =
    purchase?.state === 'active' && receipt.allocations.some(({ target }) => target === 'instalment');
  const { taken, unplacedCentavos } = takesOf({
    goneCentavos,
    owed: refunds.filter(({ state }) => state === 'owed' || state === 'blocked'),
    countedCentavos: isCounted ? receipt.amountCentavos : undefined,
    // What was delivered stays so.
    isLoss: isLoss || purchase?.state === 'delivered',
  });
  const isTaken = taken.some(({ was }) => was === 'purchase');
  // We cannot know whether the goods were handed over; if they were, it is a loss.
  if (isTaken && purchase?.balanceCentavos === 0 && !isNotDelivered)
    throw new RefusedChange('external_refund_paid_off', { gone: goneCentavos, purchase: purchase.id });
  if (unplacedCentavos > 0 && payable?.kind === 'several')
    throw new RefusedChange('external_refund_of_several', {
      gone: goneCentavos,
      unplaced: unplacedCentavos,
      purchases: payable.shares.map((share) => share.purchase.id).join(', '),
    });
  if (unplacedCentavos > 0)
    throw new RefusedChange(
      isCounted ? 'external_refund_part_of_purchase' : 'external_refund_without_place',
      {
        gone: goneCentavos,
        unplaced: unplacedCentavos,
        ...(purchase !== undefined && { purchase: purchase.id }),
      },
    );

  // The attempt first: a constraint keeps its refunds within what it has given back.
  await addRefunded(tx, attempt.id, goneCentavos);
  const opened = isTaken ? purchase : undefined;
  if (opened !== undefined) await takeFromPurchase(tx, opened, attempt);
  const parts: ExternalRefundPart[] = [];
  for (const part of taken) {
    if (part.was === 'loss') parts.push({ was: 'loss', amountCentavos: part.amountCentavos });
    if (part.was === 'refund') parts.push(...(await takeFromRefund(tx, attempt, part, providerRefundId)));
  }
  const apartCentavos = apartOf(taken);
  if (apartCentavos > 0)
    await addExternalRefund(tx, {
      receiptId: receipt.id,
      attemptId: attempt.id,
      method: 'card',
      amountCentavos: apartCentavos,
      providerRefundId,
    });
  if (parts.length > 0)
    await book(
      tx,
      externallyRefunded({ ...money, leftCentavos: add(attempt.refundedCentavos, goneCentavos) }, parts),
    );

  await resolveAlerts(tx, ['attempt_mismatch'], [attempt.id]);
  const ids = refunds.map(({ id }) => String(id));
  if (ids.length > 0) await resolveAlerts(tx, ['refund_approved_late', 'refund_found_back'], ids);
  return { goneCentavos, taken, purchaseId: opened?.id };
}

/** What the provider gave back and no book knows of yet. Refuses when that is zero, or more than was paid. */
function notBookedYet(attempt: Attempt, payment: ProviderPayment): Centavos {
  const gaveBack =
    payment.status === 'refunded'
      ? Math.max(payment.refundedCentavos, payment.amountCentavos)
      : gaveBackOf(payment);
  const goneCentavos = centavos(Math.max(gaveBack - attempt.refundedCentavos, 0));
  if (goneCentavos === 0) throw new RefusedChange('external_refund_nothing');
  if (gaveBack > attempt.capturedCentavos) throw new RefusedChange('external_refund_more_than_paid');
  return goneCentavos;
}

/**
 * Takes an amount from an open refund. If it is all of it, the refund is done and whoever paid gets an email; if a part, the rest
 * stays owed, and a card refund of it is requested again. Resolves with the refund's legs in the external refund's event.
 */
async function takeFromRefund(
  tx: Tx,
  attempt: Attempt,
  { refund, amountCentavos, leftCentavos }: Extract<Taken, { was: 'refund' }>,
  providerRefundId: string,
): Promise<ExternalRefundPart[]> {
  const { id, method } = refund;
  await resolveAlerts(tx, ['refund_blocked', 'refund_moved_to_cash'], [String(id)]);
  const leg: ExternalRefundPart = { was: 'refund', refundId: id, method, amountCentavos };
  if (leftCentavos > 0) {
    await moveRefund(tx, id, 'partly_refunded_externally', {
      amountCentavos: leftCentavos,
      detailCode: 'a part was refunded externally',
    });
    if (method === 'card') await enqueueRefund(tx, id);
    return [leg];
  }
  await moveRefund(tx, id, 'refunded_externally', { providerRefundId });
  await emailPayer(tx, attempt, { id, amountCentavos }, 'refund_done');
  if (method === 'cash') return [leg];
  await book(tx, cardRefunded({ id, merchantId: attempt.merchantId, amountCentavos }));
  return [];
}

/** Takes the payment from its purchase: the instalments are open again, and a purchase without other money ends. */
async function takeFromPurchase(tx: Tx, purchase: LockedPurchase, attempt: Attempt): Promise<void> {
  if (await isReceiptInvoiced(tx, 'card', attempt.id))
    throw new RefusedChange('external_refund_invoiced', { purchase: purchase.id });
  if (!(await reversePayment(tx, { channel: 'card', sourceId: attempt.id }, purchase.id)))
    throw new Error(`the receipt of ${attempt.id} is not its purchase's alone`);
  if ((await sumPaid(tx, purchase.id)) === 0)
    await endPurchase(tx, purchase.id, { event: 'voided', by: 'reversal', notes: REVERSED_CODES });
  await sendEmail(tx, {
    topic: 'card_reversed',
    dedupeKey: `card:${attempt.id}`,
    buyerId: purchase.buyerId,
    facts: {
      amountCentavos: attempt.capturedCentavos,
      purchaseId: purchase.id,
      ...(attempt.helpLinkId === null ? { last4: attempt.cardLast4 ?? '' } : { isHelp: 1 }),
    },
  });
  await notifyHelper(tx, attempt, 'help_refunded', attempt.capturedCentavos, `reversed:${attempt.id}`);
}
