import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';
import { startTestApp } from '../../../test/app.ts';
import { makeBranch, makeBuyer, makeMerchant, makeProduct, makeStaff } from '../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { deliverPurchase } from './deliver-purchase.ts';

test('what was paid for goods is the merchant’s once they are handed over: paid whole, and once', async () => {
  const server = await startTestApp();
  try {
    const { db } = server;
    const buyerId = (await makeBuyer(db)).id;
    const merchantId = await makeMerchant(db);
    const productId = await makeProduct(db, { merchantId });
    const { positionId } = await makeStaff(db, { merchantId, role: 'owner' });
    const branchId = await makeBranch(db, merchantId);
    const { id: purchaseId } = await makePurchase(db, { buyerId, merchantId, productId });
    const handOver = () =>
      transaction(db, (tx) =>
        deliverPurchase(tx, {
          purchaseId,
          buyerId,
          merchantId,
          requestId: randomUUID(),
          positionId,
          branchId,
          deviceId: null,
          codeHash: Buffer.alloc(32),
          collectorName: null,
          signature: [[1, 2, 3, 4]],
        }),
      );

    expect(refusedBy(await handOver().catch((error: unknown) => error))).toBe(
      'purchases_delivered_were_paid',
    );
    const { price, paid } = await db
      .selectFrom('purchases')
      .select(['price_centavos as price', 'paid_centavos as paid'])
      .executeTakeFirstOrThrow();
    await payPurchase(db, purchaseId, price - paid);
    await expect(handOver()).resolves.toBe(price);
    await expect(handOver()).rejects.toThrow('ended already');
    expect(await proveBooks(db)).toEqual([]);
  } finally {
    await server.close();
  }
});
