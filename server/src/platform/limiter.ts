import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

import { type RawBuilder, sql } from 'kysely';

import type { Db } from './db/db.ts';
import { Refusal } from './refusal.ts';

/** How often something may happen within a window, which starts with the first time. */
export interface Limit {
  readonly times: number;
  readonly seconds: number;
}

/** Counts in the database, so that all servers share the counts and a restart keeps them. */
export interface Limiter {
  /** Counts one; resolves with the count of the current window and when the window ends. */
  count(name: string, subject: string, seconds: number): Promise<{ times: number; leftMs: number }>;
  /** Counts one; refuses with TOO_MANY once the window is full. */
  take(name: string, subject: string, limit: Limit): Promise<void>;
  /**
   * Counts one; from the last of `times` on each makes the next wait, a minute at first and twice as long each time, `seconds` at
   * most; refuses with TOO_MANY one that comes too early, without counting it. A day without any forgets them.
   */
  pace(name: string, subject: string, limit: Limit): Promise<void>;
  /** Uncounts all: whoever was slowed down turned out well. */
  forgive(name: string, subject: string): Promise<void>;
  /** Uncounts one that turned out well. */
  giveBack(name: string, subject: string): Promise<void>;
  /** Remembers a subject for some time, or asks whether it is remembered. */
  remember(name: string, subject: string, seconds: number): Promise<void>;
  remembers(name: string, subject: string): Promise<boolean>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_WAIT_MS = 60_000;

/** A limit's key for a subject. Subjects are email addresses and addresses: the table holds only their hashes. */
export function limitKey(name: string, subject: string): string {
  return `${name}:${createHash('sha256').update(subject).digest('base64url').slice(0, 22)}`;
}

const now = sql<number>`(extract(epoch from app_now()) * 1000)::bigint`;

/** Whether the limit of a key ({@link limitKey}) is used up, as an expression for a statement that is sent anyway. */
export function isFull(key: RawBuilder<unknown>, times: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from rate_counters where rate_counters.key = ${key} and expire > ${now} and points >= ${times})`;
}

/** How many seconds a limit that is used up stays so; 0 when it is not. */
export async function secondsFull(db: Db, key: string, times: number): Promise<number> {
  const { rows } = await sql<{ leftMs: number }>`
    select expire - ${now} as "leftMs" from rate_counters
    where key = ${key} and ${isFull(sql`${key}::text`, sql`${times}::int`)}`.execute(db);
  return (rows[0]?.leftMs ?? 0) / 1_000;
}

export function createLimiter(db: Db): Limiter {
  return {
    async count(name, subject, seconds) {
      const windowMs = seconds * 1000;
      // One statement, so that concurrent calls are counted one by one.
      const { rows } = await sql<{ points: number; left_ms: number }>`
        insert into rate_counters as counter (key, points, expire)
        values (${limitKey(name, subject)}, 1, ${now} + ${windowMs}::bigint)
        on conflict (key) do update set
          points = case when counter.expire <= ${now} then 1 else least(counter.points, 1000000) + 1 end,
          expire = case when counter.expire <= ${now} then excluded.expire else counter.expire end
        returning points, expire - ${now} as left_ms`.execute(db);
      const { points, left_ms } = rows[0] ?? { points: 0, left_ms: 0 };
      return { times: points, leftMs: left_ms };
    },

    async take(name, subject, limit) {
      const { times, leftMs } = await this.count(name, subject, limit.seconds);
      if (times > limit.times)
        throw new Refusal('TOO_MANY', { retryAfterSeconds: Math.max(1, leftMs / 1000) });
    },

    async pace(name, subject, { times, seconds }) {
      // `expire` is when the tries are forgotten: a day after the next one may come.
      const mayCome = sql`counter.expire - ${DAY_MS}::bigint`;
      const waitMs = (tries: RawBuilder<number>) => sql`case when ${tries} < ${times} then 0
        else least(${seconds * 1000}, ${FIRST_WAIT_MS} * 2 ^ least(${tries} - ${times}, 30)) end::bigint`;
      // Of two at once the one that is counted second may have begun first: while tries are free, no moment is compared.
      const { rows } = await sql`
        insert into rate_counters as counter (key, points, expire)
        values (${limitKey(name, subject)}, 1, ${now} + ${DAY_MS}::bigint + ${waitMs(sql`1`)})
        on conflict (key) do update set
          points = case when counter.expire <= ${now} then 1 else least(counter.points, 1000000) + 1 end,
          expire = case when counter.expire <= ${now} then excluded.expire
            else ${now} + ${DAY_MS}::bigint + ${waitMs(sql`counter.points + 1`)} end
        where counter.points < ${times} or ${mayCome} <= ${now}
        returning key`.execute(db);
      if (rows.length > 0) return;
      const row = await db
        .selectFrom('rate_counters as counter')
        .select(sql<number>`${mayCome} - ${now}`.as('leftMs'))
        .where('key', '=', limitKey(name, subject))
        .executeTakeFirst();
      throw new Refusal('TOO_MANY', { retryAfterSeconds: Math.max(1, (row?.leftMs ?? 0) / 1000) });
    },

    async forgive(name, subject) {
      await db
        .updateTable('rate_counters')
        .set({ points: 0, expire: now })
        .where('key', '=', limitKey(name, subject))
        .execute();
    },

    async giveBack(name, subject) {
      await db
        .updateTable('rate_counters')
        .set((counter) => ({ points: counter('points', '-', 1) }))
        .where('key', '=', limitKey(name, subject))
        .where('points', '>', 0)
        .execute();
    },

    async remember(name, subject, seconds) {
      await sql`
        insert into rate_counters (key, points, expire)
        values (${limitKey(name, subject)}, 1, ${now} + ${seconds * 1000}::bigint)
        on conflict (key) do update set expire = excluded.expire`.execute(db);
    },

    async remembers(name, subject) {
      const found = await db
        .selectFrom('rate_counters')
        .select('key')
        .where('key', '=', limitKey(name, subject))
        .where('expire', '>', now)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

/** The prefix that limits count: an IPv6 /64 is what a provider gives one customer. */
export function ipPrefixOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}
