import { apiKeyHeader, tokenHeader } from '@aparta/provider-wire/tapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerWith, deliver } from '../answer.ts';
import type { Faults, FaultyCall } from '../faults.ts';
import { type CashNetwork, createReference, findOperation, findReference, refuse } from './network.ts';
import { refusalOf, signIn } from './sign-in.ts';

type Deps = { network: CashNetwork; faults: Faults; closing: AbortSignal };

/** Tapi's sign-in (https://login.tapila.cloud) and its API, on one address. */
export function mountCashApi(app: FastifyInstance, { network, faults, closing }: Deps): void {
  app.post('/login', (request, reply) =>
    serve('signIn', reply, () => signIn(network, header(request, apiKeyHeader), request.body)),
  );
  app.post('/reference', (request, reply) =>
    serve('createReference', reply, () => refused(request) ?? createReference(network, request.body)),
  );
  app.get<{ Params: { id: string } }>('/operation/:id', (request, reply) =>
    serve('findOperation', reply, () => refused(request) ?? findOperation(network, request.params.id)),
  );

  app.get<{ Params: { id: string } }>('/reference/:id', (request, reply) =>
    serve('findReference', reply, () => refused(request) ?? findReference(network, request.params.id)),
  );

  const refused = (request: FastifyRequest) =>
    refusalOf(network, header(request, apiKeyHeader), header(request, tokenHeader));

  async function serve(call: FaultyCall, reply: FastifyReply, work: () => Answer): Promise<void> {
    const between = { undone: refuse(500, 'INTERNAL'), held: faults.held, closing };
    await deliver(reply, await answerWith(faults.take(call), work, between), closing);
  }
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
