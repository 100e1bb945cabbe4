import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBuyer, makeMerchant, makeServiceAccount } from '../../../test/make.ts';
import { createPasswords } from '../../accounts/credentials/passwords.ts';
import {
  DEMO_BUYERS,
  DEMO_BUYERS_PASSWORD,
  DEMO_SERVICE_ACCOUNTS,
  demoProblems,
} from './demo-left.read-model.ts';

let server: TestApp;
const passwords = createPasswords();
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('production names what the demo left, and nothing that a stranger signed up', async () => {
  const { db, settings } = server;
  const [confirmed, stranger] = DEMO_BUYERS;
  await makeBuyer(db, { email: confirmed });
  await makeBuyer(db, { email: stranger, isConfirmed: false });
  const [till] = DEMO_SERVICE_ACCOUNTS;
  const { userName } = await makeServiceAccount(db, { kind: 'till', chain: 'CAJA-DEMO' });
  await db
    .updateTable('service_accounts')
    .set({ user_name: till.userName })
    .where('user_name', '=', userName)
    .execute();
  expect(await demoProblems(db, passwords)).toEqual([]);

  await db
    .updateTable('buyers')
    .set({ password_hash: await passwords.hash(DEMO_BUYERS_PASSWORD) })
    .execute();
  await db
    .updateTable('service_accounts')
    .set({ secret_hash: await passwords.hash(till.password) })
    .execute();
  const merchantId = await makeMerchant(db, {
    cards: { keyRing: settings.keyRing, publicKey: 'a0000000-0000-4000-8000-000000000002' },
  });
  expect(await demoProblems(db, passwords)).toEqual([
    `accounts of the demo, with its passwords: ${till.userName}, ${confirmed}`,
    `merchants with card keys of the sandbox: ${merchantId}`,
  ]);
});
