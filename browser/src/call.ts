import type { Endpoint, Reply, Sent } from '@aparta/contract/endpoint';
import * as v from 'valibot';
import { ApiError, isRefused } from './api-error.ts';
import { newId } from './new-id.ts';
import { readRefusal, type RefusalTexts } from './refusal.ts';

const TIMEOUT_MS = 20_000;
/** How often a call is made in all whose refusal says that nothing was done and that it may be repeated. */
const TRIES = 3;

type Part<Name extends string, Value> = undefined extends Value
  ? { [N in Name]?: Value }
  : { [N in Name]: Value };

/** The parts of a request that its endpoint takes, typed by the contract. */
export type Input<E extends Endpoint> = (Sent<E, 'params'> extends undefined
  ? unknown
  : { params: Readonly<Record<keyof Sent<E, 'params'>, string | number>> }) &
  (Sent<E, 'query'> extends undefined ? unknown : Part<'query', Sent<E, 'query'>>) &
  (Sent<E, 'body'> extends undefined ? unknown : { body: Sent<E, 'body'> });

type Body = Record<string, unknown>;
type Loose = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: Body;
};

interface Options {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Extra headers, e.g. the code of a reset link. */
  headers?: Readonly<Record<string, string>>;
  /** To the document's own origin, with the cookies that are for it. */
  atHome?: boolean | undefined;
}

/** What calls need of the application that makes them. */
export interface Caller {
  /** The origin that serves a path; '' for the document's own. */
  readonly base: (path: string) => string;
  readonly token: () => string | undefined;
  /** Who calls: nothing of theirs is sent again in the name of whoever has signed in since. */
  readonly who?: () => number | string | undefined;
  /** What every call carries beside. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Gets its person another token for one that the server no longer takes; false where there is none to get. */
  readonly renew?: (dead: string) => Promise<boolean>;
  /** The server no longer takes the token. */
  readonly died: () => void;
  /** The server itself answered: what stands before it says at most that it is away. */
  readonly heard?: () => void;
  /** What each refusal says; undefined where it cannot be loaded. */
  readonly loadTexts: () => Promise<RefusalTexts | undefined>;
  /** A body as this product's wire names its fields. */
  readonly asConfigured?: (endpoint: Endpoint, body: Body) => Body;
}

export type Call = <const E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: Options,
) => Promise<Reply<E>>;

/**
 * How an application calls an endpoint and gets its parsed reply. Throws ApiError on failure or after 20 seconds
 * (`timeoutMs`); `signal` aborts with AbortError. A 401 on an authenticated call renews the session, and the call is made once
 * more, or ends it (rules/accounts#sessions). What a busy server surely did not do is asked again.
 */
export function createCall(caller: Caller): Call {
  return async (endpoint, input, options = {}) => {
    const who = caller.who?.();
    const isTheirs = () => caller.who?.() === who;
    for (let turn = 1; ; turn += 1) {
      try {
        return await callOnce(caller, endpoint, input, options, isTheirs);
      } catch (error) {
        if (turn === TRIES || !isRefused(error, 'BUSY', 'DATABASE_AWAY')) throw error;
        await wait(turn * retryAfterMs(error), options.signal);
        if (!isTheirs()) throw error;
      }
    }
  };
}

/** As long as the server asks for, and up to half as long again: not everybody at once. */
function retryAfterMs(error: unknown): number {
  const failure = error instanceof ApiError ? error.failure : undefined;
  const seconds = (failure?.kind === 'refused' ? failure.retryAfterSeconds : undefined) ?? 1;
  return seconds * 1_000 * (1 + Math.random() / 2);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function callOnce<const E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: Input<E>,
  options: Options,
  isTheirs: () => boolean,
  isAgain = false,
): Promise<Reply<E>> {
  const requestId = newId();
  const token = endpoint.access === 'public' ? undefined : caller.token();
  // `AbortSignal.any` is missing on iPhones that get no system after iOS 16.
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, options.timeoutMs ?? TIMEOUT_MS);
  if (options.signal?.aborted) end();
  options.signal?.addEventListener('abort', end);
  const { params, query, body } = input as Loose;
  // On its way already, should this be refused.
  if (endpoint.method !== 'GET') void caller.loadTexts();
  let response: Response;
  let text: string;
  try {
    const origin = options.atHome ? '' : caller.base(endpoint.path);
    response = await fetch(origin + address(endpoint, params, query), {
      method: endpoint.method,
      headers: {
        ...caller.headers?.(),
        ...options.headers,
        'X-Request-Id': requestId,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(caller.asConfigured?.(endpoint, body) ?? body) }),
      credentials: options.atHome ? 'same-origin' : 'omit',
      signal: ended.signal,
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError({ kind: ended.signal.aborted ? 'timeout' : 'network' }, requestId, { cause });
  } finally {
    clearTimeout(timer);
  }
  const reply = parseJson(text);
  if (response.ok) {
    const parsed = v.safeParse(endpoint.reply, reply);
    if (parsed.success) {
      caller.heard?.();
      return parsed.output as Reply<E>;
    }
    throw new ApiError({ kind: 'nonsense', status: response.status }, requestId);
  }
  if (response.status === 401 && token !== undefined) {
    if (!isAgain && (await caller.renew?.(token)) && isTheirs())
      return callOnce(caller, endpoint, input, options, isTheirs, true);
    if (token === caller.token()) caller.died();
  }
  const retryAfter = response.headers.get('Retry-After');
  throw new ApiError(await readRefusal(response.status, retryAfter, reply, caller), requestId);
}

function address(endpoint: Endpoint, params: Loose['params'] = {}, query: Loose['query'] = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${endpoint.path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const asked = search.toString();
  return path + (asked && `?${asked}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
