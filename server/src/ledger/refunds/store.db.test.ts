import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeMerchant } from '../../../test/make.ts';
import { findCurrentCredential } from '../../payments/card-keys/store.ts';
import { insertAttempt } from '../../payments/cards/store.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { recordReceipt } from '../receipts/record-receipt.ts';
import { sumOwnRefunds } from './store.ts';

let app: TestApp;
let attemptId: string;
/** A payment of 615.00 that is owed back. */
beforeAll(async () => {
  app = await startTestApp();
  const merchantId = await makeMerchant(app.db, { cards: { keyRing: app.settings.keyRing } });
  const credentialId = (await findCurrentCredential(app.db, merchantId))?.id ?? '';
  await transaction(app.db, async (tx) => {
    const amountCentavos = centavos(61_500);
    ({ id: attemptId } = await insertAttempt(tx, {
      buyerId: null,
      merchantId,
      credentialId,
      referenceId: null,
      intentId: null,
      intentHash: null,
      state: 'returned',
      principalCentavos: amountCentavos,
      feeCentavos: centavos(0),
      capturedCentavos: amountCentavos,
      providerPaymentId: randomUUID(),
      sourceAddress: '',
      requestId: '',
    }));
    await recordReceipt(
      tx,
      { channel: 'card', sourceId: attemptId, merchantId, buyerId: null },
      { to: 'refund', cause: 'not_applicable', method: 'card', attemptId, amountCentavos },
    );
  });
});
afterAll(() => app.close());

test.each([
  ['owed', 0],
  ['sending', 61_500],
  ['unknown', 61_500],
  // Nobody knows whether it arrived, so money that left may be ours.
  ['blocked', 61_500],
  ['done', 61_500],
  ['moved_to_cash', 0],
])('money that left the card is explained by our refund that is %s: %d', async (state, explained) => {
  await sql`update refunds set state = ${state}, done_at = case when ${state} = 'done' then now() end
    where attempt_id = ${attemptId}`.execute(app.db);
  expect(await sumOwnRefunds(app.db, attemptId)).toBe(explained);
});
