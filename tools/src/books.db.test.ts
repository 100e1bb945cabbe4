import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

const BOOKS = fileURLToPath(new URL('./books.ts', import.meta.url));

let url: string;
let name: string;

beforeEach(async () => {
  const { url: server, template } = inject('testServer');
  name = `books_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name} template ${template}`);
  const own = new URL(server);
  own.pathname = `/${name}`;
  url = own.href;
});
afterEach(() => execute(inject('testServer').url, `drop database ${name} with (force)`));

async function execute(to: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** An event that claims to have so many legs, and has one, of $1,234.50. */
const event = (legs: number) => `
  set session_replication_role = 'replica';
  with event as (insert into ledger_events (merchant_id, kind, source_id, legs)
    values (1, 'payout', 'deposit-7', ${legs}) returning id)
  insert into ledger_transfers
    select id, 1, ${legs}, 1, 'merchant_funds', '1', 'card_clearing', '1', 123450 from event`;

function books(env: NodeJS.ProcessEnv = { DATABASE_URL: url }): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BOOKS], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, said: stdout + stderr };
}

describe('npm run books', () => {
  test('says of each proof that it holds, and what every account has', async () => {
    await execute(url, event(1));
    const { status, said } = books();
    expect(said).toMatch(/^ok {6}every event has all its transfers, and every transfer its event$/m);
    expect(said).not.toContain('BROKEN');
    expect(said).toMatch(/^ +merchant_funds +\$1,234\.50$/m);
    expect(said).toMatch(/^ +card_clearing +-\$1,234\.50$/m);
    expect(said).toMatch(/^ +suspense +\$0\.00$/m);
    expect(said.trimEnd().split('\n').at(-1)).toBe('aparta: The books hold');
    expect(status).toBe(0);
  });

  test('names what breaks a proof, and ends with 1', async () => {
    await execute(url, event(2));
    const { status, said } = books();
    expect(said).toMatch(/^BROKEN {2}every event has all its transfers, and every transfer its event: 1$/m);
    expect(said).toMatch(/^ok {6}no account is below zero$/m);
    expect(said).toMatch(/^aparta: The books do not hold: 1 of \d+ proofs are broken$/m);
    expect(status).toBe(1);
  });

  test('a database that was never migrated is a sentence, not a clean bill', async () => {
    await execute(url, 'drop table kysely_migration');
    const { status, said } = books();
    expect(said).toBe('aparta: The database is not up to date: run npm run migrate first.\n');
    expect(status).toBe(1);
  });

  test('a database that does not answer is a sentence', () => {
    const { status, said } = books({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' });
    expect(said).toMatch(/^aparta: The database does not answer: .+\n$/);
    expect(status).toBe(1);
  });

  test('a folder without a database stays without one', () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-books-'));
    const { status, said } = books({ DATABASE_URL: '', DATA_DIR: dataDir });
    expect(said).toMatch(
      /^aparta: There is no database in .+: set DATA_DIR or DATABASE_URL to where it is\.\n$/,
    );
    expect(fs.readdirSync(dataDir)).toEqual([]);
    fs.rmdirSync(dataDir);
    expect(status).toBe(1);
  });
});
