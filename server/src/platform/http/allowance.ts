import { RateLimiterMemory } from 'rate-limiter-flexible';

import type { Limit } from '../limiter.ts';
import { idOf, type Principal } from '../principal.ts';
import { Refusal } from '../refusal.ts';

/** How often each signed-in caller may call one server. A till's account is a whole chain's; staff are people, as buyers are. */
export type CallLimits = Readonly<Record<'callsPerBuyer' | 'callsPerServiceAccount', Limit>>;

export interface Allowance {
  /** Refuses with TOO_MANY a token whose caller has just called too often, before anything is asked about it. */
  refuseSpent(token: string): void;
  /** Counts one call; refuses with TOO_MANY once there were too many. */
  take(caller: Principal, token: string): Promise<void>;
}

/**
 * Counted in the process, because it protects the process: a count in the database would cost what it is to save. With several
 * servers a caller has the limit at each.
 */
export function callAllowance({ callsPerBuyer, callsPerServiceAccount }: CallLimits): Allowance {
  const counterOf = ({ times, seconds }: Limit) =>
    new RateLimiterMemory({ points: times, duration: seconds });
  const people = counterOf(callsPerBuyer);
  const serviceAccounts = counterOf(callsPerServiceAccount);
  /** Tokens of callers who used theirs up, until when. Only good tokens come in, each for one window. */
  const spent = new Map<string, number>();

  return {
    refuseSpent(token) {
      const until = spent.get(token);
      if (until !== undefined) throw tooMany(until - Date.now());
    },
    async take(caller, token) {
      const isPerson = caller.kind === 'buyer' || caller.kind === 'staff';
      const counter = isPerson ? people : serviceAccounts;
      const { remainingPoints, consumedPoints, msBeforeNext } = await counter
        .consume(idOf(caller))
        .catch((refused: Awaited<ReturnType<typeof counter.consume>>) => refused);
      if (remainingPoints > 0 || consumedPoints <= counter.points) return;
      spent.set(token, Date.now() + msBeforeNext);
      setTimeout(() => spent.delete(token), msBeforeNext).unref();
      throw tooMany(msBeforeNext);
    },
  };
}

function tooMany(ms: number): Refusal {
  return new Refusal('TOO_MANY', { retryAfterSeconds: Math.max(1, ms / 1_000) });
}
