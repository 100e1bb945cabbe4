import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSandbox, type Sandbox } from '@aparta/sandbox/app';
import { readSettings } from '@aparta/server/env';
import { type Db, openDb } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import type { KeyRing } from '@aparta/server/platform/secrets';
import { freePort } from '@aparta/server/test/free-port';
import { makeBuyer, makeMerchant, makeProduct, makeServiceAccount } from '@aparta/server/test/make';
import { nodeEnvironment } from '@aparta/server/test/node-environment';
import { openRelay, type Relay } from '@aparta/server/test/relay';
import { serverProgram } from '../build-product.ts';
import { startPostgres } from '../postgres.ts';
import { DIE_WITH_PARENT } from '../program.ts';
import { query } from '../query.ts';
import { silenceTree } from '../silence-postgres.ts';

const MAIN = serverProgram();
/** What is not committed to a disk is what the machine that runs this would lose, not what a killed process does. */
const DATABASE_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '150' };

/** A key pair that the provider's sandbox knows from the start. */
export const CARD_KEYS = { publicKey: 'a0000000-0000-4000-8000-000000000001', secret: 'demo-secret-1' };
export const CHAIN = 'CAJA';

/** Waits that are short enough to be seen to end. A charge is done within three seconds here, or never. */
const CLOCKS = {
  sendWithinMs: 2_000,
  submittingMs: 3_000,
  chargeTimeoutMs: 3_000,
  readTimeoutMs: 2_000,
  cashTimeoutMs: 2_000,
  unknownPollsMs: [300, 800, 1_500, 3_000, 6_000, 9_000, 11_000],
  threeDsPollsMs: [500, 1_000, 2_000, 4_000],
  threeDsMs: 6_000,
  notFoundCountsAfterMs: 8_000,
  watchPollsMs: [1_000, 4_000, 8_000],
  // A day. Shorter, and after half an hour hundreds of freed attempts are asked about at any moment.
  pollEveryMs: 300_000,
  coalesceMs: 0,
  // Everything lives on this one small computer: shedding has tests of its own.
  patienceMs: 2_000,
  breakerPauseMs: 1,
  metricsFreshMs: 0,
  rejectionsPerBuyer: 999_999,
  rejectionsPerReference: 999_999,
  rejectionsPerMerchant: 999_999,
  rejectionsPerCard: 999_999,
  cardsPerBuyer: 999_999,
  attemptsPerAddress: 999_999,
};

/** A server that is begun again whenever it ends, as systemd does. */
interface Server {
  readonly origin: string;
  /** Whether its disk has no room for its log, from its next beginning on. */
  diskIsFull: boolean;
  kill(): void;
  /** How often it ended by itself after it had served. */
  readonly deaths: readonly string[];
  hasServed: boolean;
  /** How often it began. */
  lives: number;
}

/** Who sells, at which till, to whom. */
interface Shop {
  readonly merchantId: number;
  readonly productIds: readonly number[];
  readonly tillToken: string;
  /** A buyer who has not bought yet. */
  newcomer(): Promise<Buyer>;
}

interface Buyer {
  readonly id: number;
  readonly token: string;
}

export interface World {
  readonly sandbox: Sandbox;
  readonly db: Db;
  readonly database: {
    readonly url: string;
    silence(): () => void;
    /** Kills one of its processes: it ends all others, and recovers. */
    crash(): void;
    /** Ends every connection to it. */
    cut(): void;
    /** Kills all of it and starts it again. */
    restart(): Promise<void>;
  };
  readonly servers: readonly Server[];
  readonly email: Relay;
  readonly providers: Relay;
  readonly shop: Shop;
  control(method: string, where: string, body?: unknown): Promise<any>;
  close(): Promise<void>;
}

export async function openWorld(given: { servers: number }): Promise<World> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-chaos-'));
  fs.chmodSync(folder, 0o755);
  const undo: (() => unknown)[] = [() => fs.rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const ports = await Promise.all(Array.from({ length: given.servers }, () => freePort()));
    const origin = `http://localhost:${ports[0]}`;
    const sandbox = await createSandbox({
      productOrigin: origin,
      waits: { webhookMs: 50, lateReplyMs: 4_000 },
    });
    undo.push(() => sandbox.close());
    const email = await openRelay(`smtp://127.0.0.1:${sandbox.smtpPort}`);
    undo.push(() => email.close());
    const providers = await openRelay(sandbox.apiUrl);
    undo.push(() => providers.close());
    const database = await openDatabase(path.join(folder, 'postgres'), undo);
    await migrate(database.url);
    const providersUrl = new URL(providers.url).origin;
    const env = {
      DATABASE_URL: database.url,
      DATABASE_POOL: '10',
      PUBLIC_ORIGIN: origin,
      SECRETS_KEY: randomBytes(32).fill(7).toString('base64'),
      CLIP_API_BASE: providersUrl,
      CLIP_3DS_ORIGINS: sandbox.threeDsOrigin,
      TAPI_LOGIN_BASE: providersUrl,
      TAPI_API_BASE: providersUrl,
      FACTURA_GREEN_BASE: providersUrl,
      SMTP_URL: email.url,
      TEST_CLOCKS: JSON.stringify(CLOCKS),
    };
    const read = readSettings(env);
    if ('problems' in read) throw new Error(read.problems.join('; '));
    const db = openDb({ url: database.url, role: 'none', max: 4 });
    undo.push(() => db.destroy());
    const shop = await openShop(db, read.settings.keyRing);
    const servers = ports.map((port) => openServer({ ...env, PORT: String(port) }, port, folder, undo));
    await Promise.all(servers.map(untilReady));
    return { sandbox, db, database, servers, email, providers, shop, control: controlOf(sandbox), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openShop(db: Db, keyRing: KeyRing): Promise<Shop> {
  const merchantId = await makeMerchant(db, { cards: { keyRing, ...CARD_KEYS } });
  return {
    merchantId,
    productIds: await Promise.all(Array.from({ length: 5 }, () => makeProduct(db, { merchantId }))),
    tillToken: (await makeServiceAccount(db, { kind: 'till', chain: CHAIN })).token,
    async newcomer() {
      for (let tries = 1; ; tries += 1) {
        try {
          return await makeBuyer(db);
        } catch (error) {
          if (tries >= 30) throw error; // the database is down a while
          await pause(1_000);
        }
      }
    },
  };
}

async function openDatabase(dataDir: string, undo: (() => unknown)[]): Promise<World['database']> {
  // Killed, it begins again where it was.
  const port = await freePort();
  const start = () => startPostgres({ dataDir, port, settings: DATABASE_SETTINGS });
  let running = await start();
  let goOn = () => {};
  undo.push(async () => {
    goOn();
    await running.stop();
  });
  const postmaster = () =>
    Number(fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    url: running.url,
    silence() {
      goOn = silenceTree(postmaster());
      return goOn;
    },
    crash() {
      goOn();
      void query<{ pid: number }>(
        running.url,
        `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
      ).then(
        ([row]) => row && process.kill(row.pid, 'SIGKILL'),
        () => {},
      );
    },
    cut() {
      const others = `backend_type = 'client backend' and pid <> pg_backend_pid()`;
      const ends = `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`;
      query(running.url, ends).catch(() => {});
    },
    async restart() {
      goOn();
      process.kill(postmaster(), 'SIGKILL');
      for (let tries = 0; ; tries += 1) {
        await pause(300);
        try {
          running = await start();
          return;
        } catch (error) {
          if (tries > 60) throw error; // its processes still leave
        }
      }
    },
  };
}

function openServer(
  env: Record<string, string>,
  port: number,
  folder: string,
  undo: (() => unknown)[],
): Server {
  const deaths: string[] = [];
  let child: ChildProcess;
  let isOver = false;
  const server = {
    origin: `http://127.0.0.1:${port}`,
    diskIsFull: false,
    deaths,
    hasServed: false,
    lives: 0,
    kill: () => void child.kill('SIGKILL'),
  };
  const logFile = path.join(folder, `${port}.log`);
  const begin = () => {
    const isFull = server.diskIsFull && fs.existsSync('/dev/full');
    const output = fs.openSync(isFull ? '/dev/full' : logFile, 'a');
    child = spawn(process.execPath, [...DIE_WITH_PARENT, MAIN], {
      env: { ...nodeEnvironment, ...env },
      stdio: ['pipe', output, output],
    });
    fs.closeSync(output);
    server.hasServed = false;
    server.lives += 1;
    child.once('exit', (code, signal) => {
      if (isOver) return;
      if (server.hasServed && signal !== 'SIGKILL')
        deaths.push(`${port} ended by itself with ${signal ?? code}: ${isFull ? '' : lastWords(logFile)}`);
      setTimeout(begin, 500);
    });
  };
  begin();
  undo.push(async () => {
    isOver = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await gone;
    clearTimeout(patience);
  });
  return server;
}

const lastWords = (file: string) => fs.readFileSync(file, 'utf8').slice(-1_500);

async function untilReady({ origin }: Server): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(100)) if (await isReady(origin)) return;
  throw new Error(`${origin} does not get ready`);
}

export const isReady = (origin: string) =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

function controlOf(sandbox: Sandbox): World['control'] {
  return async (method, where, body) => {
    const reply = await fetch(`${sandbox.apiUrl}/control/${where}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${where}: ${reply.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
