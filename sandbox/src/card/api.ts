import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerWith, deliver } from '../answer.ts';
import type { Faults, FaultyCall } from '../faults.ts';
import { type Acquirer, getPayment, listPayments, refuse } from './acquirer.ts';
import { createPayment, recordAttempt } from './charges.ts';
import { type Merchant, merchantOf } from './merchants.ts';
import { createRefund, getRefund } from './refunds.ts';

type Deps = { acquirer: Acquirer; faults: Faults; origins: { frame: string }; closing: AbortSignal };

const sdk = readFileSync(new URL('./clip-sdk.js', import.meta.url), 'utf8');

/** Clip's API (https://api.payclip.com) and its browser script (https://sdk.clip.mx/js/clip-sdk.js). */
export function mountCardApi(app: FastifyInstance, { acquirer, faults, origins, closing }: Deps): void {
  app.get('/js/clip-sdk.js', (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(sdk.replace('__FRAME_ORIGIN__', origins.frame)),
  );

  app.post('/payments', (request, reply) =>
    serve('createPayment', request, reply, (merchant) => createPayment(acquirer, merchant, request.body)),
  );
  app.get<{ Params: { id: string } }>('/payments/:id', (request, reply) =>
    serve('getPayment', request, reply, (merchant) => getPayment(acquirer, merchant, request.params.id)),
  );
  app.get<{ Querystring: Record<string, string> }>('/payments', (request, reply) =>
    serve('listPayments', request, reply, (merchant) => listPayments(acquirer, merchant, request.query)),
  );
  app.post('/refunds', (request, reply) =>
    serve('createRefund', request, reply, (merchant) => {
      const key = request.headers['idempotency-key'];
      return createRefund(acquirer, merchant, request.body, typeof key === 'string' ? key : undefined);
    }),
  );
  app.get<{ Params: { id: string } }>('/refunds/:id', (request, reply) =>
    serve('getRefund', request, reply, (merchant) => getRefund(acquirer, merchant, request.params.id)),
  );

  /** Authenticates, does the work between the faults that were asked for, and delivers its answer. */
  async function serve(
    call: FaultyCall,
    request: FastifyRequest,
    reply: FastifyReply,
    work: (merchant: Merchant) => Answer,
  ): Promise<void> {
    const merchant = merchantOf(request.headers.authorization, acquirer.merchants.get);
    if (merchant === undefined) return deliver(reply, refuse(401, 'CL1500'), closing);
    const fault = faults.take(call, merchant.id);
    if (call === 'createPayment' && (fault?.kind === 'unreachable' || fault?.kind === 'status'))
      recordAttempt(acquirer, merchant.id, request.body, `not charged, ${fault.kind}`);
    const between = { undone: refuse(500, null), held: faults.held, closing };
    await deliver(reply, await answerWith(fault, () => work(merchant), between), closing);
  }
}
