import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct, makeReference } from '../../../test/make.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { together } from '../../platform/db/together.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { createLog } from '../../platform/logging.ts';
import type { ProviderPayment } from '../card-provider/port.ts';
import { DEFAULT_CLOCKS } from './attempt.ts';
import { type ResolveDeps, resolveAttempt } from './resolve-attempt.ts';
import { insertAttempt } from './store.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none', max: 4 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

test('two banks that approve at once, both late, for one product: one reserves it, the other’s money goes back', async () => {
  const buyerId = (await makeBuyer(db)).id;
  const merchantId = await makeMerchant(db);
  const productId = await makeProduct(db, { merchantId });
  const { id: credentialId } = await db
    .insertInto('provider_credentials')
    .values({
      merchant_id: merchantId,
      provider: 'clip',
      public_key: 'test',
      secret_ciphertext: Buffer.from('secret'),
      secret_key_id: 'key',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const abandoned = async () => {
    const referenceId = await makeReference(db, { buyerId, merchantId, productId });
    await sql`update layaway_references set state = 'expired', created_at = now() - interval '4 days',
      expires_at = now() - interval '1 hour', closed_at = now() where id = ${referenceId}`.execute(db);
    const { id } = await transaction(db, (tx) =>
      insertAttempt(tx, {
        buyerId,
        merchantId,
        credentialId,
        referenceId,
        intentId: randomUUID(),
        intentHash: Buffer.alloc(32),
        state: 'abandoned',
        principalCentavos: centavos(60_000),
        feeCentavos: centavos(1_500),
        sourceAddress: '',
        requestId: '',
      }),
    );
    await sql`update card_attempts set created_at = now() - interval '2 hours' where id = ${id}`.execute(db);
    return id;
  };
  const attempts = [await abandoned(), await abandoned()];

  const gate = Promise.withResolvers<void>();
  const first = together(db, { keys: [] }, () => gate.promise);
  const deps = { db, clocks: DEFAULT_CLOCKS } as ResolveDeps;
  const late = attempts.map((id) => {
    const payment = {
      id: `payment of ${id}`,
      status: 'approved',
      detailCode: 'AP-PAI01',
      amountCentavos: centavos(61_500),
      currency: 'MXN',
      externalReference: id,
      refundedCentavos: centavos(0),
    } as ProviderPayment;
    const observation = { kind: 'approved' as const, payment };
    return resolveAttempt(deps, id, { by: 'sweep', observation, log: createLog('silent') });
  });
  gate.resolve();
  await Promise.all([first, ...late]);

  const states = await db.selectFrom('card_attempts').select('state').orderBy('state').execute();
  expect(states).toEqual([{ state: 'applied' }, { state: 'returned' }]);
  expect(await db.selectFrom('purchases').select('id').execute()).toHaveLength(1);
  expect(await proveBooks(db)).toEqual([]);
});
