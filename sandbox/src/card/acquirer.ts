import { type ErrorCode, errorCodes, type Payment, type PaymentList } from '@aparta/provider-wire/clip';
import type { Answer } from '../answer.ts';
import type { Clock } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';
import { demoMerchants, type Merchant } from './merchants.ts';
import { approved, type CardToken, type PaymentRow, presentPayment, type RefundRow } from './payment.ts';
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

type Deps = {
  journal: Journal;
  clock: Clock;
  webhooks: Webhooks;
  waits: Waits;
  origins: { threeDs: string };
};

/** The card acquirer: what it keeps in the journal, and what it needs to act. */
export type Acquirer = Omit<Deps, 'journal'> & {
  merchants: Table<Merchant>;
  tokens: Table<CardToken>;
  payments: Table<PaymentRow>;
  refunds: Table<RefundRow>;
  attempts: Table<ChargeAttempt>;
  refundKeys: Table<{ id: string; at: number; answer: Answer }>;
  /** Payments show in the list only that long after they were made. */
  listLagMs: number;
  /** Fires at the next approval that needs nobody. */
  timer: NodeJS.Timeout | undefined;
};

const pageSize = 50;

/** Opens the acquirer over a journal. Approvals that fell due while the sandbox was stopped happen now. */
export function openAcquirer({ journal, ...deps }: Deps): Acquirer {
  const acquirer: Acquirer = {
    ...deps,
    merchants: journal.table('merchants'),
    tokens: journal.table('tokens'),
    payments: journal.table('payments'),
    refunds: journal.table('refunds'),
    attempts: journal.table('chargeAttempts'),
    refundKeys: journal.table('refundKeys'),
    listLagMs: 0,
    timer: undefined,
  };
  resetAcquirer(acquirer);
  return acquirer;
}

/** Puts the demo merchants where they are missing. To be called after the journal was cleared. */
export function resetAcquirer(acquirer: Acquirer): void {
  acquirer.listLagMs = 0;
  for (const merchant of demoMerchants)
    if (acquirer.merchants.get(merchant.id) === undefined) acquirer.merchants.put(merchant);
  decideDue(acquirer);
}

export function closeAcquirer(acquirer: Acquirer): void {
  clearTimeout(acquirer.timer);
}

/** Approves what is due by now, and sets the timer for what is due next. */
export function decideDue(acquirer: Acquirer): void {
  clearTimeout(acquirer.timer);
  const now = acquirer.clock.now();
  let next = Infinity;
  for (const row of acquirer.payments.all()) {
    if (row.status !== 'pending' || row.due === null) continue;
    if (row.due.at > now) next = Math.min(next, row.due.at);
    else changePayment(acquirer, approved(row, now));
  }
  if (next < Infinity)
    acquirer.timer = setTimeout(() => decideDue(acquirer), Math.min(next - now, 2 ** 31 - 1)).unref();
}

/** A payment on the wire. */
export function presentPaymentOf(acquirer: Acquirer, row: PaymentRow): Payment {
  const own = acquirer.refunds.all().filter((one) => one.paymentId === row.id);
  return presentPayment(row, own, acquirer.origins.threeDs);
}

/** Saves a payment that changed, and notifies the product. */
export function changePayment(acquirer: Acquirer, row: PaymentRow): PaymentRow {
  acquirer.payments.put(row);
  acquirer.webhooks.notify(row.id, row.request.webhook_url, 'UPDATE');
  return row;
}

/** A merchant's own payment; another's is undefined, like one that does not exist. */
export function findPayment(acquirer: Acquirer, merchant: Merchant, id: string): PaymentRow | undefined {
  const row = acquirer.payments.get(id);
  return row?.apiKey === merchant.id ? row : undefined;
}

export function getPayment(acquirer: Acquirer, merchant: Merchant, id: string): Answer {
  const row = findPayment(acquirer, merchant, id);
  return row === undefined ? refuse(404, 'CL301') : { status: 200, body: presentPaymentOf(acquirer, row) };
}

/** GET /payments: created within [from, to], newest first, pages of 50 from 1. */
export function listPayments(
  acquirer: Acquirer,
  merchant: Merchant,
  query: Record<string, string | undefined>,
): Answer {
  const from = query.from === undefined ? 0 : Date.parse(query.from);
  const to = query.to === undefined ? Infinity : Date.parse(query.to);
  const page = Number(query.page ?? '1');
  if (Number.isNaN(from) || Number.isNaN(to) || !Number.isSafeInteger(page) || page < 1) {
    return refuse(400, 'CL2200', ['from, to: ISO instants; page: from 1']);
  }
  const visible = acquirer.clock.now() - acquirer.listLagMs;
  const found = acquirer.payments
    .all()
    .filter((row) => row.apiKey === merchant.id && row.createdAt >= from && row.createdAt <= to)
    .filter((row) => acquirer.listLagMs === 0 || row.createdAt <= visible)
    .reverse();
  const list: PaymentList = {
    pages: {
      size: pageSize,
      number: page,
      total: Math.ceil(found.length / pageSize),
      total_results: found.length,
    },
    results: found
      .slice((page - 1) * pageSize, page * pageSize)
      .map((row) => presentPaymentOf(acquirer, row)),
  };
  return { status: 200, body: list };
}

export function refuse(status: number, code: ErrorCode | null, detail: string[] = []): Answer {
  const message = code === null ? 'error' : errorCodes[code];
  return { status, body: { error_code: code, message, detail } };
}
