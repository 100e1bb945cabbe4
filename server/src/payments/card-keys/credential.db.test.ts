import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeMerchant } from '../../../test/make.ts';
import { isTestKey, openCredential, testKeyProblems } from './credential.ts';
import { findCurrentCredential, listSweptCredentials } from './store.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

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
  const swept = async (retired: string) => {
    await sql`update provider_credentials set retired_at = now() - ${retired}::interval where merchant_id = ${id}`.execute(
      app.db,
    );
    return (await listSweptCredentials(app.db)).length;
  };
  expect([await swept('3 days 23 hours'), await swept('4 days 1 hour')]).toEqual([1, 0]);
});
