import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import { addServiceAccount } from '@aparta/server/accounts/service-accounts/save-service-account';
import { openServiceAccountSession } from '@aparta/server/accounts/service-accounts/session';
import { openSession } from '@aparta/server/accounts/sessions/session';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { type Db, openDb } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import { transaction } from '@aparta/server/platform/db/transaction';
import { startProgram } from '@aparta/tools/program';
import { drawIds } from './deposits.ts';
import { startDurablePostgres } from './durable-postgres.ts';
import { printNote, printTable, verdict } from './report.ts';
import { quantile } from './samples.ts';
import { openReferences, openShop } from './shop.ts';

const PORT = 3_297;
const CHAIN = 'CAJA-1';
/** More than one, so that it is the server that sheds and not a caller's limit. */
const TILLS = 40;
const BUYERS = 400;
const REFERENCES = 40_000;
/** Calls under way at once while capacity is measured. */
const IN_FLIGHT = 16;
const WARM_UP_MS = 5_000;
const CAPACITY_MS = 8_000;
const PHASE_MS = 8_000;
/** Load, as a multiple of capacity. */
const LOADS = [0.5, 1, 2, 5, 10] as const;
/** Of the accepted, times the p99 at half of capacity. */
const MOST_SLOWER = 2;
const TOLD_WITHIN_MS = 100;

interface Answer {
  readonly kind: 'deposit' | 'list';
  readonly is: 'accepted' | 'refused' | 'failed';
  readonly ms: number;
}

/** The callers of a shop: half of the calls are tills that take a deposit, half are buyers who read their list. */
interface Callers {
  call(): Promise<Answer>;
}

/**
 * Prints what becomes of calls at up to ten times of what the server can do: how long those take that it accepts, how soon the
 * others know, whether its health checks answer, and how it is afterwards. Calls come at their own pace, whoever waits.
 */
export async function benchOverload(log: (line: string) => void): Promise<void> {
  const postgres = await startDurablePostgres();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bench-overload-'));
  const url = await postgres.create('product');
  await migrate(url);
  await openShop(postgres, 'product', REFERENCES);
  const db = openDb({ url, role: 'aparta_operator', max: 2, longestMs: 60_000 });
  try {
    log('Filling a database');
    const ids: number[] = [];
    while (ids.length < REFERENCES) ids.push(...(await drawIds(db, 2_000)));
    await openReferences(postgres, 'product', ids, 0);
    const callers = await openCallers(db, ids);
    await postgres.run('product', ['vacuum analyze']);
    const server = await startProgram({
      name: 'server',
      file: fileURLToPath(new URL('served-program.ts', import.meta.url)),
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: url,
        PORT: String(PORT),
        TILL_CAP_PER_BRANCH_DAY: '100000000.00',
        TILL_CAP_PER_ACCOUNT_DAY: '100000000.00',
      },
      readyUrl: `http://127.0.0.1:${PORT}/readyz`,
      logFile: path.join(folder, 'log'),
    });
    try {
      log('Measuring capacity');
      await closedLoop(callers, WARM_UP_MS);
      const capacity = await closedLoop(callers, CAPACITY_MS);
      const phases: Phase[] = [];
      for (const load of LOADS) {
        await postgres.run('product', ['analyze']); // as after a minute of any life
        log(`${load} times of ${Math.round(capacity)} calls a second`);
        phases.push(await openLoop(`${load} ×`, callers, load * capacity));
      }
      phases.push(await openLoop('afterwards', callers, 0.5 * capacity));
      const broken = await proveBooks(db);
      if (broken.length > 0) throw new Error(`the books do not hold: ${JSON.stringify(broken)}`);
      print(capacity, phases);
    } finally {
      await server.stop();
    }
  } finally {
    await db.destroy();
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function openCallers(db: Db, ids: readonly number[]): Promise<Callers> {
  const secretHash = await createPasswords().hash(randomUUID());
  const tills: string[] = [];
  for (let n = 0; n < TILLS; n += 1) {
    const till = {
      kind: 'till',
      userName: randomUUID(),
      secretHash,
      chain: CHAIN,
      merchantIds: [1],
    } as const;
    const id = await transaction(db, (tx) => addServiceAccount(tx, till));
    tills.push(await openServiceAccountSession(db, id));
  }
  // As `openShop` numbers them; only some have anything to list, as in life.
  const buyers: { id: number; token: string }[] = [];
  for (let n = 0; n < BUYERS; n += 1) {
    const id = 1_001 + (n % Math.floor(REFERENCES / 100));
    buyers.push({ id, token: await openSession(db, id) });
  }
  const left = [...ids];
  let turn = 0;

  async function deposit(): Promise<Answer> {
    const id = left.pop();
    if (id === undefined) throw new Error('there is nothing left to reserve');
    const body = {
      referencia: `1${id}`,
      importe: 600,
      compañia: CHAIN,
      sucursal: String(turn % 97),
      idtransaccion: randomUUID(),
    };
    const { status, text, ms } = await ask('POST', '/PosOperations/OnLayaway', tills[turn % TILLS], body);
    const error = status === 200 ? (JSON.parse(text) as { error: number }).error : undefined;
    if (error === 11) left.unshift(id);
    return { kind: 'deposit', is: error === 0 ? 'accepted' : error === 11 ? 'refused' : 'failed', ms };
  }

  async function list(): Promise<Answer> {
    const buyer = buyers[turn % BUYERS];
    const { status, text, ms } = await ask('GET', `/v1/Cxc/ByBuyerIdH/${buyer?.id}?limit=20`, buyer?.token);
    const isBusy = status === 503 && (JSON.parse(text) as { code: string }).code === 'BUSY';
    return { kind: 'list', is: status === 200 ? 'accepted' : isBusy ? 'refused' : 'failed', ms };
  }

  return {
    call() {
      turn += 1;
      return turn % 2 === 0 ? deposit() : list();
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });

/** One call over a connection that is kept. Status 0 when it was not answered. */
function ask(method: string, where: string, token?: string, body?: object) {
  const asked = performance.now();
  return new Promise<{ status: number; text: string; ms: number }>((resolve) => {
    const end = (status: number, text: string) => resolve({ status, text, ms: performance.now() - asked });
    const call = request({
      agent,
      port: PORT,
      host: '127.0.0.1',
      method,
      path: where,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    });
    call.on('error', () => end(0, ''));
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => end(response.statusCode ?? 0, text));
    });
    call.end(body && JSON.stringify(body));
  });
}

/** How many calls a second are accepted of callers who each wait for their answer. */
async function closedLoop({ call }: Callers, forMs: number): Promise<number> {
  const end = performance.now() + forMs;
  let accepted = 0;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < end) if ((await call()).is === 'accepted') accepted += 1;
    }),
  );
  return (accepted * 1_000) / forMs;
}

interface Phase {
  readonly name: string;
  readonly offered: number;
  readonly answers: readonly Answer[];
  readonly seconds: number;
  /** How long the health checks took, in ms; Infinity when one was not well. */
  readonly probes: readonly number[];
}

/** Calls at a pace, whether or not the ones before are answered. */
async function openLoop(name: string, { call }: Callers, perSecond: number): Promise<Phase> {
  const answers: Answer[] = [];
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  const probing = probe(begun + PHASE_MS);
  let sent = 0;
  while (performance.now() < begun + PHASE_MS) {
    const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000);
    for (; sent < due; sent += 1) {
      const one = call().then((answer) => {
        answers.push(answer);
        underWay.delete(one);
      });
      underWay.add(one);
    }
    await pause(2);
  }
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all(underWay);
  return { name, offered: sent / seconds, answers, seconds, probes: await probing };
}

async function probe(until: number): Promise<number[]> {
  const times: number[] = [];
  while (performance.now() < until) {
    for (const where of ['/healthz', '/readyz']) {
      const { status, ms } = await ask('GET', where);
      times.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
    }
    await pause(200);
  }
  return times;
}

function print(capacity: number, phases: readonly Phase[]): void {
  const timesOf = ({ answers }: Phase, is: Answer['is']) =>
    answers.filter((answer) => answer.is === is).map(({ ms }) => ms);
  const unloaded = quantile(timesOf(phases[0] as Phase, 'accepted'), 0.99);
  const shown = (times: readonly number[], share: number) =>
    times.length === 0 ? '' : quantile(times, share).toFixed(0);
  const rows = phases.map((phase) => {
    const { name, offered, answers, seconds, probes } = phase;
    const [accepted, refused] = [timesOf(phase, 'accepted'), timesOf(phase, 'refused')];
    const shareOf = (kind: Answer['kind']) => {
      const all = answers.filter((answer) => answer.kind === kind);
      return `${Math.round((100 * all.filter(({ is }) => is === 'accepted').length) / all.length)} %`;
    };
    const slower = quantile(accepted, 0.99) / unloaded;
    return [
      name,
      offered.toFixed(0),
      (accepted.length / seconds).toFixed(0),
      shareOf('deposit'),
      shareOf('list'),
      shown(accepted, 0.5),
      shown(accepted, 0.99),
      verdict(`${slower.toFixed(1)} <= ${MOST_SLOWER}`, slower <= MOST_SLOWER),
      (refused.length / seconds).toFixed(0),
      shown(refused, 0.5),
      shown(refused, 0.99),
      refused.length === 0 ? '' : verdict(`<= ${TOLD_WITHIN_MS}`, quantile(refused, 0.99) <= TOLD_WITHIN_MS),
      String(timesOf(phase, 'failed').length),
      Math.max(...probes).toFixed(0),
    ];
  });
  printTable(
    `Overload: half deposits at tills, half lists; ${Math.round(capacity)} a second, ${IN_FLIGHT} at once, are capacity`,
    [
      [
        'load',
        'asked/s',
        'accepted/s',
        'deposits',
        'lists',
        'p50 ms',
        'p99 ms',
        'p99 to 0.5 ×',
        'refused/s',
        'p50 ms',
        'p99 ms',
        'aim',
        'failed',
        'health ms',
      ],
      ...rows,
    ],
  );
  printNote('Asked from a process on the same machine, over its own connections; the jobs do not run.');
}
