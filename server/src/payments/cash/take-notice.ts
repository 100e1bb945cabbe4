import { createHash } from 'node:crypto';

import { type Centavos, centavos, zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import { raiseAlarm, resolveAlarm, resolveAlarms } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { applyPayment } from '../../purchases/plans/apply-payment.ts';
import { type LockedPurchase, lockPurchase } from '../../purchases/plans/store.ts';
import { isReceiptInvoiced } from '../../invoicing/store.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { placeMoney } from '../../ledger/receipts/place-money.ts';
import { isWithdrawn } from '../../ledger/receipts/store.ts';
import { findNamed } from '../../purchases/cash-references/store.ts';
import { reversePayment } from '../../purchases/plans/reverse-payment.ts';
import type { Log } from '../../platform/logging.ts';
import { sendEmail } from '../../platform/email/outbox.ts';

import type { Watch } from '../../platform/telemetry/watch.ts';
import type { CashOperation, CashProvider } from './port.ts';
import { findNotice, findReferenceOf, insertNotice, type Notice, resolveUnappliedCash } from './store.ts';

const ASK_AGAIN_MS = 30_000;

export interface NoticeDeps {
  readonly db: Db;
  readonly cash: CashProvider;
  readonly watch?: Watch;
}

/**
 * A notice came with the network's key. Whoever has that key could have sent it, so the network itself is asked what became of
 * the operation (rules/threats#forged-cash-notices) and only its answer moves money; while it does not answer, a job asks
 * again. Never refuses: what cannot be applied has an outcome all the same (rules/tills-and-cash#cash-notices).
 */
export async function takeNotice(deps: NoticeDeps, told: CashOperation, log: Log): Promise<void> {
  const { operationId } = told;
  const looked = await deps.cash.findOperation(operationId);
  switch (looked.kind) {
    case 'found':
      if (isAtOdds(told, looked.operation)) {
        await raiseAlarm(deps.db, 'cash_notice_changed', operationId, { told: told.amountCentavos });
        log.error({ operationId }, 'a notice says something else than the cash network');
      }
      // What a store finished may show as under way for a while; the network will not tell us again.
      if (isFinal(told) && !isFinal(looked.operation)) return askLater(deps, operationId);
      return takeOperation(deps, looked.operation, log);
    case 'unknown':
      await raiseAlarm(deps.db, 'cash_notice_unknown', operationId, {});
      log.error({ operationId }, 'a notice tells of an operation that the cash network does not know');
      // Perhaps not yet: it is asked once more, and then a person asks.
      return askLater(deps, operationId);
    case 'dark':
      log.warn({ operationId, why: looked.why }, 'the cash network does not say what became of an operation');
      return askLater(deps, operationId);
  }
}

async function askLater({ db }: NoticeDeps, operationId: string): Promise<void> {
  const options = { key: `cash:${operationId}`, afterMs: ASK_AGAIN_MS };
  await transaction(db, (tx) => enqueue(tx, 'look_at_cash_operation', { operationId }, options));
}

/** A store took the money, or gave it back. */
const isFinal = ({ status }: CashOperation) => status === 'confirmed' || status === 'reversed';

/** Whether a notice names another sum, currency or reference than the network; what it leaves out agrees. */
function isAtOdds(told: CashOperation, known: CashOperation): boolean {
  return (
    (told.amountCentavos !== undefined && told.amountCentavos !== known.amountCentavos) ||
    (told.currency !== '' && told.currency !== known.currency) ||
    (told.reference !== undefined && told.reference !== known.reference)
  );
}

/** The job's way: throws while the network does not answer, so that the queue asks again with back-off. */
export async function lookAtOperation(deps: NoticeDeps, operationId: string, log: Log): Promise<void> {
  const looked = await deps.cash.findOperation(operationId);
  if (looked.kind === 'dark') throw new Error(`the cash network does not answer: ${looked.why}`);
  if (looked.kind === 'found') {
    if (looked.operation.status === 'processing') throw new Error('a cash operation is still under way');
    await takeOperation(deps, looked.operation, log);
    await resolveAlarms(deps.db, ['cash_notice_unknown'], [operationId]);
    return;
  }
  await raiseAlarm(deps.db, 'cash_notice_unknown', operationId, {});
}

/** Books one operation of the network, once: the same again does nothing, another content of the same rings. */
async function takeOperation(deps: NoticeDeps, operation: CashOperation, log: Log): Promise<void> {
  // An operation still under way, or failed, moved no money: the confirmed one comes with the same number.
  if (!isFinal(operation)) return;
  try {
    const outcome = await transaction(deps.db, (tx) => takeOnce(tx, operation));
    deps.watch?.cashNotice(outcome);
    log.info({ operationId: operation.operationId, status: operation.status, outcome }, 'cash operation');
  } catch (error) {
    // Two notices of one operation whose references differ do not share a lock: they meet here, and the first one counts.
    const constraint = refusedBy(error);
    if (constraint !== 'cash_notices_once' && constraint !== 'receipts_money_arrives_once') throw error;
    await raiseAlarm(deps.db, 'cash_notice_twice', operation.operationId, {});
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
      await raiseAlarm(tx, 'cash_notice_changed', operationId, { status });
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
): Promise<'applied' | 'owed_back' | 'suspense'> {
  const { operationId: sourceId, amountCentavos } = operation;
  if (purchase === undefined || amountCentavos === undefined || operation.currency !== 'MXN') {
    // Whose it is, or how much, is not known: no merchant's book can carry it, so a person looks at the notice itself.
    await raiseAlarm(tx, 'cash_without_a_home', sourceId, { amountCentavos, currency: operation.currency });
    return 'suspense';
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
    await placeMoney(
      tx,
      { channel: 'tapi', sourceId, merchantId: purchase.merchantId, buyerId: purchase.buyerId },
      { to: 'refund', cause: 'not_applicable', way: 'cash', attemptId: null, amountCentavos },
    );
    await tell(tx, 'cash_owed_back', purchase, sourceId, amountCentavos);
    return 'owed_back';
  }
  await applyPayment(tx, purchase, {
    channel: 'tapi',
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
 * The network took an operation back: the mirror of its receipt, where that is still possible, else a person. One that we never
 * booked leaves nothing to take back.
 */
async function reverse(
  tx: Tx,
  operation: CashOperation,
  original: Notice | undefined,
  purchase: LockedPurchase | undefined,
): Promise<'reversed' | 'suspense' | 'noted'> {
  if (original === undefined || original.outcome === 'noted') return 'noted';
  if (await isWithdrawn(tx, 'tapi', original.operationId)) return 'reversed';
  const isSameSum = original.amountCentavos === (operation.amountCentavos ?? null);
  // It had no home yet, and now there is nothing left to give one.
  if (isSameSum && (await resolveUnappliedCash(tx, original.operationId, 'taken_back'))) {
    await resolveAlarm(tx, 'cash_without_a_home', original.operationId);
    return 'noted';
  }
  const isWhole = original.outcome === 'applied' && isSameSum;
  const isOut =
    isWhole &&
    purchase?.state === 'active' &&
    !(await isReceiptInvoiced(tx, 'tapi', original.operationId)) &&
    (await reversePayment(tx, { channel: 'tapi', sourceId: original.operationId }, purchase.id));
  if (isOut) {
    await tell(tx, 'store_reversed', purchase, original.operationId, original.amountCentavos ?? zero);
    return 'reversed';
  }
  await raiseAlarm(tx, 'cash_reversal_impossible', operation.operationId, { reverses: operation.reverses });
  return 'suspense';
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
    dedupeKey: `tapi:${operationId}`,
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
