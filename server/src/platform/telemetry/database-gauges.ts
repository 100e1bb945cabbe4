import { Gauge, type Registry } from '@prometheus-io/client';

import { openPool } from '../db/pool.ts';
import { READINGS } from './read-model.ts';

/** A scrape waits this long for a reading, then gets the last one. */
const PATIENCE_MS = 3_000;

export interface DatabaseGauges {
  /** Brings the gauges up to date, unless they are fresh. Never throws. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gauges read from the database, on a connection of their own, so that they work while the application's pool is used up. The
 * database is read at most once in `freshMs`, each query bounded. A gauge whose query failed is absent, and
 * `aparta_database_up` is 0. The login role reads, because the application's role may not see the queue.
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
  // A gauge without labels would begin as 0, which would claim what nobody has read yet.
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
