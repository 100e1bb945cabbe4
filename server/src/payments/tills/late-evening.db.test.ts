import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeServiceAccount,
} from '../../../test/make.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { createLog } from '../../platform/logging.ts';
import { listDay } from './store.ts';
import { takeDeposit } from './take-deposit.ts';

let database: TestDatabase;
let serviceAccountId: string;
let offer: { merchantId: number; productId: number };
const opened: Db[] = [];
const tillCaps = {
  perBranchCentavos: centavos(130_000),
  perAccountCentavos: centavos(190_000),
  unknownPerHour: 10,
};

const open = (more: object = {}) => {
  const db = openDb({ url: database.url, role: 'none', max: 2, ...more });
  opened.push(db);
  return db;
};

beforeAll(async () => {
  database = await createTestDatabase();
  const db = open();
  ({ id: serviceAccountId } = await makeServiceAccount(db, { kind: 'till', chain: 'NORTE' }));
  const merchantId = await makeMerchant(db);
  offer = { merchantId, productId: await makeProduct(db, { merchantId }) };
});
afterAll(async () => {
  for (const db of opened) await db.destroy();
  await database.drop();
});

/** Deposits of 600.00 at a moment: what the till was answered, branch by branch. */
async function takeAt(moment: string, ...branches: string[]): Promise<number[]> {
  const db = open({ clockOffset: `${Date.parse(moment) - Date.now()} milliseconds` });
  const errors: number[] = [];
  for (const branch of branches) {
    const { id: buyerId } = await makeBuyer(db);
    const id = await makeReference(db, { buyerId, ...offer });
    const { reference } = await db
      .selectFrom('payment_references')
      .select('reference')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { error } = await takeDeposit(
      { db, limiter: createLimiter(db), tillCaps },
      { serviceAccountId, chain: 'NORTE', merchantIds: [offer.merchantId] },
      { reference, amountCentavos: centavos(60_000), chain: 'NORTE', branch, transactionId: randomUUID() },
      createLog('silent'),
    );
    errors.push(error);
  }
  return errors;
}

test('a till’s day is Mexico City’s: half an hour before midnight the caps are used up, half an hour after they are whole', async () => {
  // In UTC, each of these is the day after.
  expect(await takeAt('2031-07-08T23:30:00-06:00', '7')).toEqual([0]);
  expect(await takeAt('2031-07-09T12:00:00-06:00', '7', '8')).toEqual([0, 0]);
  expect(await takeAt('2031-07-09T23:30:00-06:00', '7', '7', '9')).toEqual([0, 14, 14]);
  expect(await takeAt('2031-07-10T00:30:00-06:00', '7')).toEqual([0]);

  const day = await listDay(open(), 'NORTE', '2031-07-09');
  expect(day.map(({ branch, at }) => [branch, at.slice(0, 15)])).toEqual([
    ['7', '2031-07-09T12:0'],
    ['8', '2031-07-09T12:0'],
    ['7', '2031-07-09T23:3'],
  ]);
});
