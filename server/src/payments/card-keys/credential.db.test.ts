import { afterEach, beforeEach, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeMerchant } from '../../../test/make.ts';
import { testKeyProblems } from './credential.ts';

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
