import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeMerchant } from '../../../test/make.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { isTestKey, openCredential, testKeyProblems } from './credential.ts';
import { setCardKeys } from './save-card-keys.ts';
import {
  findCurrentCredential,
  findUsableCredential,
  forgetRefusals,
  listSweptCredentials,
  markCredentialRefused,
} from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('production does not start while a merchant would give goods for play money', async () => {
  const { keyRing } = app.settings;
  await makeMerchant(app.db, { cards: { keyRing, publicKey: 'a0000000-0000-4000-8000-000000000001' } });
  expect(await testKeyProblems(app.db)).toEqual([]);
  const id = await makeMerchant(app.db, { cards: { keyRing, publicKey: 'test_a0000000' } });
  expect(await testKeyProblems(app.db)).toEqual([`merchants with a test key in production: ${id}`]);
});

test('a key that charges nobody is known by how it begins, and production never opens one', async () => {
  const keys = ['test_', 'test_a', 'test_a0000000-0000-4000-8000-000000000001'];
  expect(keys.map(isTestKey)).toEqual([true, true, true]);
  expect(['a', 'atest_', 'TEST_a', 'test-a', ''].map(isTestKey)).toEqual([false, false, false, false, false]);
  const { keyRing } = app.settings;
  for (const publicKey of keys) {
    const id = await makeMerchant(app.db, { cards: { keyRing, publicKey, secret: 's' } });
    const sealed = (await findCurrentCredential(app.db, id))!;
    expect(() => openCredential({ keyRing, allowTestKeys: false }, sealed)).toThrow('test key');
    expect(openCredential({ keyRing, allowTestKeys: true }, sealed)).toEqual({ publicKey, secret: 's' });
  }
});

test('payments of a retired key are looked for during four days', async () => {
  const id = await makeMerchant(app.db, { cards: { keyRing: app.settings.keyRing } });
  const isSwept = async (retired: string) => {
    await sql`update provider_credentials set retired_at = now() - ${retired}::interval where merchant_id = ${id}`.execute(
      app.db,
    );
    const swept = await listSweptCredentials(app.db);
    return swept.some(({ merchantId }) => merchantId === id);
  };
  expect([await isSwept('3 days 23 hours'), await isSwept('4 days 1 hour')]).toEqual([true, false]);
});

test('only a current pair that was refused pauses the refunds that ask again lets go on', async () => {
  const { keyRing } = app.settings;
  const merchantId = await makeMerchant(app.db, { cards: { keyRing } });
  const old = (await findCurrentCredential(app.db, merchantId))!;
  const usable = async () =>
    (await findUsableCredential(app.db, { merchantId, credentialId: old.id }))?.publicKey;
  const next = { publicKey: 'a0000000-0000-4000-8000-000000000002', secret: 'demo-secret-2' };
  await transaction(app.db, (tx) => setCardKeys({ keyRing, allowTestKeys: true }, tx, merchantId, next));
  const refuse = (id: string) => transaction(app.db, (tx) => markCredentialRefused(tx, id));
  const forget = () => transaction(app.db, (tx) => forgetRefusals(tx, merchantId));
  expect([await usable(), await forget()]).toEqual([old.publicKey, false]);
  await refuse(old.id);
  expect([await usable(), await forget(), await usable()]).toEqual([next.publicKey, false, old.publicKey]);
  await refuse(old.id);
  await refuse((await findCurrentCredential(app.db, merchantId))!.id);
  expect([await usable(), await forget(), await usable()]).toEqual([undefined, true, old.publicKey]);
});
