/** The part of Clip's card element that we use (`new ClipSDK(apiKey).element.create('Card', options)`). */
export interface CardElement {
  /** `containerId` without `#`. */
  mount(containerId: string): void;
  /** Pesos. */
  setAmount(amount: number): void;
  cardToken(): Promise<unknown>;
  /** Data for the provider's fraud rules: `session_id`, `user_agent`. */
  preventionData(): Promise<unknown>;
}

interface CardOptions {
  theme: 'light' | 'dark';
  locale: 'es';
  /** Pesos. */
  paymentAmount: number;
  terms: { enabled: boolean };
}

type ClipSdk = new (apiKey: string) => {
  element: { create(type: 'Card', options: CardOptions): CardElement };
};

declare global {
  interface Document {
    /** Undefined where the browser makes nothing ready ahead. */
    readonly prerendering?: boolean;
  }
  interface Window {
    ClipSDK?: ClipSdk;
  }
}

/** Why the provider's form is missing: blocked by the browser, or not loaded in time. */
export type FormProblem = 'blocked' | 'unreachable';

/** Fetches the provider's script ahead, without running it, where the document has not begun to. */
export function fetchClipSdk(href: string): void {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', href }));
}

/**
 * Resolves once somebody comes to a document that the browser has made ready ahead (web/build/prerender.ts). Nothing of the provider's
 * runs before: browsers load no frame there, and waiting for it would end in a failure.
 */
export function untilShown(): Promise<unknown> {
  return new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }));
}

let script: HTMLScriptElement | undefined;

/**
 * Loads the provider's script, once per document, from the provider's own URL as they require. Rejects with a
 * FormProblem after `timeoutMs` or if the browser blocks it; the next call tries again.
 */
export async function loadClipSdk(url: string, timeoutMs: number): Promise<ClipSdk> {
  if (window.ClipSDK) return window.ClipSDK;
  if (!script?.isConnected) {
    script = Object.assign(document.createElement('script'), { src: url });
    document.head.append(script);
  }
  const waited = script;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(problem('unreachable')), timeoutMs);
      waited.addEventListener('load', resolve);
      waited.addEventListener('error', () => reject(problem(navigator.onLine ? 'blocked' : 'unreachable')));
    });
    // Ad blockers may answer with an empty script.
    if (!window.ClipSDK) throw problem('blocked');
    return window.ClipSDK;
  } catch (error) {
    waited.remove();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `mount`, which puts the provider's frame into `container`, and resolves once it has loaded. Rejects
 * with a FormProblem after `timeoutMs`, or with what `mount` threw. The SDK has no ready event.
 */
export async function mountFrame(
  container: HTMLElement,
  timeoutMs: number,
  mount: () => void,
): Promise<void> {
  const done = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => reject(problem('unreachable')), timeoutMs);
      // 'load' does not bubble, but can be captured.
      container.addEventListener('load', resolve, { capture: true, signal: done.signal });
      const refused = (event: SecurityPolicyViolationEvent) => {
        if (event.disposition === 'enforce') reject(problem('blocked'));
      };
      document.addEventListener('securitypolicyviolation', refused, { signal: done.signal });
      mount();
    });
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

class ProblemError extends Error {
  readonly problem: FormProblem;
  constructor(kind: FormProblem) {
    super(`the card form is ${kind}`);
    this.problem = kind;
  }
}

function problem(kind: FormProblem): Error {
  return new ProblemError(kind);
}

/** The FormProblem of a rejection; anything else that the provider's script threw counts as blocked. */
export function problemOf(error: unknown): FormProblem {
  return error instanceof ProblemError ? error.problem : 'blocked';
}

/** A card token and the provider's fraud data, for one payment. */
export interface CardToken {
  readonly id: string;
  readonly prevention: { session_id?: string; user_agent?: string };
}

/** Result of asking for a token. `fieldsWrong`: the frame itself marks the fields. */
export type TokenAnswer = { kind: 'token'; token: CardToken } | { kind: 'fieldsWrong' | 'none' };

const FIELDS_WRONG: readonly unknown[] = ['CL2200', 'CL2290'];
const PREVENTION_TIMEOUT_MS = 3_000;

/**
 * Asks the card element for a token (single use, 15 minutes). Never throws: a failure or `timeoutMs` is
 * 'none'.
 */
export async function askForToken(card: CardElement, timeoutMs: number): Promise<TokenAnswer> {
  try {
    const id = field(await within(card.cardToken(), timeoutMs), 'id');
    if (typeof id !== 'string' || id.trim() === '') return { kind: 'none' };
    return { kind: 'token', token: { id, prevention: await preventionOf(card) } };
  } catch (error) {
    return { kind: FIELDS_WRONG.includes(field(error, 'code')) ? 'fieldsWrong' : 'none' };
  }
}

/** The fraud data, truncated to the wire's limits. Optional: a payment goes without it. */
async function preventionOf(card: CardElement): Promise<CardToken['prevention']> {
  try {
    const data = await within(card.preventionData(), PREVENTION_TIMEOUT_MS);
    const session = field(data, 'session_id');
    const agent = field(data, 'user_agent');
    return {
      ...(typeof session === 'string' && { session_id: session.slice(0, 100) }),
      ...(typeof agent === 'string' && { user_agent: agent.slice(0, 400) }),
    };
  } catch {
    return {};
  }
}

async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function field(thing: unknown, name: string): unknown {
  return typeof thing === 'object' && thing !== null ? (thing as Record<string, unknown>)[name] : undefined;
}
