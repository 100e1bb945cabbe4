import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { isPublicAddress } from './addresses.ts';

/** What became of a post to an address that a stranger gave: taken, or why not, in a word or a status. */
export type Posted = { readonly isTaken: true } | { readonly isTaken: false; readonly problem: string };

export interface Outside {
  /** Whether the address may be called at all, as far as it alone tells. */
  mayCall(url: string): boolean;
  post(url: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<Posted>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 5_000;
/** Nobody reads the answer: more of it ends the call. */
const LARGEST_ANSWER = 65_536;

/**
 * Posts to addresses that others gave us: once, no redirect, and in production over TLS to public addresses alone. The name is
 * looked up where the connection is made, so it cannot mean another address a moment later.
 */
export function openOutside({
  isGuarded,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly isGuarded: boolean;
  readonly timeoutMs?: number;
}): Outside {
  const agent = new Agent({
    connect: { timeout: CONNECT_MS, ...(isGuarded && { lookup: publicAlone }) },
    pipelining: 0,
    maxResponseSize: LARGEST_ANSWER,
  });
  const mayCall = (url: string) => {
    const { protocol, hostname } = new URL(url);
    if (!isGuarded) return protocol === 'http:' || protocol === 'https:';
    const literal = hostname.replace(/^\[|\]$/g, '');
    return protocol === 'https:' && (isIP(literal) === 0 || isPublicAddress(literal));
  };
  return {
    mayCall,
    async post(url, headers, body) {
      if (!mayCall(url)) return { isTaken: false, problem: 'ADDRESS_NOT_ALLOWED' };
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
          signal: AbortSignal.timeout(timeoutMs),
        });
        await answer.body.text();
        const { statusCode } = answer;
        return statusCode >= 200 && statusCode < 300
          ? { isTaken: true }
          : { isTaken: false, problem: String(statusCode) };
      } catch (error) {
        return { isTaken: false, problem: wordOf(error) };
      }
    },
    close: () => agent.close(),
  };
}

const publicAlone: LookupFunction = (hostname, options, done) => {
  lookUp(hostname, { ...options, all: true }, (error, found) => {
    const first = found?.[0];
    if (error !== null || first === undefined) done(error ?? failure('ENOTFOUND'), '', 4);
    else if (!found.every(({ address }) => isPublicAddress(address)))
      done(failure('ADDRESS_NOT_ALLOWED'), '', 4);
    else if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  });
};

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/** A code or a name: never a text of the other side. */
function wordOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return wordOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return (typeof code === 'string' ? code : error.name).slice(0, 60);
}
