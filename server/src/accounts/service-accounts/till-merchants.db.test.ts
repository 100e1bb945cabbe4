import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeServiceAccount,
} from '../../../test/make.ts';
import { takeDeposit } from '../../payments/tills/take-deposit.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { createLog } from '../../platform/logging.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none', max: 2 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('tills that stand go on collecting for those that they took money for, for nobody else, and the operator is told', async () => {
  const [merchantId] = [await makeMerchant(db), await makeMerchant(db)];
  const productId = await makeProduct(db, { merchantId });
  const till = await makeServiceAccount(db, { kind: 'till', chain: 'NORTE' });
  const idle = await makeServiceAccount(db, { kind: 'till', chain: 'SUR' });
  const id = await makeReference(db, { buyerId: (await makeBuyer(db)).id, merchantId, productId });
  const caps = { perBranchCentavos: centavos(100_000), perAccountCentavos: centavos(100_000) };
  const { error } = await takeDeposit(
    { db, limiter: createLimiter(db), tillCaps: { ...caps, unknownPerHour: 10 } },
    { serviceAccountId: till.id, chain: 'NORTE', merchantIds: [merchantId] },
    {
      reference: `1${id}`,
      amountCentavos: centavos(60_000),
      chain: 'NORTE',
      branch: '7',
      transactionId: randomUUID(),
    },
    createLog('silent'),
  );
  expect(error).toBe(0);

  await sql`drop table till_merchants`.execute(db);
  await sql`delete from kysely_migration where name = '0035_till_merchants'`.execute(db);
  const said: string[] = [];
  await migrate(database.url, { warn: (sentence) => said.push(sentence) });

  const rows = await db.selectFrom('till_merchants').selectAll().execute();
  expect(rows).toEqual([{ service_account_id: till.id, merchant_id: merchantId }]);
  expect(said.toSorted()).toEqual(
    [
      `the till ${till.userName} now collects for these merchants alone: ${merchantId}`,
      `the till ${idle.userName} now collects for these merchants alone: none, so it takes nothing until till assign lists them`,
    ].toSorted(),
  );
});
