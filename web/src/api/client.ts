import { productField, type Endpoint, type Reply, type Sent } from '@aparta/contract/endpoint';
import * as v from 'valibot';
import { config, type ServiceBase } from '../app/config.ts';
import { newId } from '../session/new-id.ts';
import { session } from '../session/session.ts';
import { ApiError, isRefused } from './api-error.ts';
import { loadRefusalTexts, refusal } from './refusal.ts';

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

type Loose = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: Record<string, unknown>;
};

interface Options {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Extra headers, e.g. the code of a reset link. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Calls an endpoint and returns its parsed reply. Throws ApiError on failure or after 20 seconds
 * (`timeoutMs`); `signal` aborts with AbortError. A 401 on an authenticated call ends the session, which
 * leads to /login and back (rules/accounts#sessions). What a busy server surely did not do is asked again.
 */
export async function call<const E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Options = {},
): Promise<Reply<E>> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await callOnce(endpoint, input, options);
    } catch (error) {
      if (turn === TRIES || !isRefused(error, 'BUSY', 'DATABASE_AWAY')) throw error;
      await wait(turn * retryAfterMs(error), options.signal);
    }
  }
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
  endpoint: E,
  input: Input<E>,
  options: Options,
): Promise<Reply<E>> {
  const requestId = newId();
  const token = endpoint.access === 'public' ? undefined : session.token();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const { params, query, body } = input as Loose;
  // On its way already, should this be refused.
  if (endpoint.method !== 'GET') void loadRefusalTexts();
  let response: Response;
  let text: string;
  try {
    response = await fetch(address(endpoint, params, query), {
      method: endpoint.method,
      headers: {
        ...options.headers,
        'X-Request-Id': requestId,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(asConfigured(endpoint, body)) }),
      credentials: 'omit',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError({ kind: timeout.aborted ? 'timeout' : 'network' }, requestId, { cause });
  }
  const reply = parseJson(text);
  if (response.ok) {
    const parsed = v.safeParse(endpoint.reply, reply);
    if (parsed.success) return parsed.output as Reply<E>;
    throw new ApiError({ kind: 'nonsense', status: response.status }, requestId);
  }
  if (response.status === 401 && token !== undefined && token === session.token()) {
    session.died(location.pathname + location.search);
  }
  throw new ApiError(await refusal(response.status, response.headers.get('Retry-After'), reply), requestId);
}

function address(endpoint: Endpoint, params: Loose['params'] = {}, query: Loose['query'] = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${endpoint.name} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return config.bases[serviceOf(path)] + path + (search.size > 0 ? `?${search}` : '');
}

/** The spec §7 service base of a path. */
const services: readonly [RegExp, ServiceBase][] = [
  [/^\/v1\/(TokenBuyer|UserBuyerClient|SecurityBuyer)\//, 'account'],
  [/^\/v1\/(Clib|Tapi|Users)\//, 'payments'],
  [/^\/(PosOperations|User)\//, 'operations'],
  [/^\/v1\/(Cxc|Sales)\//, 'receivables'],
  [/^\/v1\/(ClientSat|FacturaGreen|CxcCfdiEmmit|fiscalregime)\//, 'invoicing'],
  [/^\/v1\/Notifications\//, 'notifications'],
  [/^\/ip$/, 'ip'],
  [/^\/v1\//, 'layaway'],
];

function serviceOf(path: string): ServiceBase {
  const found = services.find(([pattern]) => pattern.test(path));
  if (!found) throw new TypeError(`no service serves ${path}`);
  return found[1];
}

/** One wire field is prefixed with the product's name (rules/wire#names). */
function asConfigured(endpoint: Endpoint, body: Record<string, unknown>): Record<string, unknown> {
  const standard = endpoint.productField;
  const configured = productField(endpoint, config.wireName);
  if (standard === undefined || configured === undefined || standard === configured) return body;
  const { [standard]: value, ...rest } = body;
  return { ...rest, [configured]: value };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
