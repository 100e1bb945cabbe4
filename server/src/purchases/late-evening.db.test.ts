import { LIST_FILTERS } from '@aparta/domain/purchase-status';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct, makeReference } from '../../test/make.ts';
import { makePurchase } from '../../test/purchases.ts';
import { type Db, openDb } from '../platform/db/db.ts';
import { findReference } from './layaways/shown.read-model.ts';
import { presentReference } from './layaways/present.ts';
import { listPurchases } from './overview/list.ts';
import { presentSummary } from './overview/present.ts';

let database: TestDatabase;
const opened: Db[] = [];
/** The database at a moment. Half an hour before midnight in Mexico City it is tomorrow in UTC. */
const at = (moment: string) => {
  const clockOffset = `${Date.parse(moment) - Date.now()} milliseconds`;
  const db = openDb({ url: database.url, role: 'none', max: 2, clockOffset });
  opened.push(db);
  return db;
};

/** A Wednesday. */
let reservedAt: Db;
let given: { buyerId: number; merchantId: number; productId: number };
beforeAll(async () => {
  database = await createTestDatabase();
  reservedAt = at('2031-07-09T23:30:00-06:00');
  const buyer = await makeBuyer(reservedAt);
  const merchantId = await makeMerchant(reservedAt);
  given = {
    buyerId: buyer.id,
    merchantId,
    productId: await makeProduct(reservedAt, { merchantId }),
  };
});
afterAll(async () => {
  for (const db of opened) await db.destroy();
  await database.drop();
});

test('what is reserved in the late evening counts from that day, in Mexico City', async () => {
  const shown = await findReference(reservedAt, given.buyerId, await makeReference(reservedAt, given));
  const wire = presentReference(shown!, { attempt: null, cardKey: '' });
  expect(wire.instalments.map(({ dueOn }) => dueOn)).toEqual(['2031-07-09', '2031-08-08', '2031-09-07']);
  expect(wire.expiresAt).toBe('2031-07-12T05:59:59.999Z');

  const { id } = await makePurchase(reservedAt, given);
  const purchase = await reservedAt
    .selectFrom('purchases')
    .select('penalty_free_until as until')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(purchase.until.toISOString()).toBe('2031-07-17T05:59:59.999Z');
  const plan = await reservedAt
    .selectFrom('instalments')
    .select('due_on')
    .where('purchase_id', '=', id)
    .orderBy('number')
    .execute();
  expect(plan.map(({ due_on }) => due_on)).toEqual(['2031-07-09', '2031-08-08', '2031-09-07']);
});

test('an instalment is late after its day is over in Mexico City, and not an evening before', async () => {
  const buyer = await makeBuyer(reservedAt);
  const { id } = await makePurchase(reservedAt, { ...given, buyerId: buyer.id });
  // Newer ones, which are listed first unless it is late.
  const newer = at('2031-08-01T12:00:00-06:00');
  await makePurchase(newer, { ...given, buyerId: buyer.id });
  const { id: newest } = await makePurchase(newer, { ...given, buyerId: buyer.id });
  const listedOn = async (moment: string, limit: number) => {
    const request = { buyerId: buyer.id, filter: LIST_FILTERS.all, limit, after: undefined };
    const { purchases, next } = await listPurchases(at(moment), { kind: 'buyer', id: buyer.id }, request);
    return { day: next?.day, listed: purchases.map((one) => [one.id, presentSummary(one).late]) };
  };
  const before = '2031-08-08T23:30:00-06:00';
  expect(await listedOn(before, 1)).toEqual({ day: '2031-08-08', listed: [[newest, false]] });
  expect((await listedOn(before, 3)).listed.at(-1)).toEqual([id, false]);
  const after = '2031-08-09T00:30:00-06:00';
  expect(await listedOn(after, 1)).toEqual({ day: '2031-08-09', listed: [[id, true]] });
});
