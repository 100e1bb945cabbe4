import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addFiscalClient, emitInvoice } from '../../../test/invoice-acts.ts';
import { makeBuyer, type MadeBuyer, PASSWORD } from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner } from '../../../test/store-acts.ts';
import { audited } from '../../platform/audit.ts';
import { readEverything } from './read-model.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ merchant: { invoices: true } });
});
afterAll(() => shop.close());

const ask = ({ token }: MadeBuyer, password = PASSWORD) =>
  shop.ask('POST /v1/SecurityBuyer/ExportAsync', { token, body: { password } });
/** The files of what a buyer was given, as text. */
async function files(buyer: MadeBuyer): Promise<Record<string, string>> {
  const { status, body } = await ask(buyer);
  expect(status).toBe(200);
  expect(body.data.fileName).toMatch(/^mis-datos-\d{4}-\d\d-\d\d\.zip$/);
  const zip = unzipSync(Buffer.from(body.data.contentByteArray, 'base64'));
  return Object.fromEntries(
    Object.entries(zip).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}

test('a buyer downloads all that is kept of them: JSON, a table for each, and their invoices; and it is written down', async () => {
  const { buyer, merchantId, productId } = shop;
  const { instalmentIds } = await makePurchase(shop.db, { buyerId: buyer.id, merchantId, productId });
  const clientSatId = await addFiscalClient(shop, buyer);
  const asked = await emitInvoice(shop, buyer, { cxcId: instalmentIds[0] ?? 0, clientSatId });
  expect(asked.status).toBe(200);
  const given = await files(buyer);
  const all = JSON.parse(given['datos.json'] ?? '');
  expect(all.buyer).toMatchObject({ id: buyer.id });
  expect(all.purchases).toHaveLength(1);
  expect(all.account_acts.at(-1)).toMatchObject({ act: 'data_exported' });
  expect(given['LEEME.txt']).toContain('Todo lo que');
  expect(given['compras.csv']).toMatch(/^\uFEFFid,.*price_pesos/);
  expect(given['compras.csv']).toContain('3000.00');
  const invoices = Object.keys(given).filter((name) => name.startsWith('facturas/'));
  expect(invoices.map((name) => name.split('.').at(-1)).toSorted()).toEqual(['pdf', 'xml']);
  expect(given[invoices.find((name) => name.endsWith('.xml')) ?? '']).toContain('<');
  const seen = await shop.ask('GET /v1/SecurityBuyer/ActivityAsync', { token: buyer.token });
  expect(seen.body.data[0]).toMatchObject({ activityKind: 'data_exported', actor: 'buyer' });
  // Only so many bytes of files: the newest first.
  const bounded = await readEverything(shop.db, buyer.id, { fileBytes: 1 });
  expect(bounded?.invoices[0]).toMatchObject({ xml_base64: null, pdf_base64: null });
});

test('it has no secret, and nothing of a helper, of staff, of an operator or of another buyer', async () => {
  const [ana, eva] = [await makeBuyer(shop.db), await makeBuyer(shop.db)];
  const { merchantId, productId } = shop;
  await makePurchase(shop.db, { buyerId: ana.id, merchantId, productId });
  await makePurchase(shop.db, { buyerId: eva.id, merchantId, productId });
  await shop.pay(await shop.reference({ token: ana.token }), CARDS.insufficientFunds, {
    token: ana.token,
    address: '203.0.113.77',
  });
  // As a whole value: the same four digits turn up by chance in an identifier.
  const last4 = /[",]2952[",]/;
  const own = await files(ana);
  expect(JSON.parse(own['datos.json'] ?? '').card_payments).toMatchObject([
    { card_last4: '2952', source_address: '203.0.113.77' },
  ]);
  for (const kind of ['json', 'csv'])
    expect(Object.entries(own).some(([name, text]) => name.endsWith(kind) && last4.test(text))).toBe(true);
  await asOwner(
    shop,
    `with l as (insert into help_links (purchase_id, buyer_id, merchant_id, message, expires_at)
       select id, buyer_id, merchant_id, '', '2100-01-01' from purchases where buyer_id = $1 returning id, purchase_id)
     update card_attempts set help_link_id = l.id, purchase_id = l.purchase_id, payer_name = 'Rosa', payer_email = 'rosa@helps.mx' from l
     where buyer_id = $1`,
    [ana.id],
  );
  const operator = { actor: 'ricardo@operador.mx', command: 'buyer export' };
  await audited(shop.db, operator, async () => ({ subject: { kind: 'buyer', id: ana.id }, detail: {} }));
  const given = Object.values(await files(ana)).join('\n');
  const rows = await shop.db
    .selectFrom('buyers')
    .selectAll()
    .where('id', 'in', [ana.id, eva.id])
    .orderBy('id')
    .execute();
  const [anas, evas] = rows;
  expect(given).toContain(anas?.email);
  expect(given).toContain('Rosa');
  expect(given).toContain('buyer export');
  for (const others of [
    'rosa@helps.mx',
    '203.0.113.77',
    'ricardo',
    evas?.email ?? '',
    anas?.password_hash ?? '',
    ana.token,
  ])
    expect(given).not.toContain(others);
  expect(given).not.toMatch(last4);
});

test('it asks for the password, ends no session over a wrong one, and is given five times a day', async () => {
  const buyer = await makeBuyer(shop.db);
  expect(await ask(buyer, 'otra-clave-larga-9')).toMatchObject({
    status: 422,
    body: { code: 'WRONG_PASSWORD' },
  });
  const answers = [];
  for (let press = 0; press < 6; press += 1) answers.push((await ask(buyer)).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await shop.ask('GET /v1/TokenBuyer/Sessions', { token: buyer.token })).status).toBe(200);
});
