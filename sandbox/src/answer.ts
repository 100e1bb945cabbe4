import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Fault } from './faults.ts';

/** The answer to a call, and how it is sent. */
export type Answer = {
  status: number;
  /** Bytes are sent as they are; anything else as JSON. */
  body: unknown;
  reply?: 'lost' | 'malformed' | 'undated' | { afterMs: number };
  retryAfterS?: number;
};

/** Does the work of a call as far as its fault allows; `undone` is the answer when it does not. */
export async function answerWith(
  fault: Fault | undefined,
  work: () => Answer,
  { undone, held, closing }: { undone: Answer; held: () => Promise<void>; closing: AbortSignal },
): Promise<Answer> {
  switch (fault?.kind) {
    case undefined:
      return work();
    case 'unreachable':
      return { ...undone, reply: 'lost' };
    case 'status':
      return { status: fault.status ?? undone.status, body: fault.body ?? undone.body };
    case 'lost':
    case 'malformed':
    case 'undated':
      return { ...work(), reply: fault.kind };
    case 'slowWork':
      await pause(fault.delayMs, closing);
      return work();
    case 'slowReply':
      return { ...work(), reply: { afterMs: fault.delayMs ?? 1_000 } };
    case 'hold': {
      const answer = work();
      await held();
      return answer;
    }
  }
}

/** Sends an answer as it asks to be sent. */
export async function deliver(reply: FastifyReply, answer: Answer, closing: AbortSignal): Promise<void> {
  if (answer.reply === 'lost') {
    reply.hijack();
    reply.raw.destroy();
    return;
  }
  if (typeof answer.reply === 'object') await pause(answer.reply.afterMs, closing);
  if (answer.retryAfterS !== undefined) reply.header('retry-after', answer.retryAfterS);
  if (answer.reply === 'undated') reply.raw.sendDate = false;
  const isFile = Buffer.isBuffer(answer.body);
  const body: string | Buffer = isFile ? (answer.body as Buffer) : JSON.stringify(answer.body);
  await reply
    .code(answer.status)
    .type(isFile ? 'application/octet-stream' : 'application/json; charset=utf-8')
    .send(answer.reply === 'malformed' ? body.slice(0, body.length / 2) : body);
}

/** Ends early when the sandbox closes. */
async function pause(ms: number | undefined, closing: AbortSignal): Promise<void> {
  await wait(ms ?? 1_000, undefined, { signal: closing, ref: false }).catch(() => undefined);
}
