import { randomUUID } from 'node:crypto';
import { zero } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct, makeReference } from '../../../test/make.ts';
import { makeManyPurchases } from '../../../test/purchases.ts';
import { type Db, openDb, type Tx } from '../../platform/db/db.ts';
import { together } from '../../platform/db/together.ts';
import { applyPayment } from '../plans/apply-payment.ts';
import { lockPurchase } from '../plans/store.ts';
import { reserve } from './reserve.ts';
import { lockReference } from './store.ts';

let database: TestDatabase;
let shop: Db;
let till: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = openDb({ url: database.url, role: 'none' });
  // One connection, which keeps what it planned.
  till = openDb({ url: database.url, role: 'none', max: 1 });
});
afterAll(async () => {
  await shop.destroy();
  await till.destroy();
  await database.drop();
});

const money = () => ({ channel: 'till', sourceId: randomUUID(), feeCentavos: zero }) as const;

/** How many rows of plans a deposit reads, and a payment of the purchase that it makes. */
async function readBy(referenceId: number): Promise<{ deposit: number; payment: number }> {
  const deposit = await readIn(async (tx) => {
    const reference = await lockReference(tx, referenceId);
    if (reference === undefined) throw new Error(`no reference ${referenceId}`);
    await reserve(tx, reference, { ...money(), unit: { take: undefined } });
  });
  const [bought] = (
    await sql<{ id: number }>`select id from purchases where layaway_reference_id = ${referenceId}`.execute(
      shop,
    )
  ).rows;
  const payment = await readIn(async (tx) => {
    const purchase = await lockPurchase(tx, bought?.id ?? 0);
    if (purchase === undefined) throw new Error(`no purchase of ${referenceId}`);
    await applyPayment(tx, purchase, { ...money(), principalCentavos: purchase.balanceCentavos });
  });
  return { deposit, payment };
}

const readIn = (work: (tx: Tx) => Promise<void>) =>
  together(till, { keys: [] }, async (tx) => {
    const before = await readSoFar(tx);
    await work(tx);
    return (await readSoFar(tx)) - before;
  });
async function readSoFar(tx: Tx): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select sum(idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_xact_user_tables
    where relname in ('purchases', 'instalments')`.execute(tx);
  return rows[0]?.rows ?? 0;
}

test('a deposit, and a payment after it, reads its own plan alone, however few there were when its connection made its first', async () => {
  const merchantId = await makeMerchant(shop);
  const productId = await makeProduct(shop, { merchantId });
  const buyerIds = await Promise.all(Array.from({ length: 4 }, async () => (await makeBuyer(shop)).id));
  const many = { buyerIds, merchantId, productId, instalments: 3 };
  await makeManyPurchases(shop, { ...many, purchases: 60 });
  await sql`vacuum analyze purchases, instalments`.execute(shop);
  const one = async () => {
    const { id: buyerId } = await makeBuyer(shop);
    return readBy(await makeReference(shop, { buyerId, merchantId, productId }));
  };
  const before = await one();
  await makeManyPurchases(shop, { ...many, purchases: 2_000 });
  const after = await one();
  expect(after.deposit).toBeLessThanOrEqual(before.deposit);
  expect(after.payment).toBeLessThanOrEqual(before.payment);
});
