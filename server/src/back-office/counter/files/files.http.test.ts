import { add, decimal } from '@aparta/domain/money';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { payLate, runRefunds, till } from '../../../../test/card-acts.ts';
import { makeBuyer, makeStaff } from '../../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../../test/shop.ts';
import { cancelPurchase } from '../../../purchases/cancelling/cancel.ts';
import { readCancelBill } from '../../../purchases/cancelling/end-with-refunds.ts';

let shop: Shop;
let owner: string;
beforeAll(async () => {
  shop = await openShop();
  owner = (await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' })).token;
});
afterAll(() => shop.close());

/** A saved list, each line by its columns. */
async function saved(call: string, body: object): Promise<Record<string, string>[]> {
  const { data } = (
    await shop.ask(`POST /v1/counter/files/${call}`, { token: owner, body: { format: 'csv', ...body } })
  ).body;
  return parse(Buffer.from(data.contentByteArray, 'base64'), { bom: true, columns: true });
}

/** A deposit of 600.00 and a fee of 15.00 by card, or 600.00 at a till. */
async function bought(isCard: boolean) {
  const buyer = await makeBuyer(shop.db);
  const reference = await shop.reference({ token: buyer.token });
  if (isCard) await shop.pay(reference, CARDS.approved, { token: buyer.token });
  else await till(shop, reference);
  const { id } = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow();
  return { id, buyer };
}
async function keptByBill(id: number, buyerId: number): Promise<string> {
  const { cancelled_at: cancelledAt } = await shop.db
    .selectFrom('purchases')
    .select('cancelled_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const bill = await readCancelBill(shop.db, { id, buyerId, cancelledAt: cancelledAt! });
  return decimal(add(bill!.penaltyCentavos, bill!.feeKeptCentavos));
}
const isLate = (id: number) =>
  sql`update purchases set penalty_free_until = now() - interval '1 minute' where id = ${id}`.execute(
    shop.db,
  );

test('the file of purchases says what was given back and what was kept of a cancelled one, as the operator reads it', async () => {
  const [early, late, cash, open] = [
    await bought(true),
    await bought(true),
    await bought(false),
    await bought(true),
  ];
  for (const { id } of [late, cash]) await isLate(id);
  for (const { id, buyer } of [early, late, cash])
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`, { token: buyer.token, body: {} });
  await runRefunds(shop);
  const lines = new Map((await saved('purchases', {})).map((line) => [Number(line['Número']), line]));
  const sums = ({ id }: { id: number }) =>
    ['Pagado', 'Saldo', 'Devuelto', 'Retenido'].map((column) => lines.get(id)?.[column]);
  expect(sums(early)).toEqual(['600.00', '0.00', '615.00', '0.00']);
  expect(sums(late)).toEqual(['600.00', '0.00', '400.00', '215.00']);
  expect(sums(cash)).toEqual(['600.00', '0.00', '0.00', '200.00']);
  expect(sums(open)).toEqual(['600.00', '2400.00', '', '']);
  for (const { id, buyer } of [early, late, cash])
    expect(lines.get(id)?.['Retenido']).toBe(await keptByBill(id, buyer.id));
});

test('of one card payment for several purchases, each says what was kept of its own, and the fee once', async () => {
  const { ids, pay } = await payLate(shop, {
    merchantId: shop.merchantId,
    daysAgo: [40, 45],
    card: CARDS.approved,
  });
  expect((await pay()).body.data).toMatchObject({ applied: true });
  const { buyer_id: buyerId } = await shop.db
    .selectFrom('purchases')
    .select('buyer_id')
    .where('id', '=', ids[0]!)
    .executeTakeFirstOrThrow();
  for (const id of ids)
    await cancelPurchase({ db: shop.db }, buyerId, id, { notes: '', shownCentavos: undefined });
  const lines = (await saved('purchases', {})).filter((line) => ids.includes(Number(line['Número'])));
  expect(lines.map((line) => line['Retenido']).toSorted()).toEqual(['200.00', '215.00']);
  for (const line of lines) expect(line['Retenido']).toBe(await keptByBill(Number(line['Número']), buyerId));
});
