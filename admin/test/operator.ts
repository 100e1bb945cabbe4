import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { composeOver, openDatabase } from '@aparta/server/compose';
import { openDb, type Db } from '@aparta/server/platform/db/db';
import { createLog } from '@aparta/server/platform/logging';
import { NOOP_INSTRUMENTATION } from '@aparta/server/platform/telemetry/instrumentation';
import pg from 'pg';
import { inject } from 'vitest';
import { runAdmin } from '../src/run.ts';

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** An operator at a terminal, with an empty database of their own. */
export interface Operator {
  readonly db: Db;
  /** Runs one command; a line is split at its spaces, so pass a list for a value with spaces. */
  run(line: string | readonly string[], given?: { input?: string }): Promise<Answer>;
  /** The same, which must succeed; resolves with its data. */
  done(line: string | readonly string[], given?: { input?: string }): Promise<any>;
  /** Writes a file and returns its path. */
  file(name: string, bytes: Buffer): string;
  /** A company with a merchant of 20 %, every 30 days for 60 days. */
  shop(): Promise<void>;
  /** Loads a CSV of products. */
  products(merchant: number, csv: string): Promise<void>;
  /** Runs a statement as the role that owns the schema, without the application's restrictions. */
  asOwner(statement: string): Promise<pg.QueryResult>;
  /** Everything that commands have printed so far. */
  heard(): string;
  close(): Promise<void>;
}

export const OPERATOR = 'maria';

/** Every setting that production requires. Nothing listens at its providers' addresses. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://aparta.example',
  REQUIRE_TERMS: 'true',
  SERVICE_FEE_POLICY: 'card:15.00',
  SECRETS_KEY: `7:${createHash('sha256').update('operator').digest('base64')}`,
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Aparta <no-responder@aparta.example>',
  CLIP_API_BASE: 'https://127.0.0.1:9',
  TAPI_API_BASE: 'https://127.0.0.1:9',
  TAPI_USERNAME: 'user',
  TAPI_PASSWORD: 'password',
  TAPI_LOGIN_KEY: 'login',
  TAPI_REFERENCES_KEY: 'references',
  TAPI_COMPANY_CODE: 'MX-S-1',
  TAPI_MODALITY_ID: 'b0000000-0000-4000-8000-000000000001',
  TAPI_IDENTIFIER_NAME: 'referencia',
  TAPI_NOTICE_KEYS: 'a-notice-key-of-24-characters',
  FACTURA_GREEN_BASE: 'https://127.0.0.1:9',
  FACTURA_GREEN_APPLICATION_KEY: 'an-application-key-of-24',
  FACTURA_GREEN_ACCOUNT_UUID: 'b0000000-0000-4000-8000-000000000009',
  HELP_EMAIL: 'ayuda@aparta.example',
  HELP_PHONE: '2225550100',
};

export async function seatOperator(env: Readonly<Record<string, string>> = {}): Promise<Operator> {
  const { url: server, template } = inject('testServer');
  const name = `admin_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name} template ${template} strategy wal_log`);
  const own = new URL(server);
  own.pathname = `/${name}`;
  const db = openDb({ url: own.href, role: 'none', max: 2 });
  // One for all commands: the first statements of a connection cost more than the rest of a command.
  const log = createLog('silent');
  const login = { url: own.href, role: 'aparta_operator' } as const;
  const database = openDatabase({ ...login, max: 4 }, log);
  const isElsewhere = env['DATABASE_URL'] !== undefined;
  let heard = '';

  const run: Operator['run'] = async (line, { input = '' } = {}) => {
    const said = { out: '', err: '' };
    const code = await runAdmin(typeof line === 'string' ? line.split(' ') : line, {
      env: { DATABASE_URL: own.href, APARTA_OPERATOR: OPERATOR, ...env },
      terminal: {
        input: Readable.from([input]),
        out: (text) => (said.out += text),
        err: (text) => (said.err += text),
        isWatched: false,
      },
      ...(!isElsewhere && {
        composed: (settings) =>
          composeOver(database, settings, log, { instrumentation: NOOP_INSTRUMENTATION, login }),
      }),
    });
    heard += said.out + said.err;
    return { code, ...said };
  };
  const done: Operator['done'] = async (line, given) => {
    const { code, out, err } = await run(
      typeof line === 'string' ? `${line} --json` : [...line, '--json'],
      given,
    );
    if (code !== 0) throw new Error(`${String(line)} ended with ${code}: ${err}`);
    return JSON.parse(out);
  };
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-operator-'));
  const file: Operator['file'] = (called, bytes) => {
    const where = path.join(folder, called);
    fs.writeFileSync(where, bytes);
    return where;
  };
  return {
    db,
    run,
    done,
    file,
    async shop() {
      const { id } = await done(['company', 'add', 'Grupo Mueblero']);
      await done(
        [
          `merchant add --company ${id} --business-name Muebles --trade-name Muebles`,
          '--deposit 20 --frequency 30 --duration 60',
        ].join(' '),
      );
    },
    async products(merchant, csv) {
      await done(['product', 'import', String(merchant), file('productos.csv', Buffer.from(csv))]);
    },
    asOwner: (statement) => execute(own.href, statement),
    heard: () => heard,
    async close() {
      await db.destroy();
      await database.db.destroy();
      fs.rmSync(folder, { recursive: true });
      await execute(server, `drop database ${name} with (force)`);
    },
  };
}

async function execute(to: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
