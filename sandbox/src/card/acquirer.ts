import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import {
  centavosFromPesos,
  createPaymentRequest,
  type ErrorCode,
  errorCodes,
  pesosFromCentavos,
  refundRequest,
} from '@aparta/provider-wire/clip';
import type { Payment, PaymentList, RefundRequest } from '@aparta/provider-wire/clip';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import { type Clock, dayOf } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';
import { cardOf } from './cards.ts';
import { demoMerchants, type Merchant } from './merchants.ts';
import {
  approved,
  cancellationMs,
  cancelled,
  type CardToken,
  newPayment,
  type PaymentRow,
  presentPayment,
  presentRefund,
  refunded,
  refundLimitMs,
  type RefundRow,
  rejected,
  tokenLifeMs,
} from './payment.ts';
import type { Webhooks } from './webhooks.ts';

/** One POST /payments that reached us, whatever came of it: the oracle of what was charged. */
export type ChargeAttempt = {
  id: string;
  at: number;
  apiKey: string;
  externalReference: string | null;
  amount: number | null;
  lastDigits: string | null;
  paymentId: string | null;
  /** The payment's status, or why there is none. */
  outcome: string;
};

export type Waits = {
  webhookMs: number;
  /** Card "in process". */
  approveLaterMs: number;
  /** 3DS that the bank approves without the buyer. */
  approveAloneMs: number;
  /** Card "answers late". */
  lateReplyMs: number;
};

export type PaymentMove =
  | { move: 'approve' | 'cancel' | 'dispute' }
  | { move: 'reject'; detail?: string | undefined }
  | { move: 'refund'; amount: number };

export type Acquirer = ReturnType<typeof createAcquirer>;

const pageSize = 50;
const refundKeyLifeMs = 60_000;

type Deps = {
  journal: Journal;
  clock: Clock;
  webhooks: Webhooks;
  waits: Waits;
  origins: { threeDs: string };
};

/** The card acquirer: merchants, card tokens, payments and refunds over one journal. */
export function createAcquirer({ journal, clock, webhooks, waits, origins }: Deps) {
  const merchants: Table<Merchant> = journal.table('merchants');
  const tokens: Table<CardToken> = journal.table('tokens');
  const payments: Table<PaymentRow> = journal.table('payments');
  const refunds: Table<RefundRow> = journal.table('refunds');
  const attempts: Table<ChargeAttempt> = journal.table('chargeAttempts');
  const refundKeys: Table<{ id: string; at: number; answer: Answer }> = journal.table('refundKeys');

  let listLagMs = 0;
  let timer: NodeJS.Timeout | undefined;
  open();

  /** The demo merchants exist from the start; approvals that were due when we stopped happen now. */
  function open(): void {
    for (const merchant of demoMerchants)
      if (merchants.get(merchant.id) === undefined) merchants.put(merchant);
    decideDue();
  }

  function present(row: PaymentRow): Payment {
    const own = refunds.all().filter((one) => one.paymentId === row.id);
    return presentPayment(row, own, origins.threeDs);
  }

  function change(row: PaymentRow): PaymentRow {
    payments.put(row);
    webhooks.notify(row.id, row.request.webhook_url, 'UPDATE');
    return row;
  }

  /** Approves what was due by now and sets the clock for what is due next. */
  function decideDue(): void {
    clearTimeout(timer);
    const waiting = payments.all().filter((row) => row.status === 'pending' && row.due !== null);
    const now = clock.now();
    let next = Infinity;
    for (const row of waiting) {
      if (row.due !== null && row.due.at > now) next = Math.min(next, row.due.at);
      else change(approved(row, now));
    }
    if (next < Infinity) timer = setTimeout(decideDue, Math.min(next - now, 2 ** 31 - 1)).unref();
  }

  /** A card token, single use, for 15 minutes. The number must have passed the Luhn check. */
  function createToken(card: { apiKey: string; number: string; holder: string }): CardToken {
    const { number: _number, label: _label, ...face } = cardOf(card.number);
    return tokens.put({
      id: randomUUID(),
      apiKey: card.apiKey,
      card: face,
      bin: card.number.slice(0, 6),
      lastDigits: card.number.slice(-4),
      holder: card.holder,
      createdAt: clock.now(),
      usedAt: null,
    });
  }

  /** Writes down a POST /payments that made no payment. */
  function recordAttempt(
    apiKey: string,
    body: unknown,
    outcome: string,
    more: Partial<ChargeAttempt> = {},
  ): void {
    const { external_reference: reference, amount } = Object(body) as Record<string, unknown>;
    attempts.put({
      id: randomUUID(),
      at: clock.now(),
      apiKey,
      externalReference: typeof reference === 'string' ? reference : null,
      amount: typeof amount === 'number' ? amount : null,
      lastDigits: null,
      paymentId: null,
      outcome,
      ...more,
    });
  }

  /** POST /payments. Has no idempotency, as the real one: every call with a fresh token charges. */
  function createPayment(merchant: Merchant, body: unknown): Answer {
    const parsed = v.safeParse(createPaymentRequest, body);
    if (!parsed.success) {
      recordAttempt(merchant.id, body, 'invalid request');
      return refuse(
        400,
        'CL2200',
        parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
      );
    }
    const request = parsed.output;
    const token = tokens.get(request.payment_method.token);
    const now = clock.now();
    if (token?.apiKey !== merchant.id || token.usedAt !== null || now - token.createdAt > tokenLifeMs) {
      recordAttempt(merchant.id, body, 'card token unknown, used or expired');
      return refuse(400, 'CL2200', ['payment_method.token: unknown, used or expired']);
    }
    tokens.put({ ...token, usedAt: now });

    const { outcome } = token.card;
    const { lastDigits } = token;
    if (outcome.kind === 'vanish') {
      recordAttempt(merchant.id, body, 'not charged, no answer', { lastDigits });
      return { status: 500, body: null, reply: 'lost' };
    }
    if (outcome.kind === 'fail') {
      recordAttempt(merchant.id, body, `not charged, ${outcome.status}`, { lastDigits });
      const answer = refuse(outcome.status, outcome.code);
      return outcome.status === 429 ? { ...answer, retryAfterS: 5 } : answer;
    }

    const receiptNo = `SB${String(payments.count() + 1).padStart(8, '0')}`;
    const at = { id: randomUUID(), now, receiptNo };
    const row = payments.put(newPayment(at, token, request, centavosFromPesos(request.amount), waits));
    recordAttempt(merchant.id, body, row.status, { lastDigits, paymentId: row.id });
    webhooks.notify(row.id, request.webhook_url, 'INSERT');
    if (row.due !== null) decideDue();

    const answer: Answer = { status: 201, body: present(row) };
    if (outcome.kind !== 'approveUnheard') return answer;
    return { ...answer, reply: outcome.reply === 'late' ? { afterMs: waits.lateReplyMs } : outcome.reply };
  }

  /** Somebody else's payment answers like one that does not exist. */
  function findPayment(merchant: Merchant, id: string): PaymentRow | undefined {
    const row = payments.get(id);
    return row?.apiKey === merchant.id ? row : undefined;
  }

  function getPayment(merchant: Merchant, id: string): Answer {
    const row = findPayment(merchant, id);
    return row === undefined ? refuse(404, 'CL301') : { status: 200, body: present(row) };
  }

  /** GET /payments: created within [from, to], newest first, pages of 50 from 1. */
  function listPayments(merchant: Merchant, query: Record<string, string | undefined>): Answer {
    const from = query.from === undefined ? 0 : Date.parse(query.from);
    const to = query.to === undefined ? Infinity : Date.parse(query.to);
    const page = Number(query.page ?? '1');
    if (Number.isNaN(from) || Number.isNaN(to) || !Number.isSafeInteger(page) || page < 1) {
      return refuse(400, 'CL2200', ['from, to: ISO instants; page: from 1']);
    }
    const visible = clock.now() - listLagMs;
    const found = payments
      .all()
      .filter((row) => row.apiKey === merchant.id && row.createdAt >= from && row.createdAt <= to)
      .filter((row) => listLagMs === 0 || row.createdAt <= visible)
      .reverse();
    const list: PaymentList = {
      pages: {
        size: pageSize,
        number: page,
        total: Math.ceil(found.length / pageSize),
        total_results: found.length,
      },
      results: found.slice((page - 1) * pageSize, page * pageSize).map(present),
    };
    return { status: 200, body: list };
  }

  /**
   * POST /refunds. An idempotency key lives one minute and answers what an accepted refund answered.
   * Rules: https://developer.clip.mx/reference/introduccion-api-de-reembolsos
   */
  function createRefund(merchant: Merchant, body: unknown, idempotencyKey: string | undefined): Answer {
    const now = clock.now();
    const key = idempotencyKey === undefined ? undefined : `${merchant.id} ${idempotencyKey}`;
    const before = key === undefined ? undefined : refundKeys.get(key);
    if (before !== undefined && now - before.at < refundKeyLifeMs) return before.answer;

    const parsed = v.safeParse(refundRequest, body);
    if (!parsed.success)
      return refuse(
        400,
        'CL2200',
        parsed.issues.map((issue) => issue.message),
      );
    const row = refundable(merchant, parsed.output);
    if (typeof row === 'string')
      return refuse(row === 'AI1300' || row === 'CL301' || row === 'AI1800' ? 404 : 409, row);

    const refund = addRefund(row, parsed.output.amount, parsed.output.reason ?? null);
    const answer: Answer = { status: 201, body: presentRefund(refund) };
    if (key !== undefined) refundKeys.put({ id: key, at: now, answer });
    return answer;
  }

  /** The payment that may be refunded by that amount, or why it may not. */
  function refundable(merchant: Merchant, { amount, reference }: RefundRequest): PaymentRow | ErrorCode {
    const row =
      reference.type === 'payment'
        ? findPayment(merchant, reference.id)
        : payments.all().find((one) => one.apiKey === merchant.id && one.receiptNo === reference.id);
    if (row === undefined) return reference.type === 'payment' ? 'CL301' : 'AI1300';
    const now = clock.now();
    const wanted = centavosFromPesos(amount);
    if (!merchant.refunds) return 'AI1805';
    if (row.approvedAt === null || (row.status !== 'approved' && row.status !== 'refunded')) return 'AI1800';
    if (row.disputed) return 'AI1804';
    if ((row.request.installments ?? 1) > 1) return 'AI1806';
    if (now - row.approvedAt > refundLimitMs) return 'AI1803';
    if (wanted > row.capturedCentavos) return 'AI1801';
    if (wanted > row.capturedCentavos - row.refundedCentavos) return 'AI1802';
    return wanted > undeposited(merchant, dayOf(now)) ? 'AI1400' : row;
  }

  /** Centavos sold that day less those refunded that day: what a refund is paid from. */
  function undeposited(merchant: Merchant, day: string): number {
    const sold = payments
      .all()
      .filter((row) => row.apiKey === merchant.id && row.approvedAt !== null && dayOf(row.approvedAt) === day)
      .reduce((total, row) => total + row.capturedCentavos, 0);
    return refunds
      .all()
      .filter((row) => row.apiKey === merchant.id && dayOf(row.createdAt) === day)
      .reduce((left, row) => left - row.amountCentavos, sold);
  }

  function addRefund(row: PaymentRow, amount: number, reason: string | null): RefundRow {
    const now = clock.now();
    const amountCentavos = centavosFromPesos(amount);
    const refund = refunds.put({
      id: randomUUID(),
      paymentId: row.id,
      apiKey: row.apiKey,
      amountCentavos,
      reason,
      createdAt: now,
      cancellation: now - (row.approvedAt ?? now) < cancellationMs,
    });
    change(refunded(row, amountCentavos));
    return refund;
  }

  /** GET /refunds/{id}: the newest one that carries that id. */
  function getRefund(merchant: Merchant, id: string): Answer {
    const row = refunds.all().findLast((one) => one.apiKey === merchant.id && presentRefund(one).id === id);
    return row === undefined ? refuse(404, 'AI1300') : { status: 200, body: presentRefund(row) };
  }

  /** The buyer's answer in the bank's window. Undefined = no such payment; a settled one stays as it is. */
  function answerChallenge(id: string, approve: boolean): PaymentRow | undefined {
    const row = payments.get(id);
    if (row === undefined || row.status !== 'pending' || row.challenge === null) return row;
    const accepted = approve && row.challenge === 'obeysButton';
    return change(accepted ? approved(row, clock.now()) : rejected(row, 'RE-3DS01'));
  }

  /** What the merchant or the bank does outside of the API. No rule is checked but the sums. */
  function movePayment(id: string, move: PaymentMove): Payment | undefined {
    const row = payments.get(id);
    if (row === undefined) return undefined;
    if (move.move === 'approve') change(approved(row, clock.now()));
    if (move.move === 'reject') change(rejected(row, move.detail ?? 'RE-ISS02'));
    if (move.move === 'cancel') change(cancelled(row));
    if (move.move === 'dispute') payments.put({ ...row, disputed: true });
    if (move.move === 'refund')
      addRefund(row, Math.min(move.amount, pesosFromCentavos(remaining(row))), 'panel');
    return present(payments.get(id) ?? row);
  }

  const remaining = (row: PaymentRow) => centavos(row.capturedCentavos - row.refundedCentavos);

  return {
    merchants,
    payments,
    attempts,
    present,
    createToken,
    recordAttempt,
    createPayment,
    getPayment,
    listPayments,
    createRefund,
    getRefund,
    answerChallenge,
    movePayment,
    decideDue,
    /** Payments show in the list only that long after they were made. */
    setListLag(ms: number) {
      listLagMs = ms;
    },
    /** To be called after the journal was cleared. */
    reset() {
      listLagMs = 0;
      open();
    },
    close: () => clearTimeout(timer),
  };
}

export function refuse(status: number, code: ErrorCode | null, detail: string[] = []): Answer {
  const message = code === null ? 'error' : errorCodes[code];
  return { status, body: { error_code: code, message, detail } };
}
