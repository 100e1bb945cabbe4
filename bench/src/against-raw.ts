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
import { MINIMAL, MINIMAL_TABLES, openThinServer, type ThinServer } from './minimal.ts';
import { findPgbench, runByPgbench } from './raw-pgbench.ts';
import {
  FIRST_REFERENCE,
  generalise,
  type RawRun,
  type RawStatement,
  record,
  typesOf,
} from './raw-transaction.ts';
import { printNote, printTable, verdict } from './report.ts';
import { median, quantile, spread } from './samples.ts';
import { serve, type Served } from './served.ts';
import { openShop } from './shop.ts';

/** How much is measured. */
export interface Size {
  /** Payments at once, and how many a round has of them. */
  readonly loads: readonly { readonly atOnce: number; readonly perRound: number }[];
  readonly rounds: number;
  /** Before anything is timed: connections open, statements planned, code compiled. */
  readonly warmUp: number;
}

/** Less of it, and where: for tests. */
export interface Given {
  readonly size?: Size;
  readonly postgres?: DurablePostgres;
  /** What sends the statements again; undefined for PostgreSQL's driver. */
  readonly pgbench?: string | undefined;
}

const WHOLE: Size = {
  loads: [
    { atOnce: 1, perRound: 300 },
    { atOnce: 8, perRound: 1_200 },
    { atOnce: 64, perRound: 1_920 },
  ],
  rounds: 3,
  warmUp: 400,
};
/** Of what the same statements reach with no program around them. */
const LEAST_SHARE = 0.5;
/** Of the thin server's payments, at {@link MOST_AT_ONCE}. */
const LEAST_OF_THIN = 0.35;
const MOST_AT_ONCE = 64;
/** Connections of the product; half of them are for calls. */
const POOL = 16;

const CHAIN = 'CAJA-1';
/** More than one, so that no chain's limit of calls is measured. */
const TILLS = 16;
/** What the application's pool asks of each connection; the raw ones ask the same. */
const OPTIONS = '-c role=aparta_app -c lock_timeout=3s -c statement_timeout=10s';

/** How many payments a way makes in all rounds. */
const timed = ({ loads, rounds }: Size) => rounds * loads.reduce((sum, { perRound }) => sum + perRound, 0);
/** How many ids each way needs. */
const each = (size: Size) => size.warmUp + timed(size);

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

/** The server, and tills that are signed in there. */
export interface Counter extends Served {
  readonly tokens: readonly string[];
}

/** A call by which a till takes `pesos`. Throws when it is refused. */
export async function callTill(
  { ask, tokens }: Counter,
  path: string,
  { reference, pesos, slot }: { reference: string; pesos: number; slot: number },
): Promise<void> {
  const token = tokens[slot % tokens.length] ?? '';
  const { error, mensaje } = await ask<{ error: number; mensaje: string }>(token, 'POST', path, {
    referencia: reference,
    importe: pesos,
    compañia: CHAIN,
    sucursal: String(slot),
    idtransaccion: randomUUID(),
  });
  if (error !== 0) throw new Error(`the till was answered ${error}: ${mensaje}`);
}

/** One way of doing the work, and what is known of it so far: a row for each load. */
interface Way {
  readonly name: string;
  readonly apply: Apply;
  readonly ids: readonly number[];
  readonly statements: readonly RawStatement[];
  readonly types: readonly (readonly string[])[];
  readonly measured: readonly Measured[];
}

interface Measured {
  readonly perSecond: number[];
  readonly rawPerSecond: number[];
  readonly times: number[];
  nodeMs: number;
  postgresMs: number | undefined;
}
/** What a payment could cost, at one load. */
interface Limit {
  readonly minimalPerSecond: number[];
  readonly thinPerSecond: number[];
}

/**
 * Prints how often the product does the work per second, by each of its ways, and how many of the very same transactions the
 * same PostgreSQL does with no program around them, and what the least possible payment reaches; all take turns in one run.
 */
export async function benchAgainstRaw(
  work: Work,
  log: (line: string) => void,
  given: Given = {},
): Promise<void> {
  const { size = WHOLE, pgbench } = { pgbench: findPgbench(), ...given };
  const postgres = given.postgres ?? (await startDurablePostgres());
  try {
    log(`Filling databases for ${work.name.toLowerCase()}`);
    const needed = work.ways.length * each(size);
    const url = await postgres.create('product');
    await migrate(url);
    await openShop(postgres, 'product', 2 * needed);
    const ways = await prepare(work, size, postgres, url);
    // Planned for tables that hold something, as those of a day-old product do.
    await postgres.run('product', ['vacuum analyze']);
    // The other one is alike, with as much to pay under ids in a row besides: pgbench can only count.
    const rawUrl = await postgres.create('raw', 'product');
    const counted = Array.from({ length: needed }, (_, n) => FIRST_REFERENCE + n);
    await work.make(postgres, 'raw', counted, needed);
    await postgres.run('raw', ['vacuum analyze']);
    const limits = await openLimits(size, postgres);

    const counter = await open(url);
    try {
      for (const way of ways) await applyAll(counter, way.apply, way.ids.slice(0, size.warmUp / 2), 8);
      await measure({ size, postgres, ways, counter, limits, rawUrl, pgbench }, (atOnce) =>
        log(`${work.name}, ${atOnce} at once`),
      );
      await check(work, size, counter, postgres);
    } finally {
      await counter.close();
      await limits.thin.close();
    }
    print(work, size, ways, limits.known, pgbench);
  } finally {
    await postgres.stop();
  }
}

interface Limits {
  readonly url: string;
  readonly thin: ThinServer;
  readonly types: readonly (readonly string[])[];
  readonly known: readonly Limit[];
}

/** The least possible payment, with a database of its own. */
async function openLimits(size: Size, postgres: DurablePostgres): Promise<Limits> {
  const url = await postgres.create('minimal');
  await postgres.run('minimal', [
    ...MINIMAL_TABLES,
    `insert into payable select ${FIRST_REFERENCE} + n from generate_series(0, ${2 * each(size)}) n`,
    'vacuum analyze',
  ]);
  return {
    url,
    thin: await openThinServer(url),
    types: await typesOf(url, MINIMAL),
    known: size.loads.map(() => ({ minimalPerSecond: [], thinPerSecond: [] })),
  };
}

interface Running {
  readonly size: Size;
  readonly postgres: DurablePostgres;
  readonly ways: readonly Way[];
  readonly counter: Counter;
  readonly limits: Limits;
  readonly rawUrl: string;
  readonly pgbench: string | undefined;
}

/** Every round of every load; who goes first changes from round to round. */
async function measure(running: Running, log: (atOnce: number) => void): Promise<void> {
  const { size, postgres, ways, counter, limits, rawUrl, pgbench } = running;
  const raw = (run: RawRun) => (pgbench ? runByPgbench(pgbench, run) : runByDriver(run));
  let done = 0;
  for (const [at, { atOnce, perRound }] of size.loads.entries()) {
    log(atOnce);
    for (let round = 0; round < size.rounds; round += 1) {
      const [from, limit] = [done, limits.known[at]];
      const some = { clients: atOnce, perClient: perRound / atOnce };
      const turns = ways.flatMap((way, place) => [
        async () => {
          const ids = way.ids.slice(size.warmUp + from, size.warmUp + from + perRound);
          const before = postgres.cpuMs();
          const applied = await applyAll(counter, way.apply, ids, atOnce);
          note(way.measured[at], applied, since(before, postgres.cpuMs()));
        },
        async () => {
          const run = { ...way, ...some, url: rawUrl, options: OPTIONS, from: place * timed(size) + from };
          way.measured[at]?.rawPerSecond.push(await raw(run));
        },
      ]);
      turns.push(
        async () => {
          const run = {
            ...some,
            url: limits.url,
            options: '',
            statements: MINIMAL,
            types: limits.types,
            from,
          };
          limit?.minimalPerSecond.push(await raw(run));
        },
        async () => {
          const ids = Array.from({ length: perRound }, (_, n) => FIRST_REFERENCE + timed(size) + from + n);
          const { perSecond } = await applyAll(counter, (_counter, id) => limits.thin.pay(id), ids, atOnce);
          limit?.thinPerSecond.push(perSecond);
        },
      );
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
      done += perRound;
    }
  }
}

/** The server with tills signed in, which may be new ones each time. */
async function open(url: string): Promise<Counter> {
  const served = await serve(url, {
    DATABASE_POOL: String(POOL),
    TEST_CLOCKS: JSON.stringify({ patienceMs: 60_000 }), // speed is asked here, not who is sent away
    TILL_CAP_PER_BRANCH_DAY: '100000000.00',
    TILL_CAP_PER_ACCOUNT_DAY: '100000000.00',
  });
  const secretHash = await createPasswords().hash(randomUUID());
  const operator = openDb({ url, role: 'aparta_operator', max: 1 });
  const tokens: string[] = [];
  for (let n = 0; n < TILLS; n += 1) {
    const till = {
      kind: 'till',
      userName: randomUUID(),
      secretHash,
      chain: CHAIN,
      merchantIds: [1],
    } as const;
    const id = await transaction(operator, (tx) => addServiceAccount(tx, till));
    tokens.push(await openServiceAccountSession(served.db, id));
  }
  await operator.destroy();
  return { ...served, tokens };
}

/** Every way with ids of its own and its statements, known from two recordings; some of the work is done then. */
async function prepare(work: Work, size: Size, postgres: DurablePostgres, url: string): Promise<Way[]> {
  const counter = await open(url);
  try {
    const ids = await work.chooseIds(counter.db, work.ways.length * each(size));
    await work.make(postgres, 'product', ids, 0);
    const known: Way[] = [];
    for (const [place, way] of work.ways.entries()) {
      const own = ids.slice(place * each(size), (place + 1) * each(size));
      known.push(await learn(counter, url, way, own, size));
    }
    return known;
  } finally {
    await counter.close();
  }
}

async function learn(
  counter: Counter,
  url: string,
  { name, apply }: Work['ways'][number],
  ids: readonly number[],
  { warmUp, loads }: Size,
): Promise<Way> {
  // From the half of the warm-up that is done here; the other half warms the connections that are measured.
  const rest = ids.slice(warmUp / 2, warmUp);
  // Far from each other, so that they are of different buyers and products.
  const [first = 0, second = 0] = [rest.shift(), rest.pop()];
  // By the same till, at branches of two slots.
  const recordings = [
    await record(() => apply(counter, first, 0)),
    await record(() => apply(counter, second, TILLS)),
  ] as const;
  const statements = generalise(recordings, { reference: [first, second], slot: ['0', String(TILLS)] });
  await applyAll(counter, apply, rest, 8);
  const types = await typesOf(url, statements);
  const measured = loads.map((): Measured => ({
    perSecond: [],
    rawPerSecond: [],
    times: [],
    nodeMs: 0,
    postgresMs: 0,
  }));
  return { name, apply, ids, statements, types, measured };
}

interface Applied {
  readonly perSecond: number;
  /** What each took, in ms. */
  readonly times: readonly number[];
  readonly cpuMs: number;
}

/** Does the work for the ids by so many clients, each of which waits for its answer before it goes on. */
async function applyAll(
  counter: Counter,
  apply: Apply,
  ids: readonly number[],
  atOnce: number,
): Promise<Applied> {
  const times: number[] = [];
  const share = Math.ceil(ids.length / atOnce);
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, slot) => {
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

function note(measured: Measured | undefined, applied: Applied, postgresMs: number | undefined): void {
  if (measured === undefined) return;
  measured.perSecond.push(applied.perSecond);
  measured.times.push(...applied.times);
  measured.nodeMs += applied.cpuMs;
  measured.postgresMs =
    measured.postgresMs === undefined || postgresMs === undefined
      ? undefined
      : measured.postgresMs + postgresMs;
}

const since = (before: number | undefined, after: number | undefined) =>
  before === undefined || after === undefined ? undefined : after - before;

/** A speed of wrong books is none, and nothing raw may have been skipped. */
async function check(work: Work, size: Size, { db }: Counter, postgres: DurablePostgres): Promise<void> {
  await postgres.run('product', [
    // A transaction that is measured alone has no till that asked for it.
    `insert into till_operations (id, service_account_id, chain, branch, transaction_id, body_hash, operation, reference,
       amount_centavos, state, error, message)
     select r.source_id::uuid, (select id from service_accounts limit 1), '${CHAIN}', '1', r.source_id, '\\x00', 'payment', '1',
       r.amount_centavos, 'authorised', 0, ''
     from receipts r where not exists (select from till_operations where id::text = r.source_id)`,
    // The proofs are planned for what the rounds left, as on a product whose tables are analysed by themselves.
    'analyze',
  ]);
  const broken = await proveBooks(db);
  if (broken.length > 0) throw new Error(`the books do not hold: ${JSON.stringify(broken)}`);
  const done = work.ways.length * (size.warmUp / 2 + timed(size));
  await postgres.run('raw', [
    `do $$ begin assert (${work.count}) = ${done}, 'a raw run left work undone'; end $$`,
  ]);
}

function print(
  work: Work,
  { loads, rounds }: Size,
  ways: readonly Way[],
  limits: readonly Limit[],
  pgbench: string | undefined,
): void {
  const shares = (of: readonly number[], all: readonly number[] = []) =>
    of.map((speed, round) => speed / (all[round] ?? Number.NaN));
  const rows = loads.flatMap(({ atOnce }, at) =>
    ways.flatMap(({ name, statements, measured }) => {
      const [way, limit] = [measured[at], limits[at]];
      if (way === undefined || limit === undefined) return [];
      const [ofRaw, ofThin] = [
        shares(way.perSecond, way.rawPerSecond),
        shares(way.perSecond, limit.thinPerSecond),
      ];
      const perPayment = (ms: number | undefined) =>
        ms === undefined ? '-' : (ms / way.times.length).toFixed(2);
      return [
        [
          name,
          String(atOnce),
          spread(way.perSecond),
          spread(way.rawPerSecond),
          `${median(ofRaw).toFixed(2)} ${verdict(`>= ${LEAST_SHARE}`, median(ofRaw) >= LEAST_SHARE)}`,
          median(limit.minimalPerSecond).toFixed(0),
          median(limit.thinPerSecond).toFixed(0),
          median(ofThin).toFixed(2) +
            (atOnce < MOST_AT_ONCE
              ? ''
              : ` ${verdict(`>= ${LEAST_OF_THIN}`, median(ofThin) >= LEAST_OF_THIN)}`),
          String(statements.length),
          quantile(way.times, 0.5).toFixed(1),
          quantile(way.times, 0.99).toFixed(1),
          perPayment(way.nodeMs),
          perPayment(way.postgresMs),
        ],
      ];
    }),
  );
  printTable(`${work.name} applied per second: median [range] of ${rounds} rounds`, [
    [
      'way',
      'at once',
      'product',
      'raw',
      'of raw',
      'minimal',
      'thin',
      'of thin',
      'statements',
      'p50 ms',
      'p99 ms',
      'Node ms',
      'PostgreSQL ms',
    ],
    ...rows,
  ]);
  const sender = pgbench ?? "PostgreSQL's driver for Node";
  printNote(
    `Raw: the statements that the product sent, recorded, sent again by ${sender} on the same server.`,
  );
  printNote(
    `Minimal: seven statements by the same; thin: the same seven by Node's HTTP server, called by HTTP.`,
  );
  printNote('Each share is of one round. Node and PostgreSQL: processor time for each payment.');
}
