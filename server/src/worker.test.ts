import { parseCrontab } from 'graphile-worker';
import { getDescription } from 'valibot';
import { expect, test } from 'vitest';
import { settingsSchema } from './settings-schema.ts';
import { CRONTAB, JOB_CONNECTIONS, type JobDeps, jobHandlers } from './worker.ts';

const MINUTES_OF_A_DAY = 24 * 60;

/** How many minutes apart each job of a schedule begins, at most, over four days of winter. */
function gapsOf(crontab: string): Record<string, number> {
  const begin = Date.UTC(2026, 10, 21);
  return Object.fromEntries(
    parseCrontab(crontab).map(({ task, match }) => {
      const minutes = Array.from({ length: 4 * MINUTES_OF_A_DAY }, (_, minute) => minute).filter((minute) => {
        const at = new Date(begin + minute * 60_000);
        return match({
          min: at.getUTCMinutes(),
          hour: at.getUTCHours(),
          date: at.getUTCDate(),
          month: at.getUTCMonth() + 1,
          dow: at.getUTCDay(),
        });
      });
      return [task, Math.max(...minutes.slice(1).map((minute, place) => minute - (minutes[place] ?? 0)))];
    }),
  );
}

test('what nobody asks for runs by the clock: lost charges, late disputes and the books are looked at in time', () => {
  expect(gapsOf(CRONTAB)).toEqual({
    expire_references: 5,
    fold_sums: 1,
    queue_shop_mails: 1,
    // From 8:00 in Mexico City; six hours of tries, each owner once.
    queue_digests: 18 * 60 + 10,
    // From 10:00 to 19:40 in Mexico City: the hours of reminders, each once.
    queue_reminders: 14 * 60 + 20,
    poll_cash_references: 5,
    sweep_card_payments: MINUTES_OF_A_DAY,
    recheck_captured: 60,
    // From 9:20 to 17:20 in Mexico City, when people read their mail and can pay.
    end_late_plans: 16 * 60,
    prune: MINUTES_OF_A_DAY,
    prove_books: MINUTES_OF_A_DAY,
  });
});

test('every job of the schedule is one that the server does', () => {
  expect(Object.keys(jobHandlers({} as JobDeps))).toEqual(
    expect.arrayContaining(Object.keys(gapsOf(CRONTAB))),
  );
});

test('who counts the connections of a server reads how many its jobs have, and the one that hears of changes', () => {
  const said = getDescription(settingsSchema(false).entries.DATABASE_POOL);
  expect(said).toContain(`have up to ${JOB_CONNECTIONS + 1} more.`);
});
