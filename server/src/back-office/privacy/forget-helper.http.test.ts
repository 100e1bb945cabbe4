import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { answer3ds } from '../../../test/card-acts.ts';
import { help, makeLink } from '../../../test/help-acts.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { forgetHelper, forgetHelpersAttempt } from './forget-helper.ts';

let shop: Shop;
let purchaseId: number;
let helpCode: string;
beforeEach(async () => {
  shop = await openShop();
  purchaseId = (await shop.pay(await shop.reference(), CARDS.approved)).body.data.ventaId;
  ({ helpCode } = await makeLink(shop, purchaseId));
});
afterEach(() => shop.close());

const forget = (email: string) => transaction(shop.db, (tx) => forgetHelper(tx, email));

test('who helped is forgotten: name, address, card and emails; what they gave stays, and the buyer’s own payment is untouched', async () => {
  const intentId = randomUUID();
  await help(shop, helpCode, CARDS.approved, { amount: 515, intentId });
  const { id } = await shop.attempt(intentId);
  expect(await forget('marta@example.mx')).toEqual({ kind: 'tied', attemptIds: [id] });
  expect((await shop.attempt(intentId)).payer_name).toBe('Tía Marta');

  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  expect(await forget(' Marta@Example.mx ')).toEqual({ kind: 'forgotten', attemptIds: [id] });
  expect(await shop.attempt(intentId)).toMatchObject({
    state: 'applied',
    payer_name: '···',
    payer_email: null,
    card_last4: null,
    source_address: '',
  });
  const rows = await shop.db.selectFrom('card_attempts').selectAll().execute();
  expect(rows.find(({ payer_name: name }) => name === null)?.card_last4).toBe('7669');
  const emails = await shop.db.selectFrom('outbox').selectAll().where('buyer_id', 'is', null).execute();
  expect(emails.map(({ recipient, facts, state }) => [recipient, facts, state])).toEqual([
    ['', {}, 'dropped'],
  ]);
  const { body } = await shop.ask(`GET /v1/Sales/HelpLinksAsync/${purchaseId}`, { token: shop.buyer.token });
  expect(body.data[0].helps).toEqual([expect.objectContaining({ helperName: '···', amount: 500 })]);

  expect(await forget('marta@example.mx')).toEqual({ kind: 'unknown' });
  expect(await transaction(shop.db, (tx) => forgetHelpersAttempt(tx, id))).toEqual({ kind: 'unknown' });
});

test('who has money still to go back is not forgotten before it went', async () => {
  const intentId = randomUUID();
  await help(shop, helpCode, CARDS.approved, { amount: 2415, intentId });
  const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, {
    token: shop.buyer.token,
  });
  const second = await shop.ask(`GET /v1/Cxc/ByIdWithBalance/${plan.body.data[1].id}`, {
    token: shop.buyer.token,
  });
  await shop.pay(second.body.data, CARDS.approved);
  await answer3ds(shop, intentId, 'approve');
  await shop.poll(intentId);
  expect((await shop.attempt(intentId)).state).toBe('returned');
  expect((await forget('marta@example.mx')).kind).toBe('tied');
  await shop.db.updateTable('refunds').set({ state: 'blocked' }).execute();
  expect((await forget('marta@example.mx')).kind).toBe('tied');
  expect((await forget('luis@example.mx')).kind).toBe('unknown');
});
