import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Size } from './against-raw.ts';
import { benchDeposits } from './deposits.ts';
import { databasesOf, type DurablePostgres } from './durable-postgres.ts';
import { benchInstalments } from './instalments.ts';

const TINY: Size = { loads: [{ atOnce: 2, perRound: 4 }], rounds: 1, warmUp: 8 };

/** The run's own server, with databases of other names that end with the test. */
function borrowed(): DurablePostgres {
  const { url, template } = inject('testServer');
  const prefix = `bench_${randomBytes(4).toString('hex')}_`;
  const { run, create } = databasesOf(url);
  const made: string[] = [];
  return {
    run: (database, statements) => run(prefix + database, statements),
    create(database, copyOf) {
      made.push(prefix + database);
      const migrated = database === 'product' ? template : undefined;
      return create(prefix + database, copyOf === undefined ? migrated : prefix + copyOf);
    },
    cpuMs: () => undefined,
    async stop() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const database of made) await client.query(`drop database ${database} with (force)`);
      await client.end();
    },
  };
}

test.each([
  ['deposits', benchDeposits, {}],
  ['instalments, where no pgbench is,', benchInstalments, { pgbench: undefined }],
])(
  'what measures %s pays by each way, recorded and sent again, and its books are whole',
  async (_, bench, given) => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
    onTestFinished(() => void vi.restoreAllMocks());
    await bench(() => {}, { size: TINY, postgres: borrowed(), ...given });
    expect(printed.join('\n')).toContain('till call');
    expect(printed.join('\n')).not.toContain('NaN');
  },
);
