import { Writable } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import { compose, composeOver, type Composition } from '../src/compose.ts';
import { type Db, openDb } from '../src/platform/db/db.ts';
import { readSettings, type Environment, type Settings } from '../src/env.ts';
import { buildApp, type AppOptions } from '../src/platform/http/app.ts';
import { createLog } from '../src/platform/logging.ts';
import { openTelemetry, type Telemetry } from '../src/platform/telemetry/open.ts';
import { createTestDatabase } from './database.ts';
import { LENT_POOL, lendDatabase } from './lent-database.ts';
import { noteRefusal } from './refusals-seen.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: any;
}

export interface Ask {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** The server as it is wired for real, over a database of its own, without a socket. */
export interface TestApp {
  readonly app: FastifyInstance;
  /** Of the login that owns the database, for tests to arrange what they need. The server's own is `jobs.db`. */
  readonly db: Db;
  readonly settings: Settings;
  /** Of the login that owns the database. */
  readonly ownerUrl: string;
  /** What the jobs are given; tests run them by name. */
  readonly jobs: Composition['jobs'];
  /** The instrumentation, when `env` asks for it. */
  readonly telemetry: Telemetry;
  /** Calls `'GET /v1/…'`. */
  ask(call: string, ask?: Ask): Promise<Answer>;
  /** Everything logged so far, as text. */
  logged(): string;
  close(): Promise<void>;
}

export interface TestAppOptions {
  readonly env?: Environment;
  /** Changes what `compose` made, e.g. to serve a web folder. */
  readonly app?: Partial<AppOptions>;
}

/** What a helper's browser has to show in tests: as many hashes as in life would be most of what they do. */
export const LITTLE_WORK = 4;

export async function startTestApp({ env = {}, app: changes = {} }: TestAppOptions = {}): Promise<TestApp> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  // With pools of its own, or statements that are watched, a test needs more than an empty database.
  const isOrdinary = !Object.keys(env).some((name) => /^(DATABASE|OTEL|METRICS)_/.test(name));
  const lent = isOrdinary ? await lendDatabase(sink) : undefined;
  const database = lent ?? (await createTestDatabase());
  // Tests call as nobody does, on a busy computer: shedding is tested where it is asked for.
  const plenty = { callsPerBuyer: { times: 1e6, seconds: 1 }, patienceMs: 60_000, helpWorkBits: LITTLE_WORK };
  const clocks = { ...plenty, ...JSON.parse(env['TEST_CLOCKS'] ?? '{}') };
  const read = readSettings({
    DATABASE_URL: database.serverUrl,
    DATABASE_POOL: String(LENT_POOL),
    ...env,
    TEST_CLOCKS: JSON.stringify(clocks),
  });
  if ('problems' in read) throw new Error(read.problems.join('; '));
  const ownerUrl = env['DATABASE_OWNER_URL'] ?? database.url;
  const telemetry = await openTelemetry(read.settings.telemetry, database.serverUrl);
  const log = createLog('debug', sink);
  const { instrumentation } = telemetry;
  const parts =
    lent === undefined
      ? compose(read.settings, log, instrumentation)
      : composeOver(lent.server, read.settings, log, {
          instrumentation,
          login: { url: lent.serverUrl, role: 'aparta_app' },
        });
  const db = lent?.db ?? openDb({ url: ownerUrl, role: 'none', max: LENT_POOL });
  const { web: _built, ...wired } = parts.app;
  const app = await buildApp({ ...wired, ...changes });
  let unanswered = 0;
  return {
    app,
    db,
    settings: read.settings,
    ownerUrl,
    jobs: parts.jobs,
    telemetry,
    async ask(call, { token, body, headers, address = '198.51.100.7' } = {}) {
      const [method = 'GET', url = '/'] = call.split(' ');
      const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
      unanswered += 1;
      const injected = app.inject({
        method: method as 'GET',
        url,
        remoteAddress: address,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(text !== undefined && { payload: text }),
      });
      const response = await injected.finally(() => void (unanswered -= 1));
      const isJson = String(response.headers['content-type']).includes('json') && response.body !== '';
      const answered = isJson ? response.json() : response.body;
      noteRefusal(method, url, answered);
      return { status: response.statusCode, headers: response.headers, body: answered };
    },
    logged: () => lines.join(''),
    async close() {
      await app.close();
      await parts.stop();
      await telemetry.close();
      // What nobody waited for would still write when the next test has the database.
      if (lent !== undefined) return unanswered === 0 ? lent.giveBack() : lent.drop();
      await db.destroy();
      await database.drop();
    },
  };
}
