import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '../db/transaction.ts';
import type { Lane } from '../jobs/lane.ts';
import { withinMs } from '../jobs/within.ts';
import type { Log } from '../logging.ts';
import { type Instrumentation, NOOP_INSTRUMENTATION } from '../telemetry/instrumentation.ts';
import { deliverTried, type EmailDeps } from './deliver-email.ts';
import { countTry } from './store.ts';

/** A try beyond it is given up; nodemailer bounds each wait, and not their sum. */
const LONGEST_MS = 5 * 60_000;
const PATIENCE_MS = 30_000;

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
  const stopping = new AbortController();
  let sending = 0;
  let answeredAt = performance.now();

  /** Whether there was one. */
  async function sendOne(): Promise<boolean> {
    const email = await transaction(db, (tx) => countTry(tx, 'due'));
    answeredAt = performance.now();
    if (email === undefined) return false;
    sending += 1;
    try {
      await instrumentation.during({ kind: 'job', name: 'deliver_email' }, () =>
        withinMs(LONGEST_MS, () => deliverTried(deps, email)),
      );
    } catch (err) {
      log.warn({ err, outboxId: email.id, tries: email.tries }, 'an email was not sent');
    } finally {
      sending -= 1;
      answeredAt = performance.now();
    }
    return true;
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const found = await sendOne().catch((err: unknown) => {
        log.error({ err }, 'the outbox was not read');
        return false;
      });
      if (!found) await sleep(pollEveryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const workers = Promise.all(Array.from({ length: atOnce }, work));

  return {
    silentMs: () => (sending >= atOnce ? 0 : performance.now() - answeredAt),
    async stop() {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([workers, sleep(PATIENCE_MS, undefined, { signal: patience.signal })]);
      patience.abort();
    },
  };
}
