import { randomUUID } from 'node:crypto';
import { addServiceAccount } from '@aparta/server/accounts/service-accounts/save-service-account';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import { openServiceAccountSession } from '@aparta/server/accounts/service-accounts/session';
import { type Db, openDb } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import { transaction } from '@aparta/server/platform/db/transaction';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { startDurablePostgres, type DurablePostgres } from './durable-postgres.ts';
import { runByDriver } from './raw-driver.ts';
import { findPgbench, runByPgbench } from './raw-pgbench.ts';
import { FIRST_REFERENCE, generalise, type RawStatement, record, typesOf } from './raw-transaction.ts';
import { printNote, printTable, verdict } from './report.ts';
import { median, quantile, spread } from './samples.ts';
import { serve, type Served } from './served.ts';
import { openShop } from './shop.ts';

const IN_FLIGHT = 8;
const ROUNDS = 5;
const PER_ROUND = 1_200;
/** Before anything is timed: connections open, statements planned, code compiled. */
const WARM_UP = 400;
/** Of what the same statements reach with no program around them. */
const LEAST_SHARE = 0.5;

const CHAIN = 'CAJA-1';
/** What the application's pool asks of each connection; the raw ones ask the same. */
const OPTIONS = '-c role=aparta_app -c lock_timeout=3s -c statement_timeout=10s';

/** How many ids each way needs. */
const EACH = WARM_UP + ROUNDS * PER_ROUND;

/** Money that two ways apply: a till's call, and the transaction within it alone. */
export interface Work {
  /** What is applied, e.g. 'Deposits'. */
  readonly name: string;
  readonly ways: readonly { readonly name: string; readonly apply: Apply }[];
  /** So many ids of what is paid, which a till accepts; none is met by what is made later, or by what pgbench counts. */
  chooseIds(db: Db, count: number): Promise<number[]>;
  /** Makes what is paid, with these ids, in a shop where `there` of them have been made before. */
  make(postgres: DurablePostgres, database: string, ids: readonly number[], there: number): Promise<void>;
  /** A query that counts how often the work was done. */
  readonly count: string;
}

/** Does the work once: pays what has this id; `slot` is which of the clients does it. */
export type Apply = (counter: Counter, id: number, slot: number) => Promise<void>;

/** The server, and a till that is signed in there. */
export interface Counter extends Served {
  readonly token: string;
}

/** A call by which a till takes `pesos`. Throws when it is refused. */
export async function callTill(
  { ask, token }: Counter,
  path: string,
  { reference, pesos, slot }: { reference: string; pesos: number; slot: number },
): Promise<void> {
  const { error, mensaje } = await ask<{ error: number; mensaje: string }>(token, 'POST', path, {
    referencia: reference,
    importe: pesos,
    compañia: CHAIN,
    sucursal: String(slot),
    idtransaccion: randomUUID(),
  });
  if (error !== 0) throw new Error(`the till was answered ${error}: ${mensaje}`);
}

/** One way of doing the work, and what is known of it so far. */
interface Way {
  readonly name: string;
  readonly apply: Apply;
  readonly ids: readonly number[];
  readonly statements: readonly RawStatement[];
  readonly types: readonly (readonly string[])[];
  readonly perSecond: number[];
  readonly rawPerSecond: number[];
  readonly times: number[];
  cpuMs: number;
}

/**
 * Prints how often the product does the work per second, by each of its ways, and how many of the very same transactions the
 * same PostgreSQL does with no program around them; all take turns in one run.
 */
export async function benchAgainstRaw(work: Work, log: (line: string) => void): Promise<void> {
  const postgres = await startDurablePostgres();
  const pgbench = findPgbench();
  try {
    log(`Filling two databases for ${work.name.toLowerCase()}`);
    const needed = work.ways.length * EACH;
    const url = await postgres.create('product');
    await migrate(url);
    await openShop(postgres, 'product', 2 * needed);
    const ways = await prepare(work, postgres, url);
    // Planned for tables that hold something, as those of a day-old product do.
    await postgres.run('product', ['vacuum analyze']);
    // The other one is alike, with as much to pay under ids in a row besides: pgbench can only count.
    const rawUrl = await postgres.create('raw', 'product');
    const counted = Array.from({ length: needed }, (_, n) => FIRST_REFERENCE + n);
    await work.make(postgres, 'raw', counted, needed);
    await postgres.run('raw', ['vacuum analyze']);

    const counter = await open(url);
    try {
      for (const way of ways) await applyAll(counter, way.apply, way.ids.slice(0, WARM_UP / 2));
      log(`${work.name}, ${IN_FLIGHT} at once`);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [place, way] of ways.entries()) {
          const from = (place * ROUNDS + round) * PER_ROUND;
          const raw = {
            ...way,
            url: rawUrl,
            options: OPTIONS,
            clients: IN_FLIGHT,
            perClient: PER_ROUND / IN_FLIGHT,
            from,
          };
          const turns = [
            async () => note(way, await applyAll(counter, way.apply, ofRound(way.ids, round))),
            async () => {
              way.rawPerSecond.push(await (pgbench ? runByPgbench(pgbench, raw) : runByDriver(raw)));
            },
          ];
          for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
        }
      }
      await check(work, counter, postgres);
    } finally {
      await counter.close();
    }
    print(work, ways, pgbench);
  } finally {
    await postgres.stop();
  }
}

const ofRound = (ids: readonly number[], round: number) =>
  ids.slice(WARM_UP + round * PER_ROUND, WARM_UP + (round + 1) * PER_ROUND);

/** The server with a till signed in, which may be a new one each time. */
async function open(url: string): Promise<Counter> {
  const served = await serve(url, {
    DATABASE_POOL: String(2 * IN_FLIGHT), // half of it for calls
    TILL_CAP_PER_BRANCH_DAY: '100000000.00',
    TILL_CAP_PER_ACCOUNT_DAY: '100000000.00',
  });
  const secretHash = await createPasswords().hash(randomUUID());
  const till = { kind: 'till', userName: randomUUID(), secretHash, chain: CHAIN } as const;
  const operator = openDb({ url, role: 'aparta_operator', max: 1 });
  const id = await transaction(operator, (tx) => addServiceAccount(tx, till));
  await operator.destroy();
  return { ...served, token: await openServiceAccountSession(served.db, id) };
}

/** Every way with ids of its own and its statements, known from two recordings; some of the work is done then. */
async function prepare(work: Work, postgres: DurablePostgres, url: string): Promise<Way[]> {
  const counter = await open(url);
  try {
    const ids = await work.chooseIds(counter.db, work.ways.length * EACH);
    await work.make(postgres, 'product', ids, 0);
    const known: Way[] = [];
    for (const [place, { name, apply }] of work.ways.entries())
      known.push(await learn(counter, url, name, apply, ids.slice(place * EACH, (place + 1) * EACH)));
    return known;
  } finally {
    await counter.close();
  }
}

async function learn(
  counter: Counter,
  url: string,
  name: string,
  apply: Apply,
  ids: readonly number[],
): Promise<Way> {
  // From the half of the warm-up that is done here; the other half warms the connections that are measured.
  const rest = ids.slice(WARM_UP / 2, WARM_UP);
  // Far from each other, so that they are of different buyers and products.
  const [first = 0, second = 0] = [rest.shift(), rest.pop()];
  const recordings = [
    await record(() => apply(counter, first, 0)),
    await record(() => apply(counter, second, 1)),
  ] as const;
  const statements = generalise(recordings, { reference: [first, second], slot: ['0', '1'] });
  await applyAll(counter, apply, rest);
  const types = await typesOf(url, statements);
  return { name, apply, ids, statements, types, perSecond: [], rawPerSecond: [], times: [], cpuMs: 0 };
}

interface Applied {
  readonly perSecond: number;
  /** What each took, in ms. */
  readonly times: readonly number[];
  readonly cpuMs: number;
}

/** Does the work for the ids by so many clients, each of which waits for its answer before it goes on. */
async function applyAll(counter: Counter, apply: Apply, ids: readonly number[]): Promise<Applied> {
  const times: number[] = [];
  const share = Math.ceil(ids.length / IN_FLIGHT);
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, slot) => {
      for (const id of ids.slice(slot * share, (slot + 1) * share)) {
        const asked = performance.now();
        await apply(counter, id, slot);
        times.push(performance.now() - asked);
      }
    }),
  );
  const perSecond = (ids.length * 1000) / (performance.now() - begun);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond, times, cpuMs: (user + system) / 1000 };
}

function note(way: Way, { perSecond, times, cpuMs }: Applied): void {
  way.perSecond.push(perSecond);
  way.times.push(...times);
  way.cpuMs += cpuMs;
}

/** A speed of wrong books is none, and nothing raw may have been skipped. */
async function check(work: Work, { db }: Counter, postgres: DurablePostgres): Promise<void> {
  await postgres.run('product', [
    // A transaction that is measured alone has no till that asked for it.
    `insert into till_operations (id, service_account_id, chain, branch, transaction_id, body_hash, operation, reference,
       amount_centavos, state, error, message)
     select r.source_id::uuid, (select id from service_accounts limit 1), '${CHAIN}', '1', r.source_id, '\\x00', 'payment', '1',
       r.amount_centavos, 'authorised', 0, ''
     from receipts r where not exists (select from till_operations where id::text = r.source_id)`,
  ]);
  const broken = await proveBooks(db);
  if (broken.length > 0) throw new Error(`the books do not hold: ${JSON.stringify(broken)}`);
  const done = work.ways.length * (WARM_UP / 2 + ROUNDS * PER_ROUND);
  await postgres.run('raw', [
    `do $$ begin assert (${work.count}) = ${done}, 'a raw run left work undone'; end $$`,
  ]);
}

function print(work: Work, ways: readonly Way[], pgbench: string | undefined): void {
  printTable(
    `${work.name} applied per second, ${IN_FLIGHT} at once: median [range] of ${ROUNDS} rounds of ${PER_ROUND}`,
    [
      ['way', 'product', 'raw', 'share of raw', 'aim', 'statements', 'p50 ms', 'p99 ms', 'Node CPU ms'],
      ...ways.map(({ name, perSecond, rawPerSecond, statements, times, cpuMs }) => {
        const shares = perSecond.map((speed, round) => speed / (rawPerSecond[round] ?? Number.NaN));
        return [
          name,
          spread(perSecond),
          spread(rawPerSecond),
          spread(shares, 2),
          verdict(`>= ${LEAST_SHARE}`, median(shares) >= LEAST_SHARE),
          String(statements.length),
          quantile(times, 0.5).toFixed(1),
          quantile(times, 0.99).toFixed(1),
          (cpuMs / times.length).toFixed(2),
        ];
      }),
    ],
  );
  printNote(
    `Raw: the statements that the product sent, recorded, sent again by ${pgbench ?? "PostgreSQL's driver for Node"} ` +
      'with other numbers, on the same server. Each share is of one round.',
  );
}
