import { pesosToCentavos, zero } from '@aparta/domain/money';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { milliseconds, read } from '../control.ts';
import type { Counter } from './counter.ts';
import { type CashNetwork, presentOperation } from './network.ts';
import type { CashNotices } from './notices.ts';
import { setTokens } from './sign-in.ts';

type Deps = { network: CashNetwork; notices: CashNotices; counter: Counter };

const pesos = v.pipe(
  v.number(),
  v.check((amount) => pesosToCentavos(amount) !== undefined, 'not pesos with at most 2 decimals'),
  v.transform((amount) => pesosToCentavos(amount) ?? zero),
);
const mode = {
  drop: v.exactOptional(v.boolean()),
  copies: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  delayMs: v.exactOptional(milliseconds),
  hold: v.exactOptional(v.boolean()),
};
const notice = v.optional(v.object(mode), {});
const payBody = v.object({
  reference: v.string(),
  amount: v.optional(pesos),
  currency: v.optional(v.string()),
  status: v.optional(v.picklist(['confirmed', 'failed'])),
  paidAt: v.optional(
    v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.transform((moment) => Date.parse(moment)),
    ),
  ),
  store: v.optional(v.string()),
  agent: v.optional(v.string()),
  notice,
});
const moveBody = v.variant('move', [
  v.object({ move: v.picklist(['repeat', 'reverse']), notice }),
  v.object({ move: v.literal('alter'), amount: v.optional(pesos), notice }),
]);

/** The stores as tests drive them. Listed in the README. */
export function mountCashControl(app: FastifyInstance, { network, notices, counter }: Deps): void {
  app.get('/control/cash', () => ({
    signIns: network.tokens.count(),
    references: network.references.all(),
    operations: network.operations.all().map((row) => presentOperation(network, row)),
    notices: notices.notices.all(),
    mode: notices.mode(),
  }));

  app.post('/control/cash/pay', (request, reply) => {
    const body = read(payBody, request.body, reply);
    if (body === undefined) return reply;
    const { amount, notice: how, ...payment } = body;
    if (amount === undefined && network.references.get(payment.reference) === undefined)
      return reply.code(404).send({ message: 'no such reference, and no amount' });
    return counter.pay({ ...payment, amountCentavos: amount }, how);
  });

  app.post<{ Params: { id: string } }>('/control/cash/operations/:id', (request, reply) => {
    const body = read(moveBody, request.body, reply);
    if (body === undefined) return reply;
    const { id } = request.params;
    const changed =
      body.move === 'alter'
        ? counter.alter(id, body.amount, body.notice)
        : counter[body.move](id, body.notice);
    return changed ?? reply.code(404).send({ message: 'no such operation, or nothing left to take back' });
  });

  app.post('/control/cash/notices', (request, reply) => {
    const body = read(v.object(mode), request.body, reply);
    if (body === undefined) return reply;
    notices.setMode(body);
    return notices.mode();
  });
  app.post('/control/cash/release', async (request, reply) => {
    const body = read(
      v.object({ order: v.optional(v.picklist(['same', 'reverse']), 'same') }),
      request.body,
      reply,
    );
    return body === undefined ? reply : { released: await notices.release(body.order) };
  });
  app.post('/control/cash/key', (request, reply) => {
    const body = read(v.object({ key: v.string() }), request.body, reply);
    if (body === undefined) return reply;
    notices.setKey(body.key);
    return body;
  });
  app.post('/control/cash/tokens', (request, reply) => {
    const body = read(
      v.object({ lifeMs: v.optional(milliseconds), endAll: v.optional(v.boolean()) }),
      request.body,
      reply,
    );
    if (body === undefined) return reply;
    setTokens(network, body);
    return body;
  });
}
