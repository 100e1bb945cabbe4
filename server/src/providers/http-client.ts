import { Agent, request } from 'undici';
import * as v from 'valibot';

/**
 * What the network or the provider did instead of answering (house.md §2):
 * - `never`: proven not sent (name, connect or TLS failure before the first byte);
 * - `dark`: sent, or perhaps sent, and no usable answer (time-out, reset, 5xx, 429, nonsense);
 * - `refused`: the provider answered that it will not (other 4xx), with its own code.
 */
export type ProviderFailure =
  | { readonly kind: 'never'; readonly why: string }
  | { readonly kind: 'dark'; readonly why: string; readonly status?: number }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string | undefined };

export type ProviderAnswer<T> = { readonly kind: 'answer'; readonly body: T } | ProviderFailure;

export interface ProviderCall<T> {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly reply: v.GenericSchema<unknown, T>;
  /** From the first byte sent to the last one read. */
  readonly timeoutMs: number;
}

export interface HttpClient {
  call<T>(call: ProviderCall<T>): Promise<ProviderAnswer<T>>;
  close(): Promise<void>;
}

// undici's and Node's names for a failure before anything of the request left this machine.
const NOT_SENT =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;
const LARGEST_BODY = 1_048_576;

/**
 * One call, once: no retry, no redirect, no connection that an earlier call used (a reset on a reused one could not be
 * told from a lost reply). Never throws: every outcome is a value.
 */
export function httpClient(options: { connectTimeoutMs: number }): HttpClient {
  const agent = new Agent({
    connect: { timeout: options.connectTimeoutMs },
    pipelining: 0,
    maxRedirections: 0,
    maxResponseSize: LARGEST_BODY,
  } as Agent.Options);

  async function call<T>(call: ProviderCall<T>): Promise<ProviderAnswer<T>> {
    let status: number;
    let text: string;
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
      text = await response.body.text();
    } catch (error) {
      return failureOf(error);
    }
    const body = parseJson(text);
    if (status >= 200 && status < 300) {
      const parsed = v.safeParse(call.reply, body);
      return parsed.success
        ? { kind: 'answer', body: parsed.output }
        : { kind: 'dark', why: 'a body that is not as documented', status };
    }
    if (status >= 500 || status === 429 || status < 400)
      return { kind: 'dark', why: `status ${status}`, status };
    return { kind: 'refused', status, code: codeOf(body) };
  }

  return { call, close: () => agent.close() };
}

function failureOf(error: unknown): ProviderFailure {
  const codes = codesOf(error);
  const why = codes[0] ?? (error instanceof Error ? error.name : 'unknown');
  return codes.length > 0 && codes.every((code) => NOT_SENT.test(code))
    ? { kind: 'never', why }
    : { kind: 'dark', why };
}

/** An AggregateError (several addresses tried) is "not sent" only if each of its parts is. */
function codesOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf);
  if (!(error instanceof Error)) return [];
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? [code] : codesOf(error.cause);
}

// A word and a short number: what is kept and logged must not be an echo of a card, a token or a key.
const ERROR_CODE = /^[A-Za-z][A-Za-z_-]{0,32}\d{0,6}$/;

/** Clip calls it `error_code`, Tapi `code`. Undefined for what does not look like one. */
function codeOf(body: unknown): string | undefined {
  const { error_code, code = error_code } = (body ?? {}) as { error_code?: unknown; code?: unknown };
  return typeof code === 'string' && ERROR_CODE.test(code) ? code : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
