import { createHash } from 'node:crypto';

import { type Centavos, centavos, zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import { raiseAlert, resolveAlert, resolveAlerts } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { applyPayment } from '../../purchases/plans/apply-payment.ts';
import { type LockedPurchase, lockPurchase } from '../../purchases/plans/store.ts';
import { isReceiptInvoiced } from '../../invoicing/invoices/instalment.read-model.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import { isWithdrawn } from '../../ledger/receipts/store.ts';
import { findNamed } from '../../purchases/cash-references/store.ts';
import { reversePayment } from '../../purchases/plans/reverse-payment.ts';
import type { Log } from '../../platform/logging.ts';
import { sendEmail } from '../../platform/email/outbox.ts';

import type { Instrumentation } from '../../platform/telemetry/instrumentation.ts';
import type { CashOperation, CashProvider } from './port.ts';
import { findNotice, findReferenceOf, insertNotice, type Notice, resolveUnappliedCash } from './store.ts';

const ASK_AGAIN_MS = 30_000;

export interface NoticeDeps {
  readonly db: Db;
  readonly cash: CashProvider;
  readonly instrumentation?: Instrumentation;
}

/**
 * A notice came with Tapi's key. Whoever has that key could have sent it, so Tapi itself is asked what became of
 * the operation (rules/threats#forged-cash-notices) and only its answer moves money; while it does not answer, a job asks
 * again. Never refuses: what cannot be applied has an outcome all the same (rules/tills-and-cash#cash-notices).
 */
export async function takeNotice(deps: NoticeDeps, received: CashOperation, log: Log): Promise<void> {
  const { operationId } = received;
  const found = await deps.cash.findOperation(operationId);
  switch (found.kind) {
    case 'found':
      if (isAtOdds(received, found.operation)) {
        await raiseAlert(deps.db, 'cash_notice_changed', operationId, { noticed: received.amountCentavos });
        log.error({ operationId }, 'a notice says something else than the cash network');
      }
      // What a store finished may show as under way for a while; Tapi will not tell us again.
      if (isFinal(received) && !isFinal(found.operation)) return askLater(deps, operationId);
      return takeOperation(deps, found.operation, log);
    case 'not_found':
      await raiseAlert(deps.db, 'cash_notice_unknown', operationId, {});
      log.error({ operationId }, 'a notice tells of an operation that the cash network does not know');
      // Perhaps not yet: it is asked once more, and then a person asks.
      return askLater(deps, operationId);
    case 'unreachable':
      log.warn({ operationId, why: found.why }, 'the cash network does not say what became of an operation');
      return askLater(deps, operationId);
  }
}

async function askLater({ db }: NoticeDeps, operationId: string): Promise<void> {
  const options = { key: `cash:${operationId}`, afterMs: ASK_AGAIN_MS };
  await transaction(db, (tx) => enqueue(tx, 'check_cash_operation', { operationId }, options));
}

/** A store took the money, or gave it back. */
const isFinal = ({ status }: CashOperation) => status === 'confirmed' || status === 'reversed';

/** Whether a notice names another sum, currency or reference than the network; what it leaves out agrees. */
function isAtOdds(received: CashOperation, known: CashOperation): boolean {
  return (
    (received.amountCentavos !== undefined && received.amountCentavos !== known.amountCentavos) ||
    (received.currency !== '' && received.currency !== known.currency) ||
    (received.reference !== undefined && received.reference !== known.reference)
  );
}

/** The job's way: throws while Tapi does not answer, so that the queue asks again with back-off. */
export async function checkCashOperation(deps: NoticeDeps, operationId: string, log: Log): Promise<void> {
  const found = await deps.cash.findOperation(operationId);
  if (found.kind === 'unreachable') throw new Error(`the cash network does not answer: ${found.why}`);
  if (found.kind === 'found') {
    if (found.operation.status === 'processing') throw new Error('a cash operation is still under way');
    await takeOperation(deps, found.operation, log);
    await resolveAlerts(deps.db, ['cash_notice_unknown'], [operationId]);
    return;
  }
  await raiseAlert(deps.db, 'cash_notice_unknown', operationId, {});
}

/** Books one operation of Tapi, once: the same again does nothing, another content of the same raises an alert. */
async function takeOperation(deps: NoticeDeps, operation: CashOperation, log: Log): Promise<void> {
  // An operation still under way, or failed, moved no money: the confirmed one comes with the same number.
  if (!isFinal(operation)) return;
  try {
    const outcome = await transaction(deps.db, (tx) => takeOnce(tx, operation));
    deps.instrumentation?.cashNotice(outcome);
    log.info({ operationId: operation.operationId, status: operation.status, outcome }, 'cash operation');
  } catch (error) {
    // Two notices of one operation whose references differ do not share a lock: they meet here, and the first one counts.
    const constraint = refusedBy(error);
    if (constraint !== 'cash_notices_once' && constraint !== 'receipts_money_arrives_once') throw error;
    await raiseAlert(deps.db, 'cash_notice_twice', operation.operationId, {});
  }
}

async function takeOnce(tx: Tx, operation: CashOperation): Promise<Notice['outcome'] | 'known'> {
  const { operationId, status, reverses } = operation;
  const reference =
    (await findNamed(tx, operation)) ??
    (reverses === undefined ? undefined : await findReferenceOf(tx, reverses));
  const purchase = reference && (await lockPurchase(tx, reference.purchaseId));

  // After the lock: what is known now stays so to the end.
  const original = status === 'reversed' ? await findNotice(tx, reverses ?? operationId) : undefined;
  const before = await findNotice(tx, operationId);
  const notice = {
    bodyHash: hashOf(operation),
    cashReferenceId: reference?.id ?? null,
    status,
    amountCentavos: operation.amountCentavos ?? null,
    currency: operation.currency,
    paidAt: operation.paidAt ?? null,
  };
  if (before !== undefined) {
    // The network says of the same operation that it was taken back since.
    if (status === 'reversed' && before.status !== 'reversed')
      return reverse(tx, operation, original, purchase);
    const isExpected = before.outcome === 'noted' && status === 'reversed';
    if (!isExpected && !before.bodyHash.equals(notice.bodyHash))
      await raiseAlert(tx, 'cash_notice_changed', operationId, { status });
    return 'known';
  }
  const outcome =
    status === 'reversed'
      ? await reverse(tx, operation, original, purchase)
      : await receive(tx, operation, purchase);
  await insertNotice(tx, { ...notice, operationId, outcome });
  // Taken back before we heard of it: the operation itself brings no money any more, however late it is told.
  if (status === 'reversed' && original === undefined && reverses !== undefined && reverses !== operationId)
    await insertNotice(tx, { ...notice, operationId: reverses, outcome: 'noted' });
  return outcome;
}

/**
 * Cash that was taken: as far as it goes to the purchase, the rest owed back by the merchant (rules/ledger#cash-receipt,
 * rules/ledger#not-applicable).
 */
async function receive(
  tx: Tx,
  operation: CashOperation,
  purchase: LockedPurchase | undefined,
): Promise<'applied' | 'owed_back' | 'unapplied'> {
  const { operationId: sourceId, amountCentavos } = operation;
  if (purchase === undefined || amountCentavos === undefined || operation.currency !== 'MXN') {
    // Whose it is, or how much, is not known: no merchant's book can carry it, so a person checks the notice itself.
    await raiseAlert(tx, 'unapplied_cash', sourceId, { amountCentavos, currency: operation.currency });
    return 'unapplied';
  }
  return giveTo(tx, purchase, sourceId, amountCentavos);
}

/** Gives cash to a purchase, whose lock the caller holds: as far as it goes, the rest is owed back. */
export async function giveTo(
  tx: Tx,
  purchase: LockedPurchase,
  sourceId: string,
  amountCentavos: Centavos,
): Promise<'applied' | 'owed_back'> {
  const { principalCentavos, feeCentavos, surplusCentavos } = shareOut(purchase, amountCentavos);
  if (principalCentavos === 0) {
    await recordReceipt(
      tx,
      { channel: 'cash', sourceId, merchantId: purchase.merchantId, buyerId: purchase.buyerId },
      { to: 'refund', cause: 'not_applicable', method: 'cash', attemptId: null, amountCentavos },
    );
    await tell(tx, 'cash_owed_back', purchase, sourceId, amountCentavos);
    return 'owed_back';
  }
  await applyPayment(tx, purchase, {
    channel: 'cash',
    sourceId,
    principalCentavos,
    feeCentavos,
    surplusCentavos,
  });
  if (surplusCentavos > 0) await tell(tx, 'cash_owed_back', purchase, sourceId, surplusCentavos);
  return 'applied';
}

/** What of an amount pays the fee, what the balance, and what is too much. The fee is taken once, and never alone. */
export function shareOut(purchase: LockedPurchase, amountCentavos: Centavos) {
  if (purchase.state === 'cancelled' || purchase.balanceCentavos === 0) {
    return { principalCentavos: zero, feeCentavos: zero, surplusCentavos: amountCentavos };
  }
  const policy = feeFor({ amountCentavos: purchase.feeCentavos, methods: purchase.feeMethods }, 'cash');
  const feeCentavos = amountCentavos > policy ? policy : zero;
  const principalCentavos = centavos(Math.min(amountCentavos - feeCentavos, purchase.balanceCentavos));
  return {
    principalCentavos,
    feeCentavos,
    surplusCentavos: centavos(amountCentavos - feeCentavos - principalCentavos),
  };
}

/**
 * Tapi took an operation back: the mirror of its receipt, where that is still possible, else a person. One that we never
 * booked leaves nothing to take back.
 */
async function reverse(
  tx: Tx,
  operation: CashOperation,
  original: Notice | undefined,
  purchase: LockedPurchase | undefined,
): Promise<'reversed' | 'unapplied' | 'noted'> {
  if (original === undefined || original.outcome === 'noted') return 'noted';
  if (await isWithdrawn(tx, 'cash', original.operationId)) return 'reversed';
  const isSameSum = original.amountCentavos === (operation.amountCentavos ?? null);
  // It was not applied yet, and now there is nothing left to apply.
  if (isSameSum && (await resolveUnappliedCash(tx, original.operationId, 'taken_back'))) {
    await resolveAlert(tx, 'unapplied_cash', original.operationId);
    return 'noted';
  }
  const isWhole = original.outcome === 'applied' && isSameSum;
  const isOut =
    isWhole &&
    purchase?.state === 'active' &&
    !(await isReceiptInvoiced(tx, 'cash', original.operationId)) &&
    (await reversePayment(tx, { channel: 'cash', sourceId: original.operationId }, purchase.id));
  if (isOut) {
    await tell(tx, 'store_reversed', purchase, original.operationId, original.amountCentavos ?? zero);
    return 'reversed';
  }
  await raiseAlert(tx, 'cash_reversal_impossible', operation.operationId, { reverses: operation.reverses });
  return 'unapplied';
}

async function tell(
  tx: Tx,
  topic: 'cash_owed_back' | 'store_reversed',
  purchase: LockedPurchase,
  operationId: string,
  amountCentavos: Centavos,
): Promise<void> {
  await sendEmail(tx, {
    topic,
    dedupeKey: `cash:${operationId}`,
    buyerId: purchase.buyerId,
    facts: { amountCentavos, purchaseId: purchase.id, product: purchase.productName },
  });
}

function hashOf({
  status,
  reference,
  externalRequestId,
  amountCentavos,
  currency,
  reverses,
}: CashOperation): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([status, reference, externalRequestId, amountCentavos, currency, reverses]))
    .digest();
}
