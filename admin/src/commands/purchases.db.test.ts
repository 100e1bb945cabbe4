import { makeBranch, makeBuyer, makeMerchant, makeProduct } from '@aparta/server/test/make';
import { makePurchase } from '@aparta/server/test/purchases';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { transaction } from '@aparta/server/platform/db/transaction';
import { reversePayment } from '@aparta/server/purchases/plans/reverse-payment';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator();
});
afterAll(() => operator.close());

test('purchases whose last money was taken back before that ended them are shown, ended once, and give their unit back', async () => {
  const { db } = operator;
  const merchantId = await makeMerchant(db);
  const productId = await makeProduct(db, { merchantId });
  const branchId = await makeBranch(db, merchantId);
  await operator.asOwner(`insert into product_units (product_id, branch_id, merchant_id, free_units, entered_units)
    values (${productId}, ${branchId}, ${merchantId}, 2, 2)`);
  await operator.asOwner(`update products set counts_units = true where id = ${productId}`);
  const made = async () => makePurchase(db, { buyerId: (await makeBuyer(db)).id, merchantId, productId });
  const [{ id }, { id: paid }] = [await made(), await made()];
  expect(await operator.done('purchase end-unpaid')).toEqual([]);

  await transaction(db, async (tx) => {
    const { sourceId } = await tx
      .selectFrom('allocations as a')
      .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
      .innerJoin('receipts as r', 'r.id', 'a.receipt_id')
      .where('i.purchase_id', '=', id)
      .select('r.source_id as sourceId')
      .executeTakeFirstOrThrow();
    expect(await reversePayment(tx, { channel: 'till', sourceId }, id)).toBe(true);
    await tx
      .updateTable('till_operations')
      .set({ state: 'reversed', reversed_at: new Date() })
      .where('id', '=', sourceId)
      .execute();
  });
  const stands = async () => ({
    purchases: (
      await operator.asOwner(
        'select id::int, state, ended_by as by, cancel_notes as notes from purchases order by id',
      )
    ).rows,
    free: (await operator.asOwner('select free_units::int as free from product_units')).rows[0]?.free,
  });
  const before = await stands();
  expect(before).toMatchObject({
    purchases: [
      { id, state: 'active' },
      { id: paid, state: 'active' },
    ],
    free: 0,
  });
  expect((await operator.run('purchase end-unpaid --dry-run')).out).toContain(String(id));
  expect(await stands()).toEqual(before);

  expect(await operator.done('purchase end-unpaid')).toMatchObject([{ id, merchantId }]);
  const notes = 'Se revirtieron todos sus pagos';
  expect(await stands()).toMatchObject({
    purchases: [{ id, state: 'cancelled', by: 'reversal', notes }, before.purchases[1]],
    free: 1,
  });
  expect(await proveBooks(db)).toEqual([]);
  expect(await operator.done('purchase end-unpaid')).toEqual([]);
});
