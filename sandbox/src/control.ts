import type { FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import { type Acquirer, decideDue, presentPaymentOf, resetAcquirer } from './card/acquirer.ts';
import { isCardNumber } from './card/cards.ts';
import { createToken } from './card/charges.ts';
import { type Faults, faultyCalls } from './faults.ts';
import { demoMerchants } from './card/merchants.ts';
import { movePayment } from './card/panel.ts';
import type { Webhooks, WebhookMode, WebhookTry } from './card/webhooks.ts';
import type { Clock } from './clock.ts';
import type { Journal, Table } from './journal.ts';
import type { Email } from './email/smtp.ts';

type Deps = {
  journal: Journal;
  acquirer: Acquirer;
  faults: Faults;
  webhooks: Webhooks;
  webhookTries: Table<WebhookTry>;
  emails: Table<Email>;
  clock: Clock;
  origins: { product: string };
  /** Resets what is not kept in the journal. */
  onReset: () => void;
};

export const milliseconds = v.pipe(v.number(), v.integer());
const faultBody = v.object({
  call: v.picklist(faultyCalls),
  kind: v.picklist([
    'unreachable',
    'lost',
    'status',
    'malformed',
    'undated',
    'slowWork',
    'slowReply',
    'hold',
  ]),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  apiKey: v.optional(v.string()),
  status: v.optional(v.pipe(v.number(), v.minValue(200), v.maxValue(599))),
  body: v.optional(v.unknown()),
  delayMs: v.optional(milliseconds),
});
const webhookBody = v.object({
  drop: v.optional(v.boolean(), false),
  copies: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  delayMs: v.optional(milliseconds),
});
const merchantBody = v.object({
  apiKey: v.string(),
  secret: v.string(),
  name: v.optional(v.string(), 'Comercio de prueba'),
  refunds: v.optional(v.boolean(), true),
});
const tokenBody = v.object({
  number: v.pipe(v.string(), v.check(isCardNumber, 'not a card number')),
  apiKey: v.optional(v.string(), demoMerchants[0]?.id ?? ''),
  holder: v.optional(v.string(), 'Ana Torres'),
});
const moveBody = v.variant('move', [
  v.object({ move: v.picklist(['approve', 'cancel', 'dispute']) }),
  v.object({ move: v.literal('reject'), detail: v.optional(v.string()) }),
  v.object({ move: v.literal('refund'), amount: v.number() }),
]);

/** Reads a body; undefined when it was refused with 400. */
export function read<S extends v.GenericSchema>(
  schema: S,
  body: unknown,
  reply: FastifyReply,
): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(schema, body ?? {});
  if (!parsed.success) void reply.code(400).send({ message: v.summarize(parsed.issues) });
  return parsed.success ? parsed.output : undefined;
}

/** For tests only: the clock, and faults that no card number can express. Listed in the README. */
export function mountControl(app: FastifyInstance, deps: Deps): void {
  const { journal, acquirer, faults, webhooks, webhookTries, emails, clock, origins, onReset } = deps;
  const firstMode: WebhookMode = { ...webhooks.mode };

  app.post('/control/reset', () => {
    faults.clear();
    Object.assign(webhooks.mode, firstMode);
    clock.reset();
    journal.clear();
    resetAcquirer(acquirer);
    onReset();
    return { ok: true };
  });

  app.post('/control/faults', (request, reply) => {
    const fault = read(faultBody, request.body, reply);
    if (fault === undefined) return reply;
    faults.add(fault);
    return { faults: faults.all() };
  });
  app.get('/control/faults', () => ({ faults: faults.all() }));
  app.delete('/control/faults', () => {
    faults.clear();
    return { faults: [] };
  });
  app.post('/control/release', () => ({ released: faults.release() }));

  app.post('/control/webhooks', (request, reply) => {
    const mode = read(webhookBody, request.body, reply);
    if (mode === undefined) return reply;
    return Object.assign(webhooks.mode, firstMode, { ...mode, delayMs: mode.delayMs ?? firstMode.delayMs });
  });
  app.get('/control/webhooks', () => ({ mode: webhooks.mode, tries: webhookTries.all() }));

  app.post('/control/list', (request, reply) => {
    const lag = read(v.object({ lagMs: milliseconds }), request.body, reply);
    if (lag === undefined) return reply;
    acquirer.listLagMs = lag.lagMs;
    return lag;
  });

  app.get('/control/clock', () => ({ now: new Date(clock.now()).toISOString() }));
  app.post('/control/clock', (request, reply) => {
    const move = read(v.object({ advanceMs: milliseconds }), request.body, reply);
    if (move === undefined) return reply;
    clock.advance(move.advanceMs);
    decideDue(acquirer);
    return { now: new Date(clock.now()).toISOString() };
  });

  // The oracle: every attempt to charge, and every payment that came of it, newest last.
  app.get<{ Querystring: { externalReference?: string } }>('/control/log', (request) => {
    const { externalReference } = request.query;
    const fits = (reference: string | null | undefined) =>
      externalReference === undefined || reference === externalReference;
    return {
      attempts: acquirer.attempts.all().filter((attempt) => fits(attempt.externalReference)),
      payments: acquirer.payments
        .all()
        .filter((row) => fits(row.request.external_reference))
        .map((row) => presentPaymentOf(acquirer, row)),
    };
  });

  app.post('/control/merchants', (request, reply) => {
    const merchant = read(merchantBody, request.body, reply);
    if (merchant === undefined) return reply;
    const { apiKey, ...rest } = merchant;
    return acquirer.merchants.put({ id: apiKey, ...rest });
  });
  app.post('/control/tokens', (request, reply) => {
    const card = read(tokenBody, request.body, reply);
    return card === undefined ? reply : { id: createToken(acquirer, card).id };
  });
  app.post<{ Params: { id: string } }>('/control/payments/:id', (request, reply) => {
    const move = read(moveBody, request.body, reply);
    if (move === undefined) return reply;
    return (
      movePayment(acquirer, request.params.id, move) ?? reply.code(404).send({ message: 'no such payment' })
    );
  });

  app.get<{ Querystring: { to?: string } }>('/control/emails', (request) => ({
    emails: emails
      .all()
      .filter((email) => request.query.to === undefined || email.to.includes(request.query.to)),
  }));

  app.post('/control/product', (request, reply) => {
    const product = read(v.object({ origin: v.pipe(v.string(), v.url()) }), request.body, reply);
    if (product === undefined) return reply;
    origins.product = new URL(product.origin).origin;
    return product;
  });
}
