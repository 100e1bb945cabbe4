import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { isOwnersDevice, rememberOwner } from './guard-sign-in.ts';

let database: TestDatabase;
const opened: Db[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const db of opened) await db.destroy();
  await database.drop();
});

/** The limiter as it counts so many days from now. */
function limiterIn(days: number) {
  const db = openDb({ url: database.url, role: 'none', max: 1, clockOffset: `${days} days` });
  opened.push(db);
  return createLimiter(db);
}

test('a device is its owner’s for ninety days: whoever guesses meanwhile does not lock it out', async () => {
  const phone = { kind: 'buyer', address: '203.0.113.9', deviceId: '0f0e0d0c-0b0a-4908-8706' } as const;
  const ana = { ...phone, name: 'ana@example.mx' };
  await rememberOwner(limiterIn(0), ana);
  expect(await isOwnersDevice(limiterIn(89), ana)).toBe(true);
  expect(await isOwnersDevice(limiterIn(91), ana)).toBe(false);
  // Of another kind of account by that name, of another device, and of none nothing is known.
  for (const another of [
    { kind: 'till' },
    { deviceId: `${phone.deviceId}1` },
    { deviceId: undefined },
  ] as const)
    expect(await isOwnersDevice(limiterIn(0), { ...ana, ...another })).toBe(false);
});
