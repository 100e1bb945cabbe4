import { randomUUID } from 'node:crypto';
import { centavosFromPesos, createPaymentRequest } from '@aparta/provider-wire/clip';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import { type Acquirer, type ChargeAttempt, decideDue, presentPaymentOf, refuse } from './acquirer.ts';
import { cardOf } from './cards.ts';
import type { Merchant } from './merchants.ts';
import { type CardToken, newPayment, tokenLifeMs } from './payment.ts';

/** A card token, single use, for 15 minutes. The number must have passed the Luhn check. */
export function createToken(
  acquirer: Acquirer,
  card: { apiKey: string; number: string; holder: string },
): CardToken {
  const { number: _number, label: _label, ...face } = cardOf(card.number);
  return acquirer.tokens.put({
    id: randomUUID(),
    apiKey: card.apiKey,
    card: face,
    bin: card.number.slice(0, 6),
    lastDigits: card.number.slice(-4),
    holder: card.holder,
    createdAt: acquirer.clock.now(),
    usedAt: null,
  });
}

/** Writes down one POST /payments, whatever came of it. */
export function recordAttempt(
  acquirer: Acquirer,
  apiKey: string,
  body: unknown,
  outcome: string,
  more: Partial<ChargeAttempt> = {},
): void {
  const { external_reference: reference, amount } = Object(body) as Record<string, unknown>;
  acquirer.attempts.put({
    id: randomUUID(),
    at: acquirer.clock.now(),
    apiKey,
    externalReference: typeof reference === 'string' ? reference : null,
    amount: typeof amount === 'number' ? amount : null,
    lastDigits: null,
    paymentId: null,
    outcome,
    ...more,
  });
}

/** POST /payments. Not idempotent, like the real one: every call with a fresh token charges. */
export function createPayment(acquirer: Acquirer, merchant: Merchant, body: unknown): Answer {
  const parsed = v.safeParse(createPaymentRequest, body);
  if (!parsed.success) {
    recordAttempt(acquirer, merchant.id, body, 'invalid request');
    return refuse(
      400,
      'CL2200',
      parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
    );
  }
  const request = parsed.output;
  const token = acquirer.tokens.get(request.payment_method.token);
  const now = acquirer.clock.now();
  if (token?.apiKey !== merchant.id || token.usedAt !== null || now - token.createdAt > tokenLifeMs) {
    recordAttempt(acquirer, merchant.id, body, 'card token unknown, used or expired');
    return refuse(400, 'CL2200', ['payment_method.token: unknown, used or expired']);
  }
  acquirer.tokens.put({ ...token, usedAt: now });

  const { outcome } = token.card;
  const { lastDigits } = token;
  if (outcome.kind === 'vanish') {
    recordAttempt(acquirer, merchant.id, body, 'not charged, no answer', { lastDigits });
    return { status: 500, body: null, reply: 'lost' };
  }
  if (outcome.kind === 'fail') {
    recordAttempt(acquirer, merchant.id, body, `not charged, ${outcome.status}`, { lastDigits });
    const answer = refuse(outcome.status, outcome.code);
    return outcome.status === 429 ? { ...answer, retryAfterS: 5 } : answer;
  }

  const receiptNo = `SB${String(acquirer.payments.count() + 1).padStart(8, '0')}`;
  const at = { id: randomUUID(), now, receiptNo };
  const row = acquirer.payments.put(
    newPayment(at, token, request, centavosFromPesos(request.amount), acquirer.waits),
  );
  recordAttempt(acquirer, merchant.id, body, row.status, { lastDigits, paymentId: row.id });
  acquirer.webhooks.notify(row.id, request.webhook_url, 'INSERT');
  if (row.due !== null) decideDue(acquirer);

  const answer: Answer = { status: 201, body: presentPaymentOf(acquirer, row) };
  if (outcome.kind !== 'approveUnheard') return answer;
  return {
    ...answer,
    reply: outcome.reply === 'late' ? { afterMs: acquirer.waits.lateReplyMs } : outcome.reply,
  };
}
