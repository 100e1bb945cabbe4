import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { Agent, type ClientRequest, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import { addServiceAccount } from '@aparta/server/accounts/service-accounts/save-service-account';
import { openServiceAccountSession } from '@aparta/server/accounts/service-accounts/session';
import { openSession } from '@aparta/server/accounts/sessions/session';
import { announceAll } from '@aparta/server/platform/changes/announce';
import { openDb } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import { transaction } from '@aparta/server/platform/db/transaction';
import { freePort } from '@aparta/server/test/free-port';
import { startProgram } from '@aparta/tools/program';
import { drawIds } from './deposits.ts';
import { startDurablePostgres } from './durable-postgres.ts';
import { megabytes, processorMs } from './memory.ts';
import { printNote, printTable, verdict } from './report.ts';
import { quantile } from './samples.ts';
import { openReferences, openShop } from './shop.ts';

const STREAMS = 2_000;
const PAYMENTS = 300;
const IN_FLIGHT = 8;
/** More than two beats of each stream. */
const REST_MS = 45_000;
const ROUNDS = 5;
const AIM_MS = 3_000;
const FIRST_BUYER = 1_001;

/**
 * Prints what open streams cost: the server's memory and processor at rest, how soon after a commit the last screen knows, and a
 * payment with and without them.
 */
export async function benchStreams(log: (line: string) => void): Promise<void> {
  const postgres = await startDurablePostgres();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bench-streams-'));
  const url = await postgres.create('product');
  await migrate(url);
  await openShop(postgres, 'product', 100 * STREAMS);
  const db = openDb({ url, role: 'aparta_operator', max: 2 });
  const port = await freePort();
  const agent = new Agent({ keepAlive: true });
  const screens: Screen[] = [];
  try {
    const ids: number[] = [];
    while (ids.length < 3 * PAYMENTS) ids.push(...(await drawIds(db, 1_000)));
    await openReferences(postgres, 'product', ids, 0);
    const secretHash = await createPasswords().hash(randomUUID());
    const account = {
      kind: 'till',
      userName: 'caja',
      secretHash,
      chain: 'CAJA-1',
      merchantIds: [1],
    } as const;
    const till = await openServiceAccountSession(
      db,
      await transaction(db, (tx) => addServiceAccount(tx, account)),
    );
    const tokens: string[] = [];
    for (let n = 0; n < STREAMS; n += 1) tokens.push(await openSession(db, FIRST_BUYER + n));
    const server = await startProgram({
      name: 'server',
      file: fileURLToPath(new URL('served-program.ts', import.meta.url)),
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: url,
        PORT: String(port),
        OPEN_STREAMS: String(STREAMS),
        TILL_CAP_PER_BRANCH_DAY: '100000000.00',
        TILL_CAP_PER_ACCOUNT_DAY: '100000000.00',
      },
      readyUrl: `http://127.0.0.1:${port}/readyz`,
      logFile: path.join(folder, 'log'),
    });
    /** Processor of a payment, in ms. */
    const pay = async () => {
      const before = processorMs(server.pid);
      const due = ids.splice(0, PAYMENTS);
      const one = async () => {
        for (let id = due.pop(); id !== undefined; id = due.pop()) await deposit({ agent, port, till, id });
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, one));
      return (processorMs(server.pid) - before) / PAYMENTS;
    };
    const rest = async () => {
      const before = processorMs(server.pid);
      await pause(REST_MS);
      return { mb: megabytes(server.pid, 'VmRSS'), load: (processorMs(server.pid) - before) / REST_MS };
    };
    try {
      log(`Paying ${PAYMENTS} deposits, twice, without streams`);
      await pay(); // warm
      const [alonePayment, aloneRest] = [await pay(), await rest()];
      log(`Opening ${STREAMS} streams`);
      for (const token of tokens) screens.push(await openScreen(port, token));
      const fullRest = await rest();
      const lags: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) lags.push(...(await announceToAll(db, screens)));
      const fullPayment = await pay();
      const last = quantile(lags, 1);
      const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
      printTable('Open streams of one server', [
        ['', 'none', String(STREAMS), 'aim'],
        ['memory at rest, MB', aloneRest.mb.toFixed(0), fullRest.mb.toFixed(0), ''],
        ['processor at rest', percent(aloneRest.load), percent(fullRest.load), ''],
        ['processor of a payment, ms', alonePayment.toFixed(2), fullPayment.toFixed(2), ''],
        ['all are told, last after ms', '', last.toFixed(0), verdict(`<= ${AIM_MS}`, last <= AIM_MS)],
      ]);
      printNote(`Half of all are told within ${quantile(lags, 0.5).toFixed(0)} ms of the commit.`);
    } finally {
      for (const { call } of screens) call.destroy();
      await server.stop();
    }
  } finally {
    agent.destroy();
    await db.destroy();
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Screen {
  readonly call: ClientRequest;
  /** Called when it hears of a change. */
  heard: () => void;
}

function openScreen(port: number, token: string): Promise<Screen> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const call = request({ agent: false, host: '127.0.0.1', port, path: '/v1/Changes/Stream', headers });
    const screen: Screen = { call, heard: () => {} };
    call.on('error', reject);
    call.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream was answered ${response.statusCode}`));
      response.on('data', (chunk) => String(chunk).includes('changed') && screen.heard());
      response.on('error', () => {});
      resolve(screen);
    });
    call.end();
  });
}

/** How long after one commit each screen hears of it, in ms. */
async function announceToAll(db: ReturnType<typeof openDb>, screens: readonly Screen[]): Promise<number[]> {
  let committedAt = 0;
  const all = screens.map(
    (screen) => new Promise<number>((resolve) => (screen.heard = () => resolve(performance.now()))),
  );
  await transaction(db, async (tx) => {
    await announceAll(
      tx,
      screens.map((_screen, place) => `buyer:${FIRST_BUYER + place}` as const),
    );
    committedAt = performance.now(); // before the commit is sent
  });
  const heard = await Promise.all(all);
  return heard.map((at) => at - committedAt);
}

interface Deposit {
  readonly agent: Agent;
  readonly port: number;
  readonly till: string;
  readonly id: number;
}

/** Repeated where the server was busy. */
function deposit(due: Deposit): Promise<void> {
  const { agent, port, till, id } = due;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${till}`, 'content-type': 'application/json' };
    const where = {
      agent,
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/PosOperations/OnLayaway',
      headers,
    };
    const call = request(where, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        if (text.includes('"error":0')) resolve();
        else if (text.includes('"error":11')) setTimeout(() => resolve(deposit(due)), 200);
        else reject(new Error(text));
      });
    });
    call.on('error', reject);
    const ticket = { referencia: `1${id}`, importe: 600, compañia: 'CAJA-1', sucursal: '1' };
    call.end(JSON.stringify({ ...ticket, idtransaccion: randomUUID() }));
  });
}
