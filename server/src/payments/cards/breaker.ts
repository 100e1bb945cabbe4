/**
 * Stops new charges while the provider does not answer, so that an outage does not leave hundreds of unknown ones
 * (rules/card-attempts#circuit-breaker).
 */
export interface Breaker {
  /** Seconds until new charges are let through again; 0 while they are. */
  secondsLeft(): number;
  /** Records whether a charge was answered. */
  report(answered: boolean): void;
}

/** Opens for `pauseMs` after `failures` charges without an answer within `windowMs`. One per server process. */
export function breaker(options: {
  failures: number;
  windowMs: number;
  pauseMs: number;
  now?: () => number;
}): Breaker {
  const now = options.now ?? (() => performance.now());
  let failedAt: number[] = [];
  let openUntil = 0;
  return {
    secondsLeft: () => Math.max(0, Math.ceil((openUntil - now()) / 1_000)),
    report(answered) {
      if (answered) {
        failedAt = [];
        return;
      }
      failedAt = [...failedAt.filter((at) => at > now() - options.windowMs), now()];
      if (failedAt.length < options.failures) return;
      openUntil = now() + options.pauseMs;
      failedAt = [];
    },
  };
}
