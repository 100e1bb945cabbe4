import { randomUUID } from 'node:crypto';
import { createPasswords } from '@aparta/server/account/passwords';
import { openMachineSession } from '@aparta/server/account/session';
import { addMachine } from '@aparta/server/account/sign-in-machine';
import { migrate } from '@aparta/server/db/migrate';
import { transaction } from '@aparta/server/db/transaction';
import { newReferenceIds } from '@aparta/server/layaway/reference-ids';
import { reserve } from '@aparta/server/layaway/reserve';
import { lockReference } from '@aparta/server/layaway/store';
import { proveBooks } from '@aparta/server/ledger/proofs';
import { zero } from '@aparta/domain/money';
import pg from 'pg';
import { startDurablePostgres, type DurablePostgres } from './durable-postgres.ts';
import { runByDriver } from './raw-driver.ts';
import { findPgbench, runByPgbench } from './raw-pgbench.ts';
import { FIRST_REFERENCE, generalise, type RawStatement, record, typesOf } from './raw-transaction.ts';
import { printNote, printTable, verdict } from './report.ts';
import { median, quantile, spread } from './samples.ts';
import { serve, type Served } from './served.ts';

const IN_FLIGHT = 8;
const ROUNDS = 5;
const PER_ROUND = 1_200;
/** Before anything is timed: connections open, statements planned, code compiled. */
const WARM_UP = 400;
/** Of what the same statements reach with no program around them. */
const LEAST_SHARE = 0.5;

const CHAIN = 'CAJA-1';
const PRODUCTS = 100;
/** What the application's pool asks of each connection; the raw ones ask the same. */
const OPTIONS = '-c role=aparta_app -c lock_timeout=3s -c statement_timeout=10s';

/** How many references each way needs. */
const EACH = WARM_UP + ROUNDS * PER_ROUND;
const REFERENCES = 2 * EACH;

/** A merchant of 20 %, every 30 days for 60 days, with products of 3,000.00, and buyers enough for one open reference each. */
const SHOP = [
  `insert into companies (name, logo_file_name) values ('Grupo', 'grupo.jpg')`,
  `insert into merchants (company_id, business_name, trade_name, deposit_basis_points, frequency_days, plan_duration_days,
     penalty_centavos, service_fee_centavos, service_fee_methods)
   values (1, 'Muebles', 'Muebles', 2000, 30, 60, 20000, 1500, array['card'])`,
  `insert into products (merchant_id, name, description, sku, sale_price_centavos)
   select 1, 'Sala ' || n, 'Tres plazas, gris', 'SALA-' || n, 300000 from generate_series(1, ${PRODUCTS}) n`,
  `insert into buyers (email, user_name, name, password_hash)
   select 'buyer-' || n || '@example.mx', 'Ana', 'Ana', '-' from generate_series(0, ${Math.ceil((2 * REFERENCES) / PRODUCTS)}) n`,
];

/** Open references of these ids, as `createReference` freezes them; `$2` of them are there already. */
const OPEN_REFERENCES = `
  with made as (select id, $2 + place - 1 as place from unnest($1::bigint[]) with ordinality as given (id, place)),
  numbers as (insert into payment_references (id, kind, prefix) select id, 'layaway', '1' from made)
  insert into layaway_references (id, buyer_id, merchant_id, product_id, price_centavos, deposit_centavos,
    deposit_basis_points, frequency_days, plan_duration_days, service_fee_centavos, service_fee_methods, penalty_centavos,
    expires_at)
  select id, 1001 + place / ${PRODUCTS}, 1, 1 + place % ${PRODUCTS}, 300000, 60000, 2000, 30, 60, 1500, array['card'], 20000,
    now() + interval '2 days'
  from made`;

/** Applies the deposit of a reference; `slot` is which of the clients does it. */
type Apply = (served: Served, id: number, slot: number) => Promise<void>;

/** One way of applying deposits, and what is known of it so far. */
interface Way {
  readonly name: string;
  readonly apply: Apply;
  readonly references: readonly number[];
  readonly statements: readonly RawStatement[];
  readonly types: readonly (readonly string[])[];
  readonly perSecond: number[];
  readonly rawPerSecond: number[];
  readonly times: number[];
  cpuMs: number;
}

/**
 * Prints how many deposits the product applies per second, by a till's call and by the reserving transaction alone, and how
 * many of the very same transactions the same PostgreSQL does with no program around them; all take turns in one run.
 */
export async function benchDeposits(log: (line: string) => void): Promise<void> {
  const postgres = await startDurablePostgres();
  const pgbench = findPgbench();
  try {
    log('Filling two databases with references to pay');
    const url = await postgres.create('product');
    await migrate(url);
    await postgres.run('product', SHOP);
    const ways = await prepare(url);
    // Planned for tables that hold something, as those of a day-old product do.
    await postgres.run('product', ['vacuum analyze']);
    // The other one is alike, with references in a row besides: pgbench can only count.
    const rawUrl = await postgres.create('raw', 'product');
    await openReferences(
      rawUrl,
      Array.from({ length: REFERENCES }, (_, n) => FIRST_REFERENCE + n),
      REFERENCES,
    );

    const served = await open(url);
    try {
      for (const way of ways) await applyAll(served, way.apply, way.references.slice(0, WARM_UP / 2));
      log(`Applying deposits, ${IN_FLIGHT} at once`);
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
            async () => note(way, await applyAll(served, way.apply, ofRound(way.references, round))),
            async () => {
              way.rawPerSecond.push(await (pgbench ? runByPgbench(pgbench, raw) : runByDriver(raw)));
            },
          ];
          for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
        }
      }
      await check(served, postgres);
    } finally {
      await served.close();
    }
    print(ways, pgbench);
  } finally {
    await postgres.stop();
  }
}

const open = (url: string) =>
  serve(url, { DATABASE_POOL: String(IN_FLIGHT), TILL_CAP_PER_BRANCH_DAY: '100000000.00' });

const ofRound = (references: readonly number[], round: number) =>
  references.slice(WARM_UP + round * PER_ROUND, WARM_UP + (round + 1) * PER_ROUND);

async function openReferences(url: string, ids: readonly number[], there: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(OPEN_REFERENCES, [ids, there]);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Both ways with references of their own and their statements, known from two recordings; some deposits are applied then. */
async function prepare(url: string): Promise<Way[]> {
  const served = await open(url);
  try {
    const passwords = createPasswords();
    const till = { kind: 'till', userName: 'caja', password: randomUUID(), chain: CHAIN } as const;
    const token = await openMachineSession(served.db, await addMachine({ db: served.db, passwords }, till));
    const references = await transaction(served.db, (tx) => newReferenceIds(tx, REFERENCES));
    await openReferences(url, references, 0);
    return [
      await learn(served, url, 'till call', tillCall(token), references.slice(0, EACH)),
      await learn(served, url, 'reserve alone', reserveAlone, references.slice(EACH)),
    ];
  } finally {
    await served.close();
  }
}

function tillCall(token: string): Apply {
  return async (served, id, slot) => {
    const { error, mensaje } = await served.ask<{ error: number; mensaje: string }>(
      token,
      'POST',
      '/PosOperations/OnLayaway',
      {
        referencia: `1${id}`,
        importe: 600,
        compañia: CHAIN,
        sucursal: String(slot),
        idtransaccion: randomUUID(),
      },
    );
    if (error !== 0) throw new Error(`the till was answered ${error}: ${mensaje}`);
  };
}

async function reserveAlone({ db }: Served, id: number): Promise<void> {
  await transaction(db, async (tx) => {
    const reference = await lockReference(tx, id);
    if (reference === undefined) throw new Error(`no reference ${id}`);
    return reserve(tx, reference, { channel: 'till', sourceId: randomUUID(), feeCentavos: zero });
  });
}

async function learn(
  served: Served,
  url: string,
  name: string,
  apply: Apply,
  references: readonly number[],
): Promise<Way> {
  // From the end of the warm-up's half that is done here; the other half warms the connections that are measured.
  const [first = 0, second = 0, ...rest] = references.slice(WARM_UP / 2, WARM_UP);
  const recordings = [
    await record(() => apply(served, first, 0)),
    await record(() => apply(served, second, 1)),
  ] as const;
  const statements = generalise(recordings, { reference: [first, second], slot: ['0', '1'] });
  await applyAll(served, apply, rest);
  const types = await typesOf(url, statements);
  return { name, apply, references, statements, types, perSecond: [], rawPerSecond: [], times: [], cpuMs: 0 };
}

interface Applied {
  readonly perSecond: number;
  /** What each took, in ms. */
  readonly times: readonly number[];
  readonly cpuMs: number;
}

/** Applies the deposits of the references by so many clients, each of which waits for its answer before it goes on. */
async function applyAll(served: Served, apply: Apply, references: readonly number[]): Promise<Applied> {
  const times: number[] = [];
  const share = Math.ceil(references.length / IN_FLIGHT);
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, slot) => {
      for (const id of references.slice(slot * share, (slot + 1) * share)) {
        const asked = performance.now();
        await apply(served, id, slot);
        times.push(performance.now() - asked);
      }
    }),
  );
  const perSecond = (references.length * 1000) / (performance.now() - begun);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond, times, cpuMs: (user + system) / 1000 };
}

function note(way: Way, { perSecond, times, cpuMs }: Applied): void {
  way.perSecond.push(perSecond);
  way.times.push(...times);
  way.cpuMs += cpuMs;
}

/** A speed of wrong books is none, and nothing raw may have been skipped. */
async function check(served: Served, postgres: DurablePostgres): Promise<void> {
  const broken = await proveBooks(served.db);
  if (broken.length > 0) throw new Error(`the books do not hold: ${JSON.stringify(broken)}`);
  await postgres.run('raw', [
    `do $$ begin
       assert (select count(*) from purchases) = ${2 * (WARM_UP / 2 + ROUNDS * PER_ROUND)}, 'the raw runs did not reserve';
     end $$`,
  ]);
}

function print(ways: readonly Way[], pgbench: string | undefined): void {
  printTable(
    `Deposits applied per second, ${IN_FLIGHT} at once: median [range] of ${ROUNDS} rounds of ${PER_ROUND}`,
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
