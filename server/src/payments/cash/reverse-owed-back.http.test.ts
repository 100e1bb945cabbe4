import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { makeBranch, makeStaff, type MadeStaff } from '../../../test/make.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { type Bought, buy, hearStores, meet, mustBalance, storeNumber } from '../../../test/store-acts.ts';
import { bookStoreReversal } from '../../back-office/operations/book-store-reversal.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { markRefundPaid } from '../refunds/decide-refund.ts';

let shop: Shop;
let branchId: number;
let manager: MadeStaff;
beforeAll(async () => {
  shop = await openShop();
  await hearStores(shop);
  branchId = await makeBranch(shop.db, shop.merchantId, 'Centro');
  manager = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
});
afterEach(async () => {
  await mustBalance(shop);
  await shop.db.updateTable('alerts').set({ resolved_at: new Date() }).execute();
});
afterAll(() => shop.close());

async function heard(operationId: string): Promise<string> {
  await expect
    .poll(
      async () => {
        const { notices } = await shop.control('GET /control/cash');
        return notices
          .filter((notice: any) => notice.operationId === operationId)
          .map((notice: any) => notice.state);
      },
      { timeout: 20_000 },
    )
    .not.toContain('sending');
  return operationId;
}
async function payAtStore(reference: string, amount: number): Promise<string> {
  return heard((await shop.control('POST /control/cash/pay', { reference, amount })).operationId);
}
async function reverse(operationId: string): Promise<string> {
  const move = { move: 'reverse' };
  return heard((await shop.control(`POST /control/cash/operations/${operationId}`, move)).operationId);
}

/** A purchase that stores paid whole, and its number, which takes money still. */
async function paidOff(): Promise<{ bought: Bought; number: string; last: string }> {
  const bought = await buy(shop);
  const number = (await storeNumber(shop, bought)).body.data.references[0].value;
  return { bought, number, last: await payAtStore(number, 2_500) };
}
async function refundOf(operationId: string): Promise<{ id: number; amount: number; state: string }> {
  const { rows } = await sql<{ id: number; amount: number; state: string }>`
    select f.id, f.amount_centavos / 100 as amount, f.state from refunds f join receipts r on r.id = f.receipt_id
    where r.source_id = ${operationId}`.execute(shop.db);
  return rows[0]!;
}
const pay = ({ id, amount }: { id: number; amount: number }) =>
  shop.ask(`POST /v1/counter/refunds/${id}/pay`, {
    token: manager.token,
    body: { id: randomUUID(), branchId, amount: Number(amount) },
  });
const listed = async (id: number) =>
  (await shop.ask('GET /v1/counter/refunds', manager)).body.data.find((refund: any) => refund.id === id);
const alerts = async () => {
  const open = await shop.db.selectFrom('alerts').select('kind').where('resolved_at', 'is', null).execute();
  return open.map(({ kind }) => kind);
};

test('what a store took though nothing was to be paid, and gave back, is owed to nobody any more: no counter pays it', async () => {
  const { bought, number } = await paidOff();
  const again = await payAtStore(number, 300);
  const refund = await refundOf(again);
  expect(await listed(refund.id)).toMatchObject({ amount: 300, storeReversed: false });

  await reverse(again);
  expect([await alerts(), (await refundOf(again)).state, await listed(refund.id)]).toEqual([
    [],
    'done',
    undefined,
  ]);
  expect((await pay(refund)).body.code).toBe('REFUND_DONE');
  const mails = await shop.db
    .selectFrom('outbox')
    .select('facts')
    .where('topic', '=', 'store_reversed')
    .where('dedupe_key', '=', `cash:${again}`)
    .execute();
  expect(mails).toMatchObject([{ facts: { amountCentavos: 30_000, purchaseId: bought.id } }]);
});

test('while a person has to book what the store network took back, its refund is paid by nobody, and listed as such', async () => {
  const { bought, last } = await paidOff();
  const refund = await refundOf(last);
  const reversal = await reverse(last);
  expect(await alerts()).toEqual(['cash_reversal_impossible']);

  const { status, body } = await pay(refund);
  expect([status, body.code]).toEqual([409, 'REFUND_TAKEN_BACK']);
  const byOperator = transaction(shop.db, (tx) =>
    markRefundPaid(tx, refund.id, { paidBy: 'operator', evidence: 'Vale 1' }),
  );
  await expect(byOperator).rejects.toThrow('refund_taken_back');
  expect(await listed(refund.id)).toMatchObject({ storeReversed: true });
  const story = await shop.ask(`GET /v1/counter/purchases/${bought.id}`, manager);
  expect(story.body.data.refunds).toMatchObject([{ id: refund.id, state: 'owed', storeReversed: true }]);

  const booked = await transaction(shop.db, (tx) => bookStoreReversal(tx, reversal));
  expect(booked).toMatchObject({ amountCentavos: 250_000, lostCentavos: 0 });
  expect((await pay(refund)).body.code).toBe('REFUND_DONE');
});

test('of a payout and a reversal at the same time, the money leaves once: nothing is paid, or the reversal is for a person', async () => {
  const { number } = await paidOff();
  const ends: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const again = await payAtStore(number, 300 + round);
    const refund = await refundOf(again);
    const [paid] = await meet(
      round,
      () => pay(refund),
      () => reverse(again),
    );
    const isPaid = paid.status === 200;
    const { rows } = await sql<{ paid: boolean; withdrawn: boolean }>`
      select f.paid_by is not null as paid, r.withdrawn_centavos = r.amount_centavos as withdrawn
      from refunds f join receipts r on r.id = f.receipt_id where f.id = ${refund.id}`.execute(shop.db);
    expect(rows).toEqual([{ paid: isPaid, withdrawn: !isPaid }]);
    expect(await alerts()).toEqual(isPaid ? ['cash_reversal_impossible'] : []);
    await shop.db.updateTable('alerts').set({ resolved_at: new Date() }).execute();
    ends.push(isPaid ? 'paid' : paid.body.code);
  }
  expect(ends.slice(0, 2)).toEqual(['paid', 'REFUND_DONE']);
});
