import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { expect, test } from 'vitest';

import { createTestDatabase } from '../../../test/database.ts';
import { makeMerchant } from '../../../test/make.ts';
import { openDb } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { recordReceipt } from './record-receipt.ts';

test('money in suspense is placed whole or not at all, and once', async () => {
  const database = await createTestDatabase();
  const db = openDb({ url: database.url, role: 'none' });
  try {
    const merchantId = await makeMerchant(db);
    const money = { channel: 'cash' as const, sourceId: randomUUID(), merchantId, buyerId: null };
    const place = (pesos: number) =>
      transaction(db, (tx) =>
        recordReceipt(tx, money, {
          to: 'refund',
          cause: 'not_applicable',
          method: 'cash',
          attemptId: null,
          amountCentavos: centavos(pesos * 100),
        }),
      );
    const { folio } = await transaction(db, (tx) =>
      recordReceipt(tx, money, { to: 'suspense', amountCentavos: centavos(61_500) }),
    );
    await expect(place(614)).rejects.toThrow('holds 61500, not 61400');
    await expect(place(616)).rejects.toThrow('holds 61500, not 61600');
    expect((await place(615)).folio).toBe(folio);
    await expect(place(615)).rejects.toThrow('receipts_money_arrives_once');
  } finally {
    await db.destroy();
    await database.drop();
  }
});
