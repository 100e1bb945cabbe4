import { createHash } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';

import { Refusal } from '../refusal.ts';

export interface CalendarFeed {
  /** Whose calendar a code opens; undefined for one that was revoked, or that we did not write. */
  readonly ownerOf: (code: string) => Promise<number | undefined>;
  /** Their calendar, as RFC 5545 writes it. */
  readonly read: (buyerId: number) => Promise<string>;
}

/** Of one calendar at one server; programs look every few minutes at most. Counted in the process, as calls are. */
const READS = { points: 60, duration: 600 };

/**
 * Where a calendar program reads what its owner has to pay. The address is the secret: one that was revoked, or invented, is
 * answered as any that is not there.
 */
export function serveCalendar(
  app: FastifyInstance,
  { ownerOf, read }: CalendarFeed,
  within: <T>(request: FastifyRequest, act: () => Promise<T>) => Promise<T>,
): void {
  const reads = new RateLimiterMemory(READS);
  async function bytesOf(file: string): Promise<string> {
    const code = /^([\w-]+)\.ics$/.exec(file)?.[1];
    const buyerId = code === undefined ? undefined : await ownerOf(code);
    if (buyerId === undefined) throw new Refusal('NOT_FOUND');
    await reads.consume(buyerId).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
      throw new Refusal('TOO_MANY', { retryAfterSeconds: Math.ceil(msBeforeNext / 1_000) });
    });
    return read(buyerId);
  }
  app.get<{ Params: { file: string } }>('/calendario/:file', async (request, reply) => {
    const calendar = await within(request, () => bytesOf(request.params.file));
    const etag = `"${createHash('sha256').update(calendar).digest('base64url')}"`;
    // It has to be asked for each time: who revokes it wants it gone.
    reply.headers({ etag, 'cache-control': 'private, no-cache' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply
      .header('content-disposition', 'inline; filename="pagos.ics"')
      .type('text/calendar; charset=utf-8')
      .send(calendar);
  });
}
