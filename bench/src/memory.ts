import fs from 'node:fs';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSession } from '@aparta/server/accounts/sessions/session';
import { openDb } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import { freePort } from '@aparta/server/test/free-port';
import { BUILT_SERVER, buildProduct } from '@aparta/tools/build-product';
import { startProgram } from '@aparta/tools/program';
import { serverUrlOf } from '@aparta/tools/server-url';
import { startDurablePostgres } from './durable-postgres.ts';
import { fillPurchases, FIRST_BUYER } from './purchases.ts';
import { printNote, printTable, verdict } from './report.ts';

const CONNECTIONS = 500;
const REST_MS = 10_000;
const LOAD_MS = 30_000;
const MOST_AT_REST = 130;
const MOST_UNDER_LOAD = 300;

/** Prints what the server holds of memory once it is ready, and at most while 500 buyers ask for their lists without a pause. */
export async function benchMemory(log: (line: string) => void): Promise<void> {
  await buildProduct(log);
  const postgres = await startDurablePostgres();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bench-memory-'));
  try {
    const url = await postgres.create('product');
    await migrate(url, { serverUrl: serverUrlOf(url) });
    await fillPurchases(postgres, 'product', CONNECTIONS);
    const tokens = await signIn(url);
    const port = await freePort();
    const server = await startProgram({
      name: 'server',
      file: BUILT_SERVER,
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: serverUrlOf(url),
        PORT: String(port),
      },
      readyUrl: `http://127.0.0.1:${port}/readyz`,
      logFile: path.join(folder, 'log'),
    });
    try {
      await pause(REST_MS);
      const rest = megabytes(server.pid, 'VmRSS');
      log(`${CONNECTIONS} buyers, each over a connection of their own`);
      const before = processorMs(server.pid);
      const answers = await ask(port, tokens);
      const each = (processorMs(server.pid) - before) / answers.accepted;
      const most = megabytes(server.pid, 'VmHWM');
      printTable('Memory of the server, MB resident', [
        ['', 'MB', 'aim'],
        ['at rest', rest.toFixed(0), verdict(`<= ${MOST_AT_REST}`, rest <= MOST_AT_REST)],
        [
          `${CONNECTIONS} connections, at most`,
          most.toFixed(0),
          verdict(`<= ${MOST_UNDER_LOAD}`, most <= MOST_UNDER_LOAD),
        ],
      ]);
      printNote(
        `${answers.accepted} lists answered, ${answers.refused} told no; ${each.toFixed(2)} ms of processor a list.`,
      );
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function signIn(url: string): Promise<string[]> {
  const db = openDb({ url, role: 'aparta_operator', max: 2 });
  try {
    const tokens: string[] = [];
    for (let buyer = 0; buyer < CONNECTIONS; buyer += 1)
      tokens.push(await openSession(db, FIRST_BUYER + buyer));
    return tokens;
  } finally {
    await db.destroy();
  }
}

/** Each buyer asks again as soon as they are answered. */
async function ask(port: number, tokens: readonly string[]): Promise<{ accepted: number; refused: number }> {
  const counts = { accepted: 0, refused: 0 };
  const end = performance.now() + LOAD_MS;
  await Promise.all(
    tokens.map(async (token, buyer) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (performance.now() < end) {
        const status = await get(agent, port, `/v1/Cxc/ByBuyerIdH/${FIRST_BUYER + buyer}?limit=20`, token);
        if (status === 200) counts.accepted += 1;
        else counts.refused += 1;
      }
      agent.destroy();
    }),
  );
  return counts;
}

function get(agent: Agent, port: number, where: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const call = request({ agent, host: '127.0.0.1', port, path: where, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', reject);
    call.end();
  });
}

/** Linux alone tells it of another process. */
export function megabytes(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
}

export function processorMs(pid: number): number {
  const [, rest = ''] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}
