import { type Centavos, centavos } from '@aparta/domain/money';
import { pesosFromCentavos, statusDetails, openModal } from '@aparta/provider-wire/clip';
import type { CreatePaymentRequest, Payment, PaymentStatus, Refund } from '@aparta/provider-wire/clip';
import type { Outcome, TestCard } from './cards.ts';

/** What a card token stands for. The number itself is not kept. */
export type CardToken = {
  id: string;
  apiKey: string;
  card: Omit<TestCard, 'number' | 'label'>;
  bin: string;
  lastDigits: string;
  holder: string;
  createdAt: number;
  usedAt: number | null;
};

/** When a pending payment is approved by itself. */
type Due = { at: number };

export type PaymentRow = {
  id: string;
  apiKey: string;
  createdAt: number;
  status: PaymentStatus;
  detail: string;
  amountCentavos: Centavos;
  capturedCentavos: Centavos;
  refundedCentavos: Centavos;
  approvedAt: number | null;
  receiptNo: string;
  disputed: boolean;
  /** While 3DS is pending: what the bank does with the buyer's answer. */
  challenge: 'obeysButton' | 'rejects' | null;
  /** Null: it waits for somebody. */
  due: Due | null;
  token: CardToken;
  request: CreatePaymentRequest;
};

export type RefundRow = {
  id: string;
  paymentId: string;
  apiKey: string;
  amountCentavos: Centavos;
  reason: string | null;
  createdAt: number;
  /** Within 24 h of the payment: a cancellation, which carries the payment's id. */
  cancellation: boolean;
};

export const tokenLifeMs = 15 * 60_000;
export const refundLimitMs = 180 * 24 * 3_600_000;
export const cancellationMs = 24 * 3_600_000;

/** A new payment as the card's outcome leaves it. `waits` in milliseconds. */
export function newPayment(
  at: { id: string; now: number; receiptNo: string },
  token: CardToken,
  request: CreatePaymentRequest,
  amount: Centavos,
  waits: { approveLaterMs: number; approveAloneMs: number },
): PaymentRow {
  const row: PaymentRow = {
    id: at.id,
    apiKey: token.apiKey,
    createdAt: at.now,
    status: 'pending',
    detail: 'PE-3DS01',
    amountCentavos: amount,
    capturedCentavos: centavos(0),
    refundedCentavos: centavos(0),
    approvedAt: null,
    receiptNo: at.receiptNo,
    disputed: false,
    challenge: null,
    due: null,
    token,
    request,
  };
  return applyOutcome(row, token.card.outcome, at.now, waits);
}

function applyOutcome(
  row: PaymentRow,
  outcome: Outcome,
  now: number,
  waits: { approveLaterMs: number; approveAloneMs: number },
): PaymentRow {
  switch (outcome.kind) {
    case 'approve': {
      const isPlain = outcome.extraCentavos === undefined && outcome.detail === undefined;
      // With `request_3ds` the bank identifies the buyer where it would have approved at once.
      if (isPlain && row.request.prevention_data?.request_3ds === true) return challenged(row, 'obeysButton');
      const amountCentavos = centavos(row.amountCentavos + (outcome.extraCentavos ?? 0));
      return approved({ ...row, amountCentavos }, now, outcome.detail);
    }
    case 'approveUnheard':
      return approved(row, now);
    case 'authorize':
      return { ...row, status: 'authorized', detail: 'AU-CAP01' };
    case 'reject':
      return rejected(row, outcome.detail);
    case 'threeDs':
      return {
        ...challenged(row, outcome.bank === 'rejects' ? 'rejects' : 'obeysButton'),
        due: outcome.bank === 'approvesAlone' ? { at: now + waits.approveAloneMs } : null,
      };
    case 'approveLater':
      // An undocumented detail code, with nothing for the buyer to do.
      return { ...row, detail: 'PE-PRO01', due: { at: now + waits.approveLaterMs } };
    case 'vanish':
    case 'fail':
      throw new Error(`${outcome.kind} makes no payment`);
  }
}

/** The bank's window opens; in binary mode, what would need the buyer is rejected at once. */
function challenged(row: PaymentRow, challenge: NonNullable<PaymentRow['challenge']>): PaymentRow {
  return row.request.binary_mode === true ? rejected(row, 'RE-3DS01') : { ...row, challenge };
}

export function approved(row: PaymentRow, now: number, detail = 'AP-PAI01'): PaymentRow {
  const capturedCentavos = row.amountCentavos;
  return {
    ...row,
    status: 'approved',
    detail,
    capturedCentavos,
    approvedAt: now,
    challenge: null,
    due: null,
  };
}

export function rejected(row: PaymentRow, detail: string): PaymentRow {
  return { ...row, status: 'rejected', detail, challenge: null, due: null };
}

/** A cancel by the merchant in Clip's panel; what was captured goes back. */
export function cancelled(row: PaymentRow): PaymentRow {
  const refundedCentavos = row.capturedCentavos;
  return { ...row, status: 'cancelled', detail: 'CA-MER01', refundedCentavos, challenge: null, due: null };
}

export function refunded(row: PaymentRow, amount: Centavos): PaymentRow {
  const refundedCentavos = centavos(row.refundedCentavos + amount);
  return refundedCentavos === row.capturedCentavos
    ? { ...row, refundedCentavos, status: 'refunded', detail: 'RE-REF01' }
    : { ...row, refundedCentavos, detail: 'AP-REF01' };
}

const instant = (moment: number): string => new Date(moment).toISOString();

/** The payment as Clip's GET answers it. */
export function presentPayment(row: PaymentRow, refunds: RefundRow[], threeDsOrigin: string): Payment {
  const { request, token } = row;
  return {
    id: row.id,
    amount: pesosFromCentavos(row.amountCentavos),
    paid_amount: pesosFromCentavos(row.capturedCentavos),
    captured_amount: pesosFromCentavos(row.capturedCentavos),
    amount_refunded: pesosFromCentavos(row.refundedCentavos),
    // Clip's commission of 3.6 % and its IVA, with more than two decimals, like the real one.
    net_amount: pesosFromCentavos(row.capturedCentavos) * (1 - 0.036 * 1.16),
    tip_amount: request.tip_amount ?? 0,
    installments: request.installments ?? 1,
    capture_method: request.capture_method ?? 'automatic',
    currency: 'MXN',
    country: 'MX',
    status: row.status,
    status_detail: {
      code: row.detail,
      message: (statusDetails as Record<string, string>)[row.detail] ?? row.detail,
    },
    pending_action:
      row.challenge === null ? {} : { type: openModal, url: `${threeDsOrigin}/challenge/${row.id}` },
    payment_method: {
      id: token.card.brand,
      type: token.card.type,
      token: token.id,
      card: {
        bin: token.bin,
        issuer: token.card.issuer,
        name: token.holder,
        country: token.card.country,
        last_digits: token.lastDigits,
      },
    },
    external_reference: request.external_reference ?? null,
    description: request.description ?? null,
    customer: request.customer,
    webhook_url: request.webhook_url ?? null,
    receipt_no: row.receiptNo,
    refunds: refunds.map(presentRefund),
    created_at: instant(row.createdAt),
    approved_at: row.approvedAt === null ? null : instant(row.approvedAt),
  };
}

export function presentRefund(row: RefundRow): Refund {
  return {
    id: row.cancellation ? row.paymentId : row.id,
    status: 'approved',
    status_message: row.cancellation ? 'cancelled' : 'refunded',
    amount: pesosFromCentavos(row.amountCentavos),
    currency: 'MXN',
    reason: row.reason,
    reference: { type: 'payment', id: row.paymentId },
    created_at: instant(row.createdAt),
  };
}
