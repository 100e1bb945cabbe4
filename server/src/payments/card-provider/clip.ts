import {
  type CreatePaymentRequest,
  centavosFromPesos,
  openModal,
  type Payment,
  payment as paymentSchema,
  paymentList,
  paymentStatuses,
  pesosFromCentavos,
  type Refund,
  refund as refundSchema,
  type RefundRequest,
} from '@aparta/provider-wire/clip';
import type { HttpClient, ProviderAnswer, ProviderFailure } from '../../platform/http-client.ts';
import { readMoment } from '../../platform/moments.ts';
import type {
  CardCredential,
  CardProvider,
  ChargeRequest,
  NoAnswer,
  ProviderPayment,
  RefundOutcome,
} from './port.ts';

const MOST_PAGES = 40;

/**
 * The adapter of Clip (rules/providers#clip-payments). POST /payments has no idempotency key: it is sent once and never again.
 * Whether an answer is money is decided in `cards/observe.ts`.
 */
export function clip(options: {
  baseUrl: string;
  http: HttpClient;
  chargeTimeoutMs: number;
  readTimeoutMs: number;
  /** Hashes what identifies a card; its digits do not leave this file. */
  fingerprintOf: (card: string) => Buffer;
}): CardProvider {
  const { baseUrl, http, chargeTimeoutMs, readTimeoutMs, fingerprintOf } = options;
  const inOurWords = (payment: Payment) => paymentInOurWords(payment, fingerprintOf);

  const read = async (credential: CardCredential, path: string) =>
    http.call({
      as: ['clip', 'find'],
      method: 'GET',
      url: baseUrl + path,
      headers: authorization(credential),
      reply: paymentSchema,
      timeoutMs: readTimeoutMs,
    });

  return {
    async charge(credential, request) {
      const answer = await http.call({
        as: ['clip', 'charge'],
        method: 'POST',
        url: `${baseUrl}/payments`,
        headers: { ...authorization(credential), 'x-request-id': request.requestId },
        body: chargeBody(request),
        reply: paymentSchema,
        timeoutMs: chargeTimeoutMs,
      });
      if (answer.kind === 'answer') return { kind: 'payment', payment: inOurWords(answer.body) };
      // Documented as surely not charged: 400, 401, 403, 422 (rules/card-attempts#observations). Any other refusal leaves it
      // open.
      if (answer.kind !== 'refused') return answer;
      const isSure = [400, 401, 403, 422].includes(answer.status);
      return { kind: isSure ? 'not_sent' : 'unreachable', why: unread(answer).why };
    },

    async find(credential, paymentId) {
      const answer = await read(credential, `/payments/${encodeURIComponent(paymentId)}`);
      if (answer.kind !== 'answer') return unread(answer);
      return answer.body.id === paymentId
        ? { kind: 'payment', payment: inOurWords(answer.body) }
        : { kind: 'unreachable', why: 'another payment than the one asked for' };
    },

    async list(credential, from, to) {
      const window = `from=${encodeURIComponent(from.toISOString())}&to=${encodeURIComponent(to.toISOString())}`;
      const payments = new Map<string, ProviderPayment>();
      let total: number | undefined;
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const answer = await http.call({
          as: ['clip', 'list'],
          method: 'GET',
          url: `${baseUrl}/payments?${window}&page=${page}`,
          headers: authorization(credential),
          reply: paymentList,
          timeoutMs: readTimeoutMs,
        });
        if (answer.kind !== 'answer') return unread(answer);
        const { pages, results } = answer.body;
        total ??= pages.total_results;
        if (pages.total_results !== total)
          return { kind: 'unreachable', why: 'the list grew while it was read' };
        for (const result of results) payments.set(result.id, inOurWords(result));
        if (page >= pages.total) {
          // A list that is not whole proves nothing.
          return payments.size === total
            ? { kind: 'payments', payments: [...payments.values()], at: answer.at }
            : { kind: 'unreachable', why: 'the list is not whole' };
        }
      }
      return { kind: 'unreachable', why: 'the list has too many pages' };
    },

    async refund(credential, request) {
      const body: RefundRequest = {
        amount: pesosFromCentavos(request.amountCentavos),
        reason: request.reason,
        reference: request.of,
      };
      const answer = await http.call({
        as: ['clip', 'refund'],
        method: 'POST',
        url: `${baseUrl}/refunds`,
        headers: { ...authorization(credential), 'idempotency-key': request.idempotencyKey },
        body,
        reply: refundSchema,
        timeoutMs: readTimeoutMs,
      });
      return refundOutcome(answer, request.of);
    },
  };
}

function chargeBody(request: ChargeRequest): CreatePaymentRequest {
  return {
    amount: pesosFromCentavos(request.amountCentavos),
    currency: 'MXN',
    payment_method: { token: request.token },
    description: request.description.slice(0, 255),
    external_reference: request.attemptId,
    capture_method: 'automatic',
    tip_amount: 0,
    customer: {
      email: request.customer.email,
      phone: request.customer.phone,
      address: {
        street: request.customer.street.slice(0, 120),
        number: request.customer.number,
        postal_code: request.customer.postalCode,
      },
    },
    prevention_data: {
      ...(request.sessionId === undefined
        ? {}
        : { session_id: request.sessionId, device_finger_print_token: request.sessionId }),
      ...(request.userAgent === undefined ? {} : { user_agent: request.userAgent }),
      ...(request.request3ds ? { request_3ds: true } : {}),
    },
    webhook_url: request.webhookUrl,
  };
}

function refundOutcome(answer: ProviderAnswer<Refund>, of: RefundRequest['reference']): RefundOutcome {
  switch (answer.kind) {
    case 'answer': {
      const { id: refundId, status, amount, currency, reference } = answer.body;
      // Nobody knows what went back, so it is not asked for again automatically.
      if ((currency ?? 'MXN') !== 'MXN') return { kind: 'refused', code: 'another currency' };
      if (reference?.type === of.type && reference.id !== of.id)
        return { kind: 'refused', code: 'another payment' };
      if (status === 'approved')
        return { kind: 'approved', refundId, amountCentavos: centavosFromPesos(amount) };
      // An undocumented status may mean that it is still coming: it is not asked for again automatically.
      return { kind: status === 'declined' ? 'declined' : 'refused', code: status };
    }
    case 'refused':
      if (answer.status === 401 || answer.status === 403 || answer.code === 'CL1500')
        return { kind: 'unauthorised' };
      // AI1807: one is already in process; whether it is ours is read from the payment.
      if (answer.code === 'AI1807') return { kind: 'unreachable', why: 'AI1807' };
      return { kind: 'refused', code: answer.code ?? String(answer.status) };
    case 'not_sent':
      // Nothing was sent: asked again later, like a decline.
      return { kind: 'declined', code: answer.why };
    case 'unreachable':
      return { kind: 'unreachable', why: answer.why };
  }
}

function authorization({ publicKey, secret }: CardCredential): Record<string, string> {
  // Test keys have no secret half; Clip takes them as a bearer token.
  return {
    authorization:
      secret === ''
        ? `Bearer ${publicKey}`
        : `Basic ${Buffer.from(`${publicKey}:${secret}`).toString('base64')}`,
  };
}

/** A failed read says nothing about money, whatever its status. */
function unread(failure: ProviderFailure): NoAnswer {
  return {
    kind: 'unreachable',
    why: failure.kind === 'refused' ? `${failure.status} ${failure.code ?? ''}`.trim() : failure.why,
  };
}

function paymentInOurWords(payment: Payment, fingerprintOf: (card: string) => Buffer): ProviderPayment {
  const status = paymentStatuses.find((known) => known === payment.status) ?? 'other';
  const { type, url } = payment.pending_action ?? {};
  const brand = payment.payment_method?.id ?? undefined;
  const { bin, last_digits: last4 } = payment.payment_method?.card ?? {};
  return {
    id: payment.id,
    status,
    detailCode: payment.status_detail?.code ?? '',
    amountCentavos: centavosFromPesos(payment.amount),
    currency: payment.currency ?? '',
    externalReference: payment.external_reference ?? undefined,
    refundedCentavos: centavosFromPesos(payment.amount_refunded ?? 0),
    threeDsUrl: type === openModal && typeof url === 'string' ? url : undefined,
    cardType: payment.payment_method?.type ?? undefined,
    cardBrand: brand,
    cardLast4: last4 && /^\d{4}$/.test(last4) ? last4 : undefined,
    cardFingerprint: bin && last4 ? fingerprintOf(JSON.stringify([brand, bin, last4])) : undefined,
    receipt: payment.receipt_no?.toString(),
    approvedAt: readMoment(payment.approved_at),
  };
}
