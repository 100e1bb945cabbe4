import { transaction } from '../db/transaction.ts';
import type { Lane } from '../jobs/lane.ts';
import { openPolling } from '../jobs/polling.ts';
import { withinMs } from '../jobs/within.ts';
import type { Log } from '../logging.ts';
import { type Instrumentation, NOOP_INSTRUMENTATION } from '../telemetry/instrumentation.ts';
import { deliverTried, type EmailDeps } from './deliver-email.ts';
import { countTry } from './store.ts';

/** A try beyond it is given up; nodemailer bounds each wait, and not their sum. */
const LONGEST_MS = 5 * 60_000;

/**
 * Sends the emails that are due, `atOnce` at a time, on each of the servers that share the outbox. An email is one row, written
 * by its payment; nothing else is queued for it, and nobody is notified: that would take a lock that every commit takes.
 */
export function openMailLane(
  deps: EmailDeps & { readonly log: Log; readonly instrumentation?: Instrumentation | undefined },
  atOnce: number,
  pollEveryMs: number,
): Lane {
  const { db, log, instrumentation = NOOP_INSTRUMENTATION } = deps;
  const take = async () => {
    const email = await transaction(db, (tx) => countTry(tx, 'due'));
    if (email === undefined) return undefined;
    return () =>
      instrumentation
        .during({ kind: 'job', name: 'deliver_email' }, () =>
          withinMs(LONGEST_MS, () => deliverTried(deps, email)),
        )
        .catch((err: unknown) =>
          log.warn({ err, outboxId: email.id, tries: email.tries }, 'an email was not sent'),
        );
  };
  return openPolling(take, { what: 'emails', atOnce, pollEveryMs, log });
}
