import { isEmailAddress } from '@aparta/domain/email-address';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer } from '../../../test/make.ts';
import { openDb, type Db } from '../../platform/db/db.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none' });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test.each([
  '<ana@example.mx>',
  '<ana@example.mx',
  'ana@example.mx.',
  '"ana"@example.mx',
  'ana(x)@example.mx',
  'ana@example.mx,',
  'x:ana@example.mx',
  'ana@b@example.mx',
  'ana@[192.0.2.1]',
  'ñandú@example.mx',
])('the database itself gives no account to %j', async (email) => {
  const ana = await makeBuyer(db);
  expect(isEmailAddress(email)).toBe(false);
  const change = sql`update buyers set email = ${email} where id = ${ana.id}`.execute(db);
  await expect(change).rejects.toMatchObject({ constraint: 'buyers_email_is_plain' });
});

test('an erased buyer, and every spelling that sign-up takes, pass', async () => {
  const ana = await makeBuyer(db);
  for (const email of [
    "o'hara+aparta@example.mx",
    `erased-${ana.id}-0a1b2c@erased.invalid`,
    'x_{y}@a-b.c.mx',
  ]) {
    expect(isEmailAddress(email)).toBe(true);
    await sql`update buyers set email = ${email} where id = ${ana.id}`.execute(db);
  }
});
