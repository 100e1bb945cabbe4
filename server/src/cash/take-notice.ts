import { createHash } from 'node:crypto';

import { type Centavos, centavos, zero } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import { raiseAlarm } from '../db/alarms.ts';
import type { Db, Tx } from '../db/db.ts';
import { refusedBy, transaction } from '../db/transaction.ts';
import { payOff } from '../instalments/pay-off.ts';
import { type LockedPurchase, lockPurchase } from '../instalments/store.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { placeMoney } from '../ledger/place-money.ts';
import { withdrawReceipt } from '../ledger/withdraw-receipt.ts';
import type { Log } from '../logging.ts';
import { queueMail } from '../mail/outbox.ts';

import type { CashOperation, CashProvider } from '../providers/cash/port.ts';
import { findNamed, findNotice, insertNotice, type Notice } from './store.ts';

export interface NoticeDeps {
  readonly db: Db;
  readonly cash: CashProvider;
}

/**
 * A notice came with the network's key. Whoever has that key could have sent it, so the network itself is asked what became of
 * the operation (payments.md threat 12) and only its answer moves money; while it does not answer, a job asks again. Never
 * refuses: what cannot be applied has an outcome all the same (§1.9).
 */
export async function takeNotice(deps: NoticeDeps, operationId: string, log: Log): Promise<void> {
  const looked = await deps.cash.findOperation(operationId);
  switch (looked.kind) {
    case 'found':
      return takeOperation(deps, looked.operation, log);
    case 'unknown':
      await raiseAlarm(deps.db, 'cash_notice_unknown', operationId, {});
      return log.error({ operationId }, 'a notice tells of an operation that the cash network does not know');
    case 'dark':
      log.warn({ operationId, why: looked.why }, 'the cash network does not say what became of an operation');
      await transaction(deps.db, (tx) =>
        enqueue(
          tx,
          'look_at_cash_operation',
          { operationId },
          { key: `cash:${operationId}`, afterMs: 30_000 },
        ),
      );
  }
}

/** The job's way: throws while the network does not answer, so that the queue asks again with back-off. */
export async function lookAtOperation(deps: NoticeDeps, operationId: string, log: Log): Promise<void> {
  const looked = await deps.cash.findOperation(operationId);
  if (looked.kind === 'dark') throw new Error(`the cash network does not answer: ${looked.why}`);
  if (looked.kind === 'found') return takeOperation(deps, looked.operation, log);
  await raiseAlarm(deps.db, 'cash_notice_unknown', operationId, {});
}

/** Books one operation of the network, once: the same again does nothing, another content of the same rings. */
export async function takeOperation(deps: { db: Db }, operation: CashOperation, log: Log): Promise<void> {
  // An operation still under way, or failed, moved no money: the confirmed one comes with the same number.
  if (operation.status !== 'confirmed' && operation.status !== 'reversed') return;
  try {
    const outcome = await transaction(deps.db, (tx) => takeOnce(tx, operation));
    log.info({ operationId: operation.operationId, status: operation.status, outcome }, 'cash operation');
  } catch (error) {
    // Two notices of one operation whose references differ do not share a lock: they meet here, and the first one counts.
    const constraint = refusedBy(error);
    if (constraint !== 'cash_notices_once' && constraint !== 'receipts_money_arrives_once') throw error;
    await raiseAlarm(deps.db, 'cash_notice_twice', operation.operationId, {});
  }
}

async function takeOnce(tx: Tx, operation: CashOperation): Promise<Notice['outcome'] | 'known'> {
  const original =
    operation.status === 'reversed' ? await findNotice(tx, operation.reverses ?? '') : undefined;
  const named = await findNamed(tx, operation);
  const reference =
    named ??
    (await findNamed(tx, {
      externalRequestId: original?.cashReferenceId ?? undefined,
      reference: undefined,
    }));
  const purchase = reference && (await lockPurchase(tx, reference.purchaseId));

  const bodyHash = hashOf(operation);
  const before = await findNotice(tx, operation.operationId);
  if (before !== undefined) {
    if (!before.bodyHash.equals(bodyHash)) {
      await raiseAlarm(tx, 'cash_notice_changed', operation.operationId, { status: operation.status });
    }
    return 'known';
  }
  const outcome =
    operation.status === 'reversed'
      ? await reverse(tx, operation, original, purchase)
      : await receive(tx, operation, purchase);
  await insertNotice(tx, {
    operationId: operation.operationId,
    bodyHash,
    cashReferenceId: reference?.id ?? null,
    status: operation.status,
    amountCentavos: operation.amountCentavos ?? null,
    currency: operation.currency,
    paidAt: operation.paidAt ?? null,
    outcome,
  });
  return outcome;
}

/** Cash that was taken: as far as it goes to the purchase, the rest owed back by the merchant (L4, L6). */
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
  const { principalCentavos, feeCentavos, surplusCentavos } = shareOut(purchase, amountCentavos);
  if (principalCentavos === 0) {
    await placeMoney(
      tx,
      { channel: 'tapi', sourceId, merchantId: purchase.merchantId, buyerId: purchase.buyerId },
      { to: 'refund', cause: 'not_applicable', way: 'cash', attemptId: null, amountCentavos },
    );
    await tellOwed(tx, purchase, sourceId, amountCentavos);
    return 'owed_back';
  }
  await payOff(tx, purchase, { channel: 'tapi', sourceId, principalCentavos, feeCentavos, surplusCentavos });
  if (surplusCentavos > 0) await tellOwed(tx, purchase, sourceId, surplusCentavos);
  return 'applied';
}

/** What of an amount pays the fee, what the balance, and what is too much. The fee is taken once, and never alone. */
function shareOut(purchase: LockedPurchase, amountCentavos: Centavos) {
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

/** The network took an operation back: the mirror of its receipt, where that is still possible, else a person. */
async function reverse(
  tx: Tx,
  operation: CashOperation,
  original: Notice | undefined,
  purchase: LockedPurchase | undefined,
): Promise<'reversed' | 'suspense'> {
  const wasWhollyApplied =
    original?.outcome === 'applied' && original.amountCentavos === operation.amountCentavos;
  if (original === undefined || !wasWhollyApplied || purchase?.state !== 'active') {
    await raiseAlarm(tx, 'cash_reversal_impossible', operation.operationId, { reverses: operation.reverses });
    return 'suspense';
  }
  const withdrawn = await withdrawReceipt(tx, {
    channel: 'tapi',
    sourceId: original.operationId,
    purchaseId: purchase.id,
  });
  if (withdrawn) return 'reversed';
  await raiseAlarm(tx, 'cash_reversal_impossible', operation.operationId, { reverses: operation.reverses });
  return 'suspense';
}

async function tellOwed(
  tx: Tx,
  purchase: LockedPurchase,
  operationId: string,
  amountCentavos: Centavos,
): Promise<void> {
  await queueMail(tx, {
    topic: 'cash_owed_back',
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
