import { Agent, request } from 'undici';
import * as v from 'valibot';

import { elsewhere, forAll } from './db/admission.ts';
import { NOOP_INSTRUMENTATION, type Instrumentation } from './telemetry/instrumentation.ts';

/**
 * What the network or the provider did instead of answering (rules/providers#failed-calls):
 * - `not_sent`: proven not sent (name, connect or TLS failure before the first byte);
 * - `unreachable`: sent, or perhaps sent, and no usable answer (time-out, reset, 5xx, 429, nonsense);
 * - `refused`: the provider answered that it will not (other 4xx), with its own code.
 */
export type ProviderFailure =
  | { readonly kind: 'not_sent'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string; readonly status?: number }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string | undefined };

export type ProviderAnswer<T> =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: T;
      /** The provider's clock; undefined where its answer tells no time. */
      readonly at: Date | undefined;
    }
  | ProviderFailure;

export interface ProviderCall<T> {
  /** Provider and operation, `['clip', 'charge']`: the name of the call in metrics and traces. */
  readonly as: readonly [provider: string, operation: string];
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly reply: v.GenericSchema<unknown, T>;
  /** For a provider that says in the body whether it did what was asked: a body that fits is an answer, whatever its status. */
  readonly readsEveryStatus?: boolean;
  /** From the first byte sent to the last one read. */
  readonly timeoutMs: number;
}

export interface HttpClient {
  call<T>(call: ProviderCall<T>): Promise<ProviderAnswer<T>>;
  /** Fetches a file of at most 2 MB. */
  download(
    file: Pick<ProviderCall<unknown>, 'as' | 'url' | 'headers' | 'timeoutMs'>,
  ): Promise<{ readonly kind: 'file'; readonly bytes: Buffer } | ProviderFailure>;
  close(): Promise<void>;
}

// undici's and Node's names for a failure before anything of the request left this computer.
const NOT_SENT =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;
const LARGEST_BODY = 1_048_576;
const LARGEST_FILE = 2_097_152;

/** One at a time of what calls of the server wait for together, such as a sign-in at a provider: who comes meanwhile joins. */
export function oneForAll<T>(begin: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => forAll(() => (begun ??= begin().finally(() => (begun = undefined))));
}

/**
 * One call, once: no retry, no redirect, no connection that an earlier call used (a reset on a reused one could not be
 * told from a lost reply). Never throws: every outcome is a value.
 */
export function httpClient(options: {
  connectTimeoutMs: number;
  instrumentation?: Instrumentation;
}): HttpClient {
  const { instrumentation = NOOP_INSTRUMENTATION } = options;
  const instrumented = <T extends { readonly kind: string; readonly status?: number }>(
    [provider, operation]: readonly [string, string],
    send: () => Promise<T>,
  ) =>
    // The adapter may read the body of a failed call; the metrics still count a failure.
    elsewhere(() =>
      instrumentation.during({ kind: 'provider', provider, operation }, send, ({ kind, status = 0 }) =>
        kind === 'answer' && status >= 500 ? 'unreachable' : kind,
      ),
    );
  const agentFor = (maxResponseSize: number) =>
    new Agent({
      connect: { timeout: options.connectTimeoutMs },
      pipelining: 0,
      maxRedirections: 0,
      maxResponseSize,
    } as Agent.Options);
  const agent = agentFor(LARGEST_BODY);
  const fileAgent = agentFor(LARGEST_FILE);

  async function call<T>(call: ProviderCall<T>): Promise<ProviderAnswer<T>> {
    let status: number;
    let text: string;
    let at: Date | undefined;
    try {
      const response = await request(call.url, {
        dispatcher: agent,
        method: call.method,
        headers: {
          accept: 'application/json',
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: AbortSignal.timeout(call.timeoutMs),
      });
      status = response.statusCode;
      at = dateOf(response.headers['date']);
      text = await response.body.text();
    } catch (error) {
      return failureOf(error);
    }
    const body = parseJson(text);
    const isGood = status >= 200 && status < 300;
    if (isGood || call.readsEveryStatus === true) {
      const parsed = v.safeParse(call.reply, body);
      if (parsed.success) return { kind: 'answer', status, body: parsed.output, at };
      if (isGood) return { kind: 'unreachable', why: 'a body that is not as documented', status };
    }
    return failureOfStatus(status, body);
  }

  async function download({
    url,
    headers,
    timeoutMs,
  }: Parameters<HttpClient['download']>[0]): ReturnType<HttpClient['download']> {
    try {
      const response = await request(url, {
        dispatcher: fileAgent,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const status = response.statusCode;
      return status >= 200 && status < 300 ? { kind: 'file', bytes } : failureOfStatus(status, undefined);
    } catch (error) {
      return failureOf(error);
    }
  }

  return {
    call: (asked) => instrumented(asked.as, () => call(asked)),
    download: (asked) => instrumented(asked.as, () => download(asked)),
    close: async () => void (await Promise.all([agent.close(), fileAgent.close()])),
  };
}

function dateOf(header: string | string[] | undefined): Date | undefined {
  const at = new Date(typeof header === 'string' ? header : Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function failureOfStatus(status: number, body: unknown): ProviderFailure {
  if (status >= 500 || status === 429 || status < 400)
    return { kind: 'unreachable', why: `status ${status}`, status };
  return { kind: 'refused', status, code: codeOf(body) };
}

function failureOf(error: unknown): ProviderFailure {
  const codes = codesOf(error);
  const why = codes[0] ?? (error instanceof Error ? error.name : 'unknown');
  return codes.length > 0 && codes.every((code) => NOT_SENT.test(code))
    ? { kind: 'not_sent', why }
    : { kind: 'unreachable', why };
}

/** An AggregateError (several addresses tried) counts as not sent only if every part does. */
function codesOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf);
  if (!(error instanceof Error)) return [];
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? [code] : codesOf(error.cause);
}

// Only a word and a short number: what is stored and logged must not echo a card, a token or a key.
const ERROR_CODE = /^[A-Za-z][A-Za-z_-]{0,32}\d{0,6}$/;

/** Clip calls it `error_code`, Tapi `code`. Undefined for what does not look like one. */
function codeOf(body: unknown): string | undefined {
  const { error_code, code = error_code } = (body ?? {}) as { error_code?: unknown; code?: unknown };
  return typeof code === 'string' && ERROR_CODE.test(code) ? code : undefined;
}

const ZERO = String.raw`\u0000`;

function withoutZeros(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value;
}

function parseJson(text: string): unknown {
  try {
    // PostgreSQL keeps no zero character.
    return JSON.parse(text, text.includes(ZERO) ? withoutZeros : undefined);
  } catch {
    return undefined;
  }
}
