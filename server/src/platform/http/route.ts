import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

import type { Endpoint, PrincipalKind, Received, Reply } from '@aparta/contract/endpoint';
import { may, needsOwnSession, needsPasskey } from '@aparta/domain/staff-rights';
import * as v from 'valibot';

import type { Rank } from '../db/admission.ts';
import type { Log } from '../logging.ts';
import type { Principal, Staff } from '../principal.ts';
import { Refusal } from '../refusal.ts';

type CallerOf<E extends Endpoint> = E['access'] extends readonly (infer K)[]
  ? Extract<Principal, { kind: K & PrincipalKind }>
  : undefined;

/** One call of an endpoint, parsed and authenticated. */
export interface Call<E extends Endpoint> {
  readonly params: Received<E, 'params'>;
  readonly query: Received<E, 'query'>;
  readonly body: Received<E, 'body'>;
  readonly caller: CallerOf<E>;
  /** Carries the request id; never log what was sent. */
  readonly log: Log;
  readonly requestId: string;
  /** The caller's address, as far as the trusted proxies vouch for it. */
  readonly address: string;
  /** The bearer token that the call came with, '' when none; only sign-out needs it. */
  readonly token: string;
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined;
  /** Sends cookies with the answer, a refusal's too. */
  setCookies(cookies: readonly string[]): void;
  /** Aborts when the call's time is over; what must not stop half-way ignores it. */
  readonly signal: AbortSignal;
}

export interface RouteOptions {
  /** How long the caller waits before it is answered TOO_SLOW. */
  readonly timeLimitMs?: number;
  /** Of the 200 reply; `no-store` when absent. Only for what is the same for everybody. */
  readonly cacheControl?: string;
  /** Its turn when many call at once; by its method when absent. */
  readonly rank?: Rank;
  /** Told of a call that was refused as BUSY, of which nothing was done. */
  readonly whenBusy?: (call: Pick<RawCall, 'body' | 'address' | 'header'>) => void;
}

/** An endpoint with the handler that serves it. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly timeLimitMs: number;
  readonly cacheControl: string;
  readonly rank: Rank;
  readonly whenBusy: RouteOptions['whenBusy'];
  /** What a bound endpoint does with a request, from its raw parts to a checked reply body, or to the `Feed` of a stream. */
  readonly answer: (request: RawCall) => Promise<unknown>;
}

/** A request before any of its parts is parsed. */
export interface RawCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Principal | undefined;
  readonly log: Log;
  readonly requestId: string;
  readonly address: string;
  readonly token: string;
  header(name: string): string | undefined;
  setCookies(cookies: readonly string[]): void;
  readonly signal: AbortSignal;
  readonly checkReply: boolean;
}

const TIME_LIMIT_MS = 15_000;

/** Binds one endpoint of the contract to its handler. The handler gets parsed input and may throw a `Refusal`. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Reply<E>>,
  options: RouteOptions = {},
): Route {
  return bound(endpoint, handle, options);
}

/** What writes to a response that stays open, until that is closed. */
export type Feed = (response: ServerResponse) => void;

/** The same for one that is answered by a stream. */
export function streamRoute<const E extends Endpoint & { isStream: true }>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Feed>,
): Route {
  return bound(endpoint, handle);
}

function bound<const E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E>) => Promise<Reply<E> | Feed>,
  { timeLimitMs = TIME_LIMIT_MS, cacheControl = 'no-store', rank, whenBusy }: RouteOptions = {},
): Route {
  return {
    endpoint,
    timeLimitMs,
    cacheControl,
    rank: rank ?? (endpoint.method === 'GET' ? 'read' : 'act'),
    whenBusy,
    answer: async ({ checkReply, ...raw }) => {
      const { caller } = raw;
      if (endpoint.access !== 'public') {
        if (caller === undefined) throw new Refusal('SESSION_DEAD');
        if (!endpoint.access.includes(caller.kind)) throw new Refusal('NOT_ALLOWED');
        if (caller.kind === 'staff') refuseUnlessMay(caller, endpoint.act);
      }
      const call = {
        ...raw,
        params: parse(endpoint.params, raw.params),
        query: parse(endpoint.query, raw.query),
        body: parse(endpoint.body, raw.body ?? {}),
      };
      const reply = await handle(call as unknown as Call<E>);
      if (checkReply && !endpoint.isStream) assertReply(endpoint, reply);
      return reply;
    },
  };
}

function refuseUnlessMay({ role, device, lacksPasskey }: Staff, act: Endpoint['act']): void {
  if (act === undefined || !may(role, act)) throw new Refusal('ROLE_NOT_ALLOWED');
  if (device !== undefined && needsOwnSession(act)) throw new Refusal('OWN_SESSION_NEEDED');
  if (lacksPasskey && needsPasskey(act)) throw new Refusal('PASSKEY_NEEDED');
}

/** A reply in the envelope of `/v1` (rules/wire#envelope). */
export function success<const D>(data: D): { isSuccess: true; message: string; data: D } {
  return { isSuccess: true, message: '', data };
}

function parse(schema: v.GenericSchema | undefined, input: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) return result.output;
  const fields: Record<string, string> = {};
  for (const issue of result.issues) fields[v.getDotPath(issue) ?? 'body'] ??= problemOf(issue);
  throw new Refusal('INVALID_INPUT', { fields });
}

/** The rule that was broken. Never the value: a refusal must not carry a password or a token back. */
function problemOf(issue: v.BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return 'missing';
  return issue.type === 'check' ? issue.message : issue.type;
}

/** A reply that the contract does not describe, or a field it does not name, is a bug that tests must see. */
function assertReply(endpoint: Endpoint, reply: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(reply));
  const result = v.safeParse(endpoint.reply, sent);
  if (!result.success) {
    const where = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'reply'} (${issue.type})`);
    throw new Error(`the reply of ${endpoint.name} is not what the contract says: ${where.join(', ')}`);
  }
  if (!isDeepStrictEqual(result.output, sent)) {
    throw new Error(`the reply of ${endpoint.name} carries fields that the contract does not name`);
  }
}
