import { Gauge, type Registry } from '@prometheus-io/client';

import { openPool } from '../db/pool.ts';

/** One query, and the gauges that its columns are. The other columns are labels: words of the code, never of a person. */
interface Reading {
  readonly labels: readonly string[];
  readonly gauges: Readonly<Record<string, { readonly name: string; readonly help: string }>>;
  readonly query: string;
}

const AGE = (since: string) => `coalesce(extract(epoch from app_now() - min(${since})), 0)::float8 as oldest`;
const COUNT = 'count(*)::float8 as count';

/** Each reads through an index: what is open is little, however much was ever done. */
const READINGS: readonly Reading[] = [
  {
    labels: ['state'],
    gauges: {
      count: { name: 'aparta_card_attempts', help: 'Card attempts that are not decided, by state' },
      oldest: {
        name: 'aparta_card_attempts_oldest_seconds',
        help: 'How long the oldest of them has been in its state',
      },
    },
    query: `
      select s.state, count(a.state_since)::float8 as count, ${AGE('a.state_since')}
      from unnest(array['submitting', 'pending_3ds', 'unknown', 'held']) s (state)
      left join (
        select state, state_since from card_attempts where state in ('submitting', 'pending_3ds', 'unknown')
        union all select state, state_since from card_attempts where state = 'held'
      ) a using (state) group by 1`,
  },
  {
    labels: ['method', 'state'],
    gauges: {
      count: { name: 'aparta_refunds', help: 'Refunds that are not done, by method and state' },
      oldest: { name: 'aparta_refunds_oldest_seconds', help: 'Age of the oldest of them' },
    },
    query: `
      select w.method, w.state, count(r.id)::float8 as count, ${AGE('r.created_at')}
      from (values ('card', 'owed'), ('card', 'sending'), ('card', 'unknown'), ('card', 'blocked'), ('cash', 'owed')) w (method, state)
      left join (
        select id, method, state, created_at from refunds where state in ('owed', 'sending', 'unknown', 'blocked')
      ) r using (method, state) group by 1, 2`,
  },
  {
    labels: ['state'],
    gauges: {
      count: { name: 'aparta_emails', help: 'Emails that are not sent, by state' },
      oldest: { name: 'aparta_emails_oldest_seconds', help: 'Age of the oldest of them' },
    },
    query: `
      select s.state, count(o.created_at)::float8 as count, ${AGE('o.created_at')}
      from unnest(array['waiting', 'failed']) s (state)
      left join (
        select state, created_at from outbox where state = 'waiting'
        union all select state, created_at from outbox where state = 'failed'
      ) o using (state) group by 1`,
  },
  {
    labels: ['state'],
    gauges: {
      count: { name: 'aparta_invoices', help: 'Invoices that are not issued, by state' },
      oldest: { name: 'aparta_invoices_oldest_seconds', help: 'Age of the oldest of them' },
    },
    query: `
      select s.state, count(i.created_at)::float8 as count, ${AGE('i.created_at')}
      from unnest(array['requested', 'sending', 'stamped', 'review']) s (state)
      left join (
        select state, created_at from invoices where state in ('requested', 'sending', 'stamped', 'review')
      ) i using (state) group by 1`,
  },
  {
    labels: ['kind'],
    gauges: {
      count: { name: 'aparta_alerts_open', help: 'Alerts that nobody resolved, by kind' },
      oldest: { name: 'aparta_alerts_oldest_seconds', help: 'Age of the oldest of them' },
    },
    query: `select kind, ${COUNT}, ${AGE('first_at')} from alerts where resolved_at is null group by 1`,
  },
  {
    // Jobs that are done are not kept, so the whole queue is what is open.
    labels: ['task', 'state'],
    gauges: { count: { name: 'aparta_jobs', help: 'Jobs in the queue, by task and state' } },
    query: `
      select task_identifier as task, ${COUNT},
        case when locked_at is not null then 'running' when attempts >= max_attempts then 'gave_up'
          when last_error is not null then 'failing' when run_at <= now() then 'due' else 'waiting' end as state
      from graphile_worker.jobs group by 1, 3`,
  },
  {
    labels: [],
    gauges: {
      oldest: {
        name: 'aparta_jobs_oldest_due_seconds',
        help: 'How long the job that is due longest has waited for a worker',
      },
    },
    query: `
      select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as oldest from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts`,
  },
  {
    labels: ['channel'],
    gauges: {
      at: { name: 'aparta_receipt_last_timestamp_seconds', help: 'When money last came by a channel' },
    },
    query: `
      select channel, extract(epoch from max(received_at))::float8 as at
      from (select channel, received_at from receipts order by id desc limit 2000) latest group by 1`,
  },
  {
    labels: [],
    gauges: {
      at: {
        name: 'aparta_books_proved_timestamp_seconds',
        help: 'When the books were last proven; the last migration before the first proof',
      },
      broken: { name: 'aparta_books_broken_proofs', help: 'Proofs that did not hold then' },
    },
    query: `
      select coalesce(extract(epoch from p.proved_at), extract(epoch from m.at))::float8 as at,
        coalesce(p.broken, 0)::float8 as broken
      from (select max(timestamp::timestamptz) as at from kysely_migration) m
      left join (select proved_at, broken from book_proofs order by id desc limit 1) p on true`,
  },
  {
    labels: [],
    gauges: {
      at: {
        name: 'aparta_backup_timestamp_seconds',
        help: 'When the database was last backed up; the last migration before the first backup',
      },
    },
    query: `
      select extract(epoch from coalesce(
        (select max(at) from audit_log where subject_kind = 'backup'),
        (select max(timestamp::timestamptz) from kysely_migration)))::float8 as at`,
  },
];

/** A scrape waits no longer for a reading; it gets the last one. */
const PATIENCE_MS = 3_000;

export interface DatabaseGauges {
  /** Brings the gauges up to date, unless they are fresh. Never throws. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gauges that are read from the database, on one connection of their own: they work while the application's pool is used up, and
 * however often they are scraped the database sees one reading in `freshMs`, each query bounded. A gauge whose query failed is
 * absent, and `aparta_database_up` is 0. The login role reads, because the queue is closed to the application's.
 */
export function databaseGauges(
  registry: Registry,
  { databaseUrl, freshMs }: { databaseUrl: string; freshMs: number },
): DatabaseGauges {
  const registers = [registry];
  const isUp = new Gauge({
    name: 'aparta_database_up',
    help: '1 when all that is read from the database could be read',
    registers,
  });
  const readings = READINGS.map(({ labels, gauges, query }) => ({
    query,
    labels,
    gauges: Object.entries(gauges).map(([column, { name, help }]) => ({
      column,
      gauge: new Gauge({ name, help, labelNames: labels, registers }),
    })),
  }));
  // One without labels would begin as 0: 'not_sent' where nobody checked yet.
  for (const { labels, gauges } of readings) for (const { gauge } of gauges) empty(gauge, labels);
  const pool = openPool({
    url: databaseUrl,
    max: 1,
    settings: ['default_transaction_read_only=on', 'statement_timeout=2s', 'lock_timeout=500ms'],
    silenceMs: 2_500, // a database that is gone says nothing
  });

  async function read(): Promise<void> {
    let failures = 0;
    for (const { query, labels, gauges } of readings) {
      // After one that could not even connect, the others would wait as long.
      const rows = failures > 0 && pool.totalCount === 0 ? undefined : await rowsOf(query);
      if (rows === undefined) failures += 1;
      for (const { column, gauge } of gauges) {
        empty(gauge, labels);
        for (const row of rows ?? []) {
          const named = Object.fromEntries(labels.map((label) => [label, String(row[label])]));
          gauge.set(named, Number(row[column]));
        }
      }
    }
    isUp.set(failures === 0 ? 1 : 0);
  }

  async function rowsOf(query: string): Promise<Record<string, unknown>[] | undefined> {
    try {
      return (await pool.query<Record<string, unknown>>(query)).rows;
    } catch {
      return undefined;
    }
  }

  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  return {
    async refresh() {
      if (performance.now() - readAt < freshMs) return;
      reading ??= read().finally(() => {
        readAt = performance.now();
        reading = undefined;
      });
      let timer: NodeJS.Timeout | undefined;
      const impatience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS);
      });
      await Promise.race([reading, impatience]);
      clearTimeout(timer);
    },
    async close() {
      await reading;
      await pool.end();
    },
  };
}

function empty(gauge: Gauge, labels: readonly string[]): void {
  gauge.reset();
  if (labels.length === 0) gauge.remove();
}
