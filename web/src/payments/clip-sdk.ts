/** The card element, as far as we use it (Clip's SDK: `new ClipSDK(apiKey).element.create('Card', options)`). */
export interface CardElement {
  /** `containerId` without `#`. */
  mount(containerId: string): void;
  /** Pesos. */
  setAmount(amount: number): void;
  cardToken(): Promise<unknown>;
  /** What the SDK gathered for the provider's risk rules: `session_id`, `user_agent`. */
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
  interface Window {
    ClipSDK?: ClipSdk;
  }
}

/** Why the provider's form is not there: the browser did not run it, or the network did not bring it in time. */
export type FormProblem = 'blocked' | 'unreachable';

let loading: Promise<ClipSdk> | undefined;

/**
 * Loads the provider's script from its own address, as the provider asks, once for a document. Rejects with a FormProblem
 * after `timeoutMs`, or when the browser refuses it; the next call then tries anew.
 */
export function loadClipSdk(url: string, timeoutMs: number): Promise<ClipSdk> {
  loading ??= runScript(url, timeoutMs).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function runScript(url: string, timeoutMs: number): Promise<ClipSdk> {
  const script = document.createElement('script');
  script.src = url;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(problem('unreachable')), timeoutMs);
      script.addEventListener('load', resolve);
      script.addEventListener('error', () => reject(problem(navigator.onLine ? 'blocked' : 'unreachable')));
      document.head.append(script);
    });
  } catch (error) {
    script.remove();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  // A blocker may answer with an empty script.
  if (!window.ClipSDK) throw problem('blocked');
  return window.ClipSDK;
}

/**
 * Lets `mount` put the provider's frame into `container` and resolves when it has loaded; rejects with a FormProblem after
 * `timeoutMs`, or with what `mount` threw. The SDK itself tells nobody when it is ready.
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
      // 'load' does not bubble, but it can be captured.
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

/** The problem that a rejection of this file tells; anything that the provider's script threw counts as blocked. */
export function problemOf(error: unknown): FormProblem {
  return error instanceof ProblemError ? error.problem : 'blocked';
}

/** What the provider gave for one payment: the token of the card, and its own risk data. */
export interface CardToken {
  readonly id: string;
  readonly prevention: { session_id?: string; user_agent?: string };
}

/** What asking for a token brought: `fieldsWrong` is told by the frame itself, at its fields. */
export type TokenAnswer = { kind: 'token'; token: CardToken } | { kind: 'fieldsWrong' | 'none' };

const FIELDS_WRONG: readonly unknown[] = ['CL2200', 'CL2290'];
const PREVENTION_TIMEOUT_MS = 3_000;

/** Asks the card element for a token (single use, 15 minutes). Never throws: no token in `timeoutMs` is no token. */
export async function askForToken(card: CardElement, timeoutMs: number): Promise<TokenAnswer> {
  try {
    const id = field(await within(card.cardToken(), timeoutMs), 'id');
    if (typeof id !== 'string' || id.trim() === '') return { kind: 'none' };
    return { kind: 'token', token: { id, prevention: await preventionOf(card) } };
  } catch (error) {
    return { kind: FIELDS_WRONG.includes(field(error, 'code')) ? 'fieldsWrong' : 'none' };
  }
}

/** The risk data, cut to what the wire takes. A payment goes without it when there is none. */
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
