/** A named piece of work. Names become labels, so they come from the code and never from a caller. */
export type Work =
  | { readonly kind: 'use case' | 'job'; readonly name: string }
  | { readonly kind: 'provider'; readonly provider: string; readonly operation: string };

/** A request, from its first hook to its last byte. */
export interface RequestInstrumentation {
  /** Runs part of the request's work, so that what is recorded inside belongs to the request. */
  within<T>(work: () => T): T;
  ended(end: {
    readonly method: string;
    /** The pattern, never the path. */
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
    readonly refusal: string | undefined;
  }): void;
}

/** State of the process that can be read at any moment. */
export interface Vitals {
  /** Connections of the application's pool. */
  pool(): { readonly inUse: number; readonly idle: number; readonly waiting: number; readonly most: number };
  /** Whether new card charges are paused because the provider does not answer. */
  chargesPaused(): boolean;
  /** How long the workers of each lane of jobs have heard nothing from the queue, in ms. */
  jobsSilentMs(): Readonly<Record<string, number>>;
  /** The streams by which screens hear of changes, and for how long this server has heard of none that it could tell. */
  streams(): { readonly open: number; readonly deafMs: number };
  /** How often the log could not be written. */
  logFailures(): number;
}

/**
 * Records what the process does: metrics, traces, both or nothing. HTTP, providers, jobs and SQL report to it in words of a
 * closed set, so that neither personal data nor secrets reach it. It never throws.
 */
export interface Instrumentation {
  /** Given once, when the process starts. */
  vitals(vitals: Vitals): void;
  request(requestId: string): RequestInstrumentation;
  /** Runs `run`; `outcomeOf` names its result. What throws is `failed`. */
  during<T>(work: Work, run: () => Promise<T>, outcomeOf?: (result: T) => string): Promise<T>;
  /** A statement ended. `text` holds no parameters. */
  statement(ended: { readonly text: string; readonly ms: number; readonly failed: boolean }): void;
  /** A card attempt entered a state, so long after it was created. */
  attemptMoved(moved: { readonly to: string; readonly ageMs: number }): void;
  /** A final notice of the cash provider was booked. */
  cashNotice(outcome: string): void;
}

const NOOP_REQUEST: RequestInstrumentation = { within: (work) => work(), ended: () => {} };

/** Records nothing and costs nothing. */
export const NOOP_INSTRUMENTATION: Instrumentation = {
  vitals: () => {},
  request: () => NOOP_REQUEST,
  during: (_work, run) => run(),
  statement: () => {},
  attemptMoved: () => {},
  cashNotice: () => {},
};

/** Both record. */
export function combineInstrumentation(one: Instrumentation, other: Instrumentation): Instrumentation {
  return {
    vitals(vitals) {
      one.vitals(vitals);
      other.vitals(vitals);
    },
    request(requestId) {
      const [first, second] = [one.request(requestId), other.request(requestId)];
      return {
        within: (work) => first.within(() => second.within(work)),
        ended(end) {
          first.ended(end);
          second.ended(end);
        },
      };
    },
    during: (work, run, outcomeOf) => one.during(work, () => other.during(work, run, outcomeOf), outcomeOf),
    statement(ended) {
      one.statement(ended);
      other.statement(ended);
    },
    attemptMoved(moved) {
      one.attemptMoved(moved);
      other.attemptMoved(moved);
    },
    cashNotice(outcome) {
      one.cashNotice(outcome);
      other.cashNotice(outcome);
    },
  };
}
