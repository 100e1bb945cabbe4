import { mexicoCityDate } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';

import type { Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { isReceiptInvoiced } from '../../invoicing/invoices/instalment.read-model.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { endPurchase } from '../../purchases/plans/end-purchase.ts';
import { reversePayment } from '../../purchases/plans/reverse-payment.ts';
import { lockPurchase } from '../../purchases/plans/store.ts';
import type { Log } from '../../platform/logging.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { REVERSED } from './copy.ts';
import { findPurchasePaid, findReversal } from './read-model.ts';
import {
  answer,
  demandTwin,
  keyOf,
  refuseForeignChain,
  type SignedInTill,
  type TillDeps,
} from './operation.ts';
import {
  blockOperation,
  findOperation,
  storedReference,
  lockOperation,
  markReversed,
  type TillAnswer,
  type TillKey,
  type TillOperation,
} from './store.ts';

export interface ReversalRequest {
  readonly chain: string;
  readonly branch: string;
  readonly transactionId: string;
  /** What the till says the operation was, where it says so: it must agree. */
  readonly reference: string | undefined;
  readonly amountCentavos: Centavos | undefined;
}

/**
 * A till reverses an operation (rules/tills-and-cash#till-reversals, rules/ledger#reversal) on its day of Mexico City, while its
 * purchase is active. A deposit only while it is the purchase's only money. With its last money the purchase ends. Invoiced or
 * settled money stays: error 7. An operation that has not come yet is blocked, and will answer error 7. One that took nothing, or is reversed
 * already, answers 0 again; another reference or amount than it had, 6.
 */
export async function reverseOperation(
  deps: TillDeps,
  till: SignedInTill,
  request: ReversalRequest,
  log: Log,
): Promise<TillAnswer> {
  const foreign = await refuseForeignChain(deps, till, request.chain, log);
  if (foreign !== undefined) return foreign;
  const key = keyOf(till, request);
  try {
    const given = await transaction(deps.db, (tx) => reverseOnce(tx, till, key, request));
    log.info({ error: given.error, branch: key.branch, transactionId: key.transactionId }, 'till reversal');
    return given;
  } catch (error) {
    // The operation came while we were blocking it: now it is there to be reversed.
    demandTwin(error);
    return transaction(deps.db, (tx) => reverseOnce(tx, till, key, request));
  }
}

async function reverseOnce(
  tx: Tx,
  till: SignedInTill,
  key: TillKey,
  request: ReversalRequest,
): Promise<TillAnswer> {
  const done = answer(0, REVERSED);
  const unlocked = await findOperation(tx, key);
  if (unlocked === undefined) {
    await blockOperation(tx, key, request.reference ?? '');
    return done;
  }
  if (!agrees(request, unlocked)) return answer(6);
  if (unlocked.state !== 'authorised') return done;
  // The purchase and its reference first, then the operation, then everything is read again (rules/ledger#lock-order).
  const paid = await findPurchasePaid(tx, unlocked.id);
  if (paid !== undefined) {
    await lockReference(tx, paid.layawayReferenceId);
    await lockPurchase(tx, paid.purchaseId);
  }
  await lockOperation(tx, unlocked.id);
  const reversal = await findReversal(tx, unlocked.id);
  if (reversal === undefined || reversal.state !== 'authorised') return done;
  const isToday = mexicoCityDate(reversal.createdAt) === mexicoCityDate(reversal.now);
  const isDeposit = reversal.operation === 'layaway';
  const isOnlyMoney = reversal.purchasePaidCentavos === reversal.principalCentavos;
  if (!isToday || reversal.purchaseState !== 'active' || (isDeposit && !isOnlyMoney)) return answer(7);
  if (await isReceiptInvoiced(tx, 'till', unlocked.id)) return answer(7);

  const { purchaseId } = reversal;
  if (!(await reversePayment(tx, { channel: 'till', sourceId: unlocked.id }, purchaseId))) return answer(7);
  await markReversed(tx, unlocked.id);
  await till.beside?.(tx, unlocked.id);
  // Also by an instalment, where the deposit left before it: without any money it is no reservation any more.
  if (isOnlyMoney)
    await endPurchase(tx, reversal.purchaseId, { event: 'voided', by: 'reversal', notes: REVERSED });
  await sendEmail(tx, {
    topic: 'till_reversed',
    dedupeKey: `till:${unlocked.id}`,
    buyerId: reversal.buyerId,
    facts: {
      amountCentavos: reversal.amountCentavos,
      folio: unlocked.authorisation,
      purchaseId: reversal.purchaseId,
    },
  });
  return done;
}

/** Whether the till says the same again; a reversal that came before its operation may have said nothing. */
function agrees(request: ReversalRequest, operation: TillOperation): boolean {
  const { reference, amountCentavos } = request;
  return (
    (reference === undefined ||
      operation.reference === '' ||
      digitsOf(reference) === digitsOf(operation.reference)) &&
    (amountCentavos === undefined ||
      operation.amountCentavos === null ||
      amountCentavos === operation.amountCentavos)
  );
}

/** Typed at once or printed in groups, it is the same reference. */
function digitsOf(reference: string): string {
  const parsed = parsePaymentReference(reference);
  return parsed === undefined ? storedReference(reference) : parsed.prefix + parsed.id;
}
