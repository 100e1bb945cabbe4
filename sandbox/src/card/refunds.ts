import { randomUUID } from 'node:crypto';
import {
  centavosFromPesos,
  type ErrorCode,
  type RefundRequest,
  refundRequest,
} from '@aparta/provider-wire/clip';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import { dayOf } from '../clock.ts';
import { type Acquirer, changePayment, findPayment, refuse } from './acquirer.ts';
import type { Merchant } from './merchants.ts';
import {
  cancellationMs,
  type PaymentRow,
  presentRefund,
  refunded,
  refundLimitMs,
  type RefundRow,
} from './payment.ts';

const keyLifeMs = 60_000;

/**
 * POST /refunds. For a minute the same idempotency key gets the answer of the refund that it made.
 * Rules: https://developer.clip.mx/reference/introduccion-api-de-reembolsos
 */
export function createRefund(
  acquirer: Acquirer,
  merchant: Merchant,
  body: unknown,
  idempotencyKey: string | undefined,
): Answer {
  const now = acquirer.clock.now();
  const key = idempotencyKey === undefined ? undefined : `${merchant.id} ${idempotencyKey}`;
  const before = key === undefined ? undefined : acquirer.refundKeys.get(key);
  if (before !== undefined && now - before.at < keyLifeMs) return before.answer;

  const parsed = v.safeParse(refundRequest, body);
  if (!parsed.success)
    return refuse(
      400,
      'CL2200',
      parsed.issues.map((issue) => issue.message),
    );
  const row = refundable(acquirer, merchant, parsed.output);
  if (typeof row === 'string')
    return refuse(row === 'AI1300' || row === 'CL301' || row === 'AI1800' ? 404 : 409, row);

  const refund = addRefund(acquirer, row, parsed.output.amount, parsed.output.reason ?? null);
  const answer: Answer = { status: 201, body: presentRefund(refund) };
  if (key !== undefined) acquirer.refundKeys.put({ id: key, at: now, answer });
  return answer;
}

/** The payment that may be refunded by that amount, or why it may not. */
function refundable(
  acquirer: Acquirer,
  merchant: Merchant,
  { amount, reference }: RefundRequest,
): PaymentRow | ErrorCode {
  const row =
    reference.type === 'payment'
      ? findPayment(acquirer, merchant, reference.id)
      : acquirer.payments.all().find((one) => one.apiKey === merchant.id && one.receiptNo === reference.id);
  if (row === undefined) return reference.type === 'payment' ? 'CL301' : 'AI1300';
  const now = acquirer.clock.now();
  const wanted = centavosFromPesos(amount);
  if (!merchant.refunds) return 'AI1805';
  if (row.approvedAt === null || (row.status !== 'approved' && row.status !== 'refunded')) return 'AI1800';
  if (row.disputed) return 'AI1804';
  if ((row.request.installments ?? 1) > 1) return 'AI1806';
  if (now - row.approvedAt > refundLimitMs) return 'AI1803';
  if (wanted > row.capturedCentavos) return 'AI1801';
  if (wanted > row.capturedCentavos - row.refundedCentavos) return 'AI1802';
  return wanted > undeposited(acquirer, merchant, dayOf(now)) ? 'AI1400' : row;
}

/** Centavos sold that day less those refunded that day: what a refund is paid from. */
function undeposited(acquirer: Acquirer, merchant: Merchant, day: string): number {
  const sold = acquirer.payments
    .all()
    .filter((row) => row.apiKey === merchant.id && row.approvedAt !== null && dayOf(row.approvedAt) === day)
    .reduce((total, row) => total + row.capturedCentavos, 0);
  return acquirer.refunds
    .all()
    .filter((row) => row.apiKey === merchant.id && dayOf(row.createdAt) === day)
    .reduce((left, row) => left - row.amountCentavos, sold);
}

/** Refunds an amount in pesos without checking any rule. */
export function addRefund(
  acquirer: Acquirer,
  row: PaymentRow,
  amount: number,
  reason: string | null,
): RefundRow {
  const now = acquirer.clock.now();
  const amountCentavos = centavosFromPesos(amount);
  const refund = acquirer.refunds.put({
    id: randomUUID(),
    paymentId: row.id,
    apiKey: row.apiKey,
    amountCentavos,
    reason,
    createdAt: now,
    cancellation: now - (row.approvedAt ?? now) < cancellationMs,
  });
  changePayment(acquirer, refunded(row, amountCentavos));
  return refund;
}

/** GET /refunds/{id}: the newest, since cancellations carry the id of their payment. */
export function getRefund(acquirer: Acquirer, merchant: Merchant, id: string): Answer {
  const row = acquirer.refunds
    .all()
    .findLast((one) => one.apiKey === merchant.id && presentRefund(one).id === id);
  return row === undefined ? refuse(404, 'AI1300') : { status: 200, body: presentRefund(row) };
}
