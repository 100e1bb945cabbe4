import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { answer3ds, till } from '../../../../test/card-acts.ts';
import { type MadeBuyer, makeBuyer, makeProduct, makeStaff } from '../../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../../test/shop.ts';

let shop: Shop;
let owner: string;
beforeAll(async () => {
  shop = await openShop();
  owner = (await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' })).token;
});
afterAll(() => shop.close());

const ask = async (call: string, token = owner) =>
  (await shop.ask(`GET /v1/counter/${call}`, { token })).body.data;
async function takingsToday() {
  const { day } = await ask('today');
  return (await ask(`takings?from=${day}&to=${day}`)).takings;
}

/** A card payment for a deposit that the bank approves only after `meanwhile`: it goes back whole. */
async function paidTooLate(
  buyer: MadeBuyer,
  productId: number,
  meanwhile: (reference: any) => Promise<unknown>,
) {
  const reference = await shop.reference({ token: buyer.token, productId });
  const intentId = randomUUID();
  await shop.pay(reference, CARDS.threeDs, { token: buyer.token, intentId });
  await meanwhile(reference);
  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  const { folio } = await shop.db
    .selectFrom('receipts')
    .select('folio')
    .where('source_id', '=', (await shop.attempt(intentId)).id)
    .executeTakeFirstOrThrow();
  return { reference, folio };
}

test('a card payment that came too late for its purchase stands with it in the list, and its folio leads there', async () => {
  const buyer = await makeBuyer(shop.db);
  const { folio } = await paidTooLate(buyer, shop.productId, (reference) => till(shop, reference));
  const { id } = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow();
  const taking = (await takingsToday()).find((each: any) => each.folio === folio);
  expect(taking).toMatchObject({ purchaseId: id, productName: 'Sala Nórdica', amount: 615 });
  expect((await ask(`purchases?search=${folio}`)).purchases).toMatchObject([{ id }]);
  expect(await ask(`references/${folio}`)).toMatchObject({ purchaseId: id, kind: 'instalments' });
});

test('one that came after the last piece was gone names its product, and its folio leads to the reservation', async () => {
  const buyer = await makeBuyer(shop.db);
  const productId = await makeProduct(shop.db, { merchantId: shop.merchantId, name: 'Lavadora' });
  const { folio, reference } = await paidTooLate(buyer, productId, () =>
    shop.db.updateTable('products').set({ counts_units: true }).where('id', '=', productId).execute(),
  );
  const taking = (await takingsToday()).find((each: any) => each.folio === folio);
  expect(taking).toMatchObject({ purchaseId: null, productName: 'Lavadora', amount: 615 });
  expect(await ask(`references/${folio}`)).toMatchObject({
    purchaseId: null,
    reference: reference.paymentReference,
    state: 'sold_out',
  });
  expect((await ask(`purchases?show=waiting&search=${folio}`)).purchases).toMatchObject([
    { kind: 'reservation', productName: 'Lavadora' },
  ]);
});
