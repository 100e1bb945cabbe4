import { openSession } from '@aparta/server/accounts/sessions/session';
import { migrate } from '@aparta/server/platform/db/migrate';
import { startDurablePostgres, type DurablePostgres } from './durable-postgres.ts';
import { compareInTurns, roundsOf } from './in-turns.ts';
import { printNote, printTable } from './report.ts';
import { serve, type Served } from './served.ts';

/** Buyers of 50 purchases of 4 instalments: 1,000 instalments, and 10,000,000. */
const SIZES = { small: 5, large: 50_000 } as const;
const PURCHASES_EACH = 50;
const INSTALMENTS_EACH = 4;
const PER_ROUND = 200;
/** Buyers who are signed in, spread over all of them. */
const SIGNED_IN = 200;
/** Times the figure of the small database. */
const MOST = 1.1;
/** Of the list, on a quiet machine. */
const WITHIN_MS = { p50: 2.5, p99: 8 };

interface Reader {
  readonly id: number;
  readonly token: string;
}

/** A database of so many buyers, served. */
interface Shop extends Served {
  readonly readers: readonly Reader[];
}

/**
 * Prints how long a buyer waits for the purchases list and for one purchase's instalments, with 1,000 and with 10,000,000
 * instalments in the database, one call at a time, the two databases in turns.
 */
export async function benchPurchases(log: (line: string) => void): Promise<void> {
  const postgres = await startDurablePostgres();
  const shops: Shop[] = [];
  try {
    for (const [name, buyers] of Object.entries(SIZES)) {
      log(`Filling a database with ${instalmentsOf(buyers).toLocaleString('en')} instalments`);
      shops.push(await openShop(postgres, name, buyers));
    }
    const [small, large] = shops as [Shop, Shop];
    log('Reading purchases');
    const rows = [
      ...(await measure('list, first 20 of 50', small, large, readList, WITHIN_MS)),
      ...(await measure('one purchase', small, large, readDetail)),
    ];
    printTable(`Purchases, ms per call: ${roundsOf(PER_ROUND)}`, [
      [
        'call',
        '',
        ...Object.values(SIZES).map((buyers) => `${instalmentsOf(buyers).toLocaleString('en')} instalments`),
        'ratio',
        'aim',
      ],
      ...rows,
    ]);
    printNote('Session check, query, and the reply as JSON are within; the network is not.');
  } finally {
    for (const shop of shops) await shop.close();
    await postgres.stop();
  }
}

const instalmentsOf = (buyers: number) => buyers * PURCHASES_EACH * INSTALMENTS_EACH;

/** A call of a buyer; `turn` chooses which of their purchases. */
type Read = (shop: Shop, reader: Reader, turn: number) => Promise<void>;

async function readList(shop: Shop, { id, token }: Reader): Promise<void> {
  const { data } = await shop.ask<{ data: unknown[] }>(
    token,
    'GET',
    `/v1/Cxc/ByBuyerIdH/${id}?status=2&limit=20`,
  );
  if (data.length !== 20) throw new Error(`the list of ${id} has ${data.length} purchases`);
}

async function readDetail(shop: Shop, { id, token }: Reader, turn: number): Promise<void> {
  const purchase = firstPurchaseOf(id) + (turn % PURCHASES_EACH);
  const { data } = await shop.ask<{ data: unknown[] }>(
    token,
    'GET',
    `/v1/Cxc/ByBusinesidVentaidDateD/${purchase}`,
  );
  if (data.length !== INSTALMENTS_EACH)
    throw new Error(`purchase ${purchase} has ${data.length} instalments`);
}

/** As {@link HISTORY} numbers them. */
export const FIRST_BUYER = 1_001;
const FIRST_PURCHASE = 10_001;
const firstPurchaseOf = (buyerId: number) => FIRST_PURCHASE + (buyerId - FIRST_BUYER) * PURCHASES_EACH;

async function measure(
  call: string,
  small: Shop,
  large: Shop,
  read: Read,
  within?: Readonly<Record<string, number>>,
): Promise<string[][]> {
  const shares = { p50: 0.5, p99: 0.99 };
  const ask = async (shop: Shop, turn: number) => {
    const reader = shop.readers[turn % shop.readers.length];
    if (reader !== undefined) await read(shop, reader, turn);
  };
  return compareInTurns({ call, small, large, ask, perRound: PER_ROUND, shares, most: MOST, within });
}

async function openShop(postgres: DurablePostgres, name: string, buyers: number): Promise<Shop> {
  const url = await postgres.create(name);
  await migrate(url);
  await fillPurchases(postgres, name, buyers);
  // Five buyers who read one call after the other ask more often than one person may.
  const everything = { times: 1_000_000, seconds: 1 };
  const served = await serve(url, { TEST_CLOCKS: JSON.stringify({ callsPerBuyer: everything }) });
  const step = Math.max(1, Math.floor(buyers / SIGNED_IN));
  const readers: Reader[] = [];
  for (let buyer = 0; buyer < buyers; buyer += step) {
    const id = FIRST_BUYER + buyer;
    readers.push({ id, token: await openSession(served.db, id) });
  }
  return { ...served, readers };
}

/** Writes so many buyers, each with fifty purchases, into an empty database. */
export async function fillPurchases(postgres: DurablePostgres, name: string, buyers: number): Promise<void> {
  await postgres.run(name, [...historyOf(buyers), 'vacuum analyze']);
}

/**
 * Buyers with purchases dealt out over the merchants: each with its deposit paid, every third with a part of the second
 * instalment. Numbers in a row stand in for the permuted ones, and triggers are off: what is written adds up.
 */
function historyOf(buyers: number): string[] {
  const purchases = buyers * PURCHASES_EACH;
  const merchants = Math.ceil(buyers / 10);
  // Every place counts from 0; a purchase's instalments follow each other.
  const [layaway, instalment] = ['1000000000 + place', '5000000000 + place'];
  return [
    'set session_replication_role = replica',
    `insert into companies (name, logo_file_name, logo) values ('Grupo', 'grupo.jpg', '\\xffd8')`,
    `insert into merchants (company_id, business_name, trade_name, deposit_basis_points, frequency_days, plan_duration_days)
     select 1, 'Muebles ' || n, 'Muebles ' || n, 2500, 30, 90 from generate_series(1, ${merchants}) n`,
    `insert into products (merchant_id, name, description, sku, sale_price_centavos)
     select n, 'Sala Nórdica', 'Tres plazas, gris', 'SALA-1', 40000 from generate_series(1, ${merchants}) n`,
    `insert into buyers (email, user_name, name, password_hash, email_confirmed_at)
     select 'buyer-' || n || '@example.mx', 'Ana', 'Ana Torres', '-', now() from generate_series(1, ${buyers}) n`,
    `insert into payment_references (id, kind, prefix)
     select ${layaway}, 'layaway', '1' from generate_series(0, ${purchases - 1}) place`,
    `insert into payment_references (id, kind, prefix)
     select ${instalment}, 'instalment', (1 + place % ${INSTALMENTS_EACH})::text
     from generate_series(0, ${purchases * INSTALMENTS_EACH - 1}) place`,
    `insert into layaway_references (id, buyer_id, merchant_id, product_id, state, price_centavos, deposit_centavos,
       deposit_basis_points, frequency_days, plan_duration_days, service_fee_centavos, service_fee_methods, penalty_centavos,
       expires_at, closed_at)
     select ${layaway}, ${FIRST_BUYER} + place / ${PURCHASES_EACH}, 1 + place % ${merchants}, 1 + place % ${merchants}, 'paid',
       40000, 10000, 2500, 30, 90, 1500, array['card'], 0, now() + interval '2 days', now()
     from generate_series(0, ${purchases - 1}) place`,
    `insert into purchases (id, buyer_id, merchant_id, product_id, layaway_reference_id, product_name, product_description,
       price_centavos, deposit_centavos, paid_centavos, next_due_on, service_fee_centavos, service_fee_methods,
       penalty_centavos, penalty_free_until)
     overriding system value
     select ${FIRST_PURCHASE} + id - 1000000000, buyer_id, merchant_id, product_id, id, 'Sala Nórdica', 'Tres plazas, gris',
       40000, 10000, case when id % 3 = 0 then 15000 else 10000 end, current_date + 30, 1500, array['card'], 0, now() + interval '5 days'
     from layaway_references order by id`,
    `insert into instalments (id, purchase_id, number, due_on, amount_centavos, paid_centavos)
     select ${instalment}, purchase.id, number, current_date + 30 * (number - 1), 10000,
       case number when 1 then 10000 when 2 then purchase.paid_centavos - 10000 else 0 end
     from generate_series(0, ${purchases * INSTALMENTS_EACH - 1}) place
       cross join lateral (select 1 + place % ${INSTALMENTS_EACH} as number) its
       join purchases purchase on purchase.id = ${FIRST_PURCHASE} + place / ${INSTALMENTS_EACH}`,
    `insert into receipts (channel, source_id, merchant_id, buyer_id, amount_centavos, folio)
     select 'till', gen_random_uuid(), p.merchant_id, p.buyer_id, i.paid_centavos, 'F-' || i.id
     from instalments i join purchases p on p.id = i.purchase_id where i.paid_centavos > 0 order by i.id`,
    `insert into allocations (receipt_id, target, instalment_id, amount_centavos)
     select id, 'instalment', substr(folio, 3)::bigint, amount_centavos from receipts order by id`,
    'set session_replication_role = origin',
  ];
}
