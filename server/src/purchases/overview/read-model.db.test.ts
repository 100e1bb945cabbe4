import { mexicoCityDate } from '@aparta/domain/calendar';
import { LIST_FILTERS } from '@aparta/domain/purchase-status';
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { makeManyPurchases } from '../../../test/purchases.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { openPool } from '../../platform/db/pool.ts';
import type { Database } from '../../platform/db/tables.ts';
import { findUnresolved } from '../layaways/shown.read-model.ts';
import { listHeldPayments } from '../cancelling/read-model.ts';
import { readAccount } from '../statement/read-model.ts';
import { findPurchasePage } from './list.read-model.ts';
import { findPurchase, findPurchaseOfInstalment } from './read-model.ts';
import { listWaiting } from './waiting.read-model.ts';

/** Tables that grow with the business. Reading one whole makes a list slow. */
const LARGE = [
  'purchases',
  'instalments',
  'payment_references',
  'layaway_references',
  'receipts',
  'allocations',
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

let database: TestDatabase;
let db: Db;
let recorded: Db;
let pool: pg.Pool;
let asked: CompiledQuery[];
let buyerId: number;
/** Has as many purchases as people have. */
let customerId: number;

/**
 * 20,000 instalments; ten buyers have 500 purchases each. A plan for any buyer reckons with the mean: of fewer buyers it would
 * be so many that reading the whole table comes as cheap.
 */
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none' });
  pool = openPool({ url: database.url, max: 1 });
  recorded = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      asked.push(query);
    },
  });
  buyerId = (await makeBuyer(db)).id;
  const merchantId = await makeMerchant(db);
  const productId = await makeProduct(db, { merchantId });
  const others = await Promise.all(Array.from({ length: 9 }, async () => (await makeBuyer(db)).id));
  const each = { merchantId, productId, instalments: 4 };
  for (let round = 0; round < 9; round += 1) {
    await makeManyPurchases(db, { ...each, buyerIds: others, purchases: 500 });
  }
  await makeManyPurchases(db, { ...each, buyerIds: [buyerId], purchases: 500 });
  customerId = (await makeBuyer(db)).id;
  await makeManyPurchases(db, { ...each, buyerIds: [customerId], purchases: 20 });
  await pool.query('vacuum analyze');
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await recorded.destroy();
  await db.destroy();
  await database.drop();
});

/** The plans of a recorded statement, as planned for its values and as planned for any. */
async function plansOf(query: CompiledQuery): Promise<PlanNode[][]> {
  const client = await pool.connect();
  try {
    await client.query(`prepare asked as ${query.sql}`);
    const values = query.parameters.map((value) => pg.escapeLiteral(String(value))).join(', ');
    const plans: PlanNode[][] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      const { rows } = await client.query(`explain (analyze, format json) execute asked (${values})`);
      const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
      plans.push(flat(rows[0]['QUERY PLAN'][0].Plan));
    }
    return plans;
  } finally {
    await client.query('deallocate asked');
    client.release();
  }
}

/** Of the plan for its values, and unless `kinds` is 1 of the one for any. */
async function expectIndexed(most: number, kinds = 2): Promise<PlanNode[][]> {
  expect(asked).toHaveLength(1);
  const plans = (await plansOf(asked[0]!)).slice(0, kinds);
  for (const plan of plans) {
    const read = plan.filter((node) => LARGE.includes(node['Relation Name'] ?? ''));
    expect(read.length).toBeGreaterThan(3);
    expect(read.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    for (const node of read) {
      const rows = node['Actual Rows'] * node['Actual Loops'];
      expect(rows, `${node['Node Type']} on ${node['Relation Name']}`).toBeLessThanOrEqual(most);
    }
  }
  return plans;
}

describe('with 20,000 instalments in the database', () => {
  test.each(Object.entries(LIST_FILTERS))(
    'a page of purchases (%s) is one statement that reads by index',
    async (_name, filter) => {
      const first = await findPurchasePage(recorded, { buyerId, filter, after: undefined, limit: 21 });
      // Counting is the only part that grows with the buyer, and never with the other buyers.
      const plans = await expectIndexed(500);
      const byBuyer = plans.map((plan) => plan.some((node) => node['Index Name'] === 'purchases_by_buyer'));
      expect(byBuyer).toEqual([true, true]);
      expect(first.total).toBe(filter === LIST_FILTERS.all || filter === LIST_FILTERS.active ? 500 : 0);
    },
  );

  test('a later page reads its own purchases and no others', async () => {
    const all = { buyerId, filter: LIST_FILTERS.all, limit: 21 };
    const { purchases } = await findPurchasePage(db, { ...all, after: undefined });
    const { id: last, now } = purchases.at(-1)!;
    const after = { day: mexicoCityDate(now), late: false, id: last };
    const page = await findPurchasePage(recorded, { ...all, after });
    expect(page.purchases).toHaveLength(21);
    expect(page.purchases.every(({ id }) => id < last)).toBe(true);
    await expectIndexed(21 * 4);
  });

  test('one purchase, by its id and by an instalment, is one statement that reads by index', async () => {
    const listed = await findPurchasePage(db, {
      buyerId,
      filter: LIST_FILTERS.all,
      after: undefined,
      limit: 1,
    });
    const { id, instalments } = listed.purchases[0]!;
    const byId = await findPurchase(recorded, buyerId, id);
    await expectIndexed(4);
    asked = [];
    const byInstalment = await findPurchaseOfInstalment(recorded, buyerId, instalments[2]!.id);
    await expectIndexed(4);
    expect(byInstalment!.id).toBe(id);
    expect(byInstalment!.instalments).toEqual(byId!.instalments);
    expect(byId!.instalments.map(({ payments }) => payments.length)).toEqual([1, 0, 0, 0]);
  });

  test('what a buyer’s home asks of layaways reads by index, and what is theirs alone', async () => {
    expect(await findUnresolved(recorded, customerId)).toEqual([]);
    for (const plan of await plansOf(asked[0]!)) {
      const read = plan.filter((node) => LARGE.includes(node['Relation Name'] ?? ''));
      expect(plan.map((node) => node['Index Name'])).toContain('layaway_references_by_buyer');
      expect(read.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      for (const node of read) expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(20);
    }
  });

  test('a buyer’s account is one statement that reads by index, and what is theirs alone', async () => {
    const days = { from: '2020-01-01', to: '2030-01-01' } as const;
    // Tables of a few pages are read whole where that is cheaper: here, whether there is an index for each.
    await pool.query('set enable_seqscan = off');
    try {
      const { events, dues } = await readAccount(recorded, { buyerId: customerId, ...days });
      expect([events.length, dues.length]).toEqual([40, 80]);
      const [plan] = await expectIndexed(20 * 4, 1);
      for (const index of ['purchases_by_buyer', 'receipts_by_buyer', 'allocations_by_instalment'])
        expect(plan!.map((node) => node['Index Name'])).toContain(index);
    } finally {
      await pool.query('reset enable_seqscan');
    }
  });
});

test('whose card payment is open is read by index, from the attempts of the listed purchases alone', async () => {
  await pool.query(`
    with key as (insert into provider_credentials (merchant_id, provider, public_key, secret_ciphertext, secret_key_id)
      select merchant_id, 'clip', '', '', '' from purchases limit 1 returning id, merchant_id)
    insert into card_attempts (buyer_id, merchant_id, credential_id, reference_id, intent_id, state, principal_centavos, fee_centavos)
    select p.buyer_id, p.merchant_id, key.id, i.id, gen_random_uuid(), case when p.id % 50 = 0 and i.number = 2 then 'unknown' else 'rejected' end, 10000, 0
    from purchases p join instalments i on i.purchase_id = p.id and i.number > 1 join key using (merchant_id)`);
  await pool.query('analyze');
  const all = { buyerId, filter: LIST_FILTERS.active, after: undefined };
  const { purchases } = await findPurchasePage(recorded, { ...all, limit: 101 });
  expect(purchases.filter(({ openAttempt }) => openAttempt === 'unknown')).toHaveLength(3);
  for (const plan of await plansOf(asked[0]!)) {
    const read = plan.filter((node) => node['Relation Name'] === 'card_attempts');
    expect(read.map((node) => node['Index Name'])).toContain('card_attempts_that_block');
    expect(read.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    for (const node of read) expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(101);
  }
});

test('what a purchase holds is read from its own payments, though the planner takes payments for few', async () => {
  const { rows } = await pool.query(`select id from purchases where buyer_id = ${customerId} limit 1`);
  // As an ANALYZE leaves them that ran while rows were imported: it saw their pages, and no row.
  const misjudged = [['receipts', 'allocations']];
  await pool.query('delete from pg_statistic where starelid = any ($1::regclass[])', misjudged);
  await pool.query('update pg_class set reltuples = 0 where oid = any ($1::regclass[])', misjudged);
  try {
    expect(await listHeldPayments(recorded, rows[0].id)).toHaveLength(1);
    for (const plan of await plansOf(asked[0]!)) {
      const handled = plan.map((node) => node['Actual Rows'] * node['Actual Loops']);
      expect(Math.max(...handled)).toBeLessThan(100_000);
    }
  } finally {
    await pool.query('analyze');
  }
});

test('of a payment over two purchases each has its share in the statement, and the fee is counted once', async () => {
  const buyer = await makeBuyer(db);
  const merchantId = await makeMerchant(db);
  const productId = await makeProduct(db, { merchantId });
  const all = { merchantId, productId, purchases: 2, instalments: 4 };
  await makeManyPurchases(db, { ...all, buyerIds: [buyer.id] });
  const { rows } = await sql<{ id: number }>`
    with money as (
      insert into receipts (channel, source_id, merchant_id, buyer_id, amount_centavos, folio)
      values ('till', gen_random_uuid(), ${merchantId}, ${buyer.id}, 26500, 'BOTH') returning id
    ), parts as (
      select i.id, i.purchase_id, case i.number when 2 then 10000 else 5000 end as amount
      from instalments i join purchases p on p.id = i.purchase_id
      where p.buyer_id = ${buyer.id} and (i.number = 2 or i.number = 3 and p.id = (
        select min(id) from purchases where buyer_id = ${buyer.id}))
    ), applied as (
      insert into allocations (receipt_id, target, instalment_id, amount_centavos)
      select money.id, 'instalment', parts.id, amount from money, parts
      union all select id, 'service_fee', null, 1500 from money
    )
    select id from purchases where buyer_id = ${buyer.id} order by id`.execute(db);
  const [first, second] = rows;
  const { events } = await readAccount(db, { buyerId: buyer.id, from: '2026-01-01', to: '2026-01-02' });
  const facts = events
    .filter(({ folio }) => folio === 'BOTH')
    .toSorted((one, other) => one.purchaseId! - other.purchaseId!)
    .map((each) => [
      each.kind,
      each.purchaseId,
      each.amountCentavos,
      each.appliedCentavos,
      each.feeCentavos,
      each.numbers,
    ]);
  expect(facts).toEqual([
    ['payment', first!.id, 16_500, 15_000, 1_500, [2, 3]],
    ['payment', second!.id, 10_000, 10_000, 0, [2]],
  ]);
});

test('of a thousand shops and products, those of the listed purchases are read, and no others', async () => {
  await pool.query(`
    with shops as (
      insert into merchants (company_id, business_name, trade_name, deposit_basis_points, frequency_days, plan_duration_days)
      select company_id, n, n, 2500, 30, 90 from generate_series(1, 1000) n, (select company_id from merchants limit 1) one
      returning id)
    insert into products (merchant_id, name, description, sku, sale_price_centavos)
    select id, 'Sala', 'Gris', id, 40000 from shops`);
  // Each buyer at many of them; no trigger runs.
  await pool.query(`
    set session_replication_role = replica;
    update purchases p set merchant_id = d.merchant_id, product_id = d.id
      from (select id, merchant_id, row_number() over (order by id) as place from products) d where place = 1 + p.id % 1000;
    set session_replication_role = origin`);
  await pool.query('analyze');
  await findPurchasePage(recorded, { buyerId, filter: LIST_FILTERS.active, after: undefined, limit: 21 });
  await listWaiting(recorded, buyerId);
  expect(asked).toHaveLength(2);
  for (const query of asked) {
    for (const plan of await plansOf(query)) {
      const read = plan.filter((node) => ['merchants', 'products'].includes(node['Relation Name'] ?? ''));
      expect(read.length).toBeGreaterThan(0);
      for (const node of read) expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(21);
    }
  }
});
