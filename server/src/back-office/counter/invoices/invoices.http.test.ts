import { addDays, formatDate, lastDayOfMonth, mexicoCityDate } from '@aparta/domain/calendar';
import { INVOICE_GROUPS, INVOICE_SHOWS } from '@aparta/domain/shop-lists';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { dice, oneOf } from '../../../../test/dice.ts';
import { addFiscalClient, emitInvoice, type FiscalForm, makeInvoice } from '../../../../test/invoice-acts.ts';
import { makeBuyer, makeMerchant, makeProduct, makeStaff } from '../../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../../test/purchases.ts';
import { openShop, type Shop } from '../../../../test/shop.ts';
import { asOwner, buy } from '../../../../test/store-acts.ts';
import { resolveInvoice } from '../../../invoicing/invoices/resolve-invoice.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import { cancelPurchase } from '../../../purchases/cancelling/cancel.ts';
import { readReport } from '../../settlements/read-report.ts';
import { printed, sumMovements } from '../../settlements/report.ts';

let shop: Shop;
let accountant: string;
const today = mexicoCityDate(new Date());
const month = today.slice(0, 7);
beforeAll(async () => {
  shop = await openShop({
    merchant: { invoices: true },
    clocks: { invoiceCallMs: 20_000, invoicingTimeoutMs: 15_000 },
  });
  accountant = (await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'accountant' })).token;
});
afterAll(() => shop.close());

const ask = async (query = '', token = accountant, of = month) =>
  (await shop.ask(`GET /v1/counter/invoices?month=${of}${query}`, { token })).body.data;
async function lines(body: object, token = accountant): Promise<Record<string, string>[]> {
  const { data } = (
    await shop.ask('POST /v1/counter/files/invoices', { token, body: { format: 'csv', month, ...body } })
  ).body;
  return parse(Buffer.from(data.contentByteArray, 'base64'), { bom: true, columns: true });
}

/** A purchase whose deposit of 600.00 is paid, and asked to be invoiced where a form says to whom. */
async function bought(form?: Partial<FiscalForm>, productId = shop.productId) {
  const purchase = await buy(shop, { productId });
  const cxcId = purchase.instalmentIds[0]!;
  if (form !== undefined)
    await emitInvoice(shop, purchase.buyer, {
      cxcId,
      clientSatId: await addFiscalClient(shop, purchase.buyer, form),
    });
  const invoice = await shop.db
    .selectFrom('invoices')
    .select(['id', 'state'])
    .where('instalment_id', '=', cxcId)
    .executeTakeFirst();
  return { ...purchase, cxcId, invoiceId: invoice?.id ?? 0 };
}
const resolve = (id: number, as: 'cancelled' | 'credited') =>
  transaction(shop.db, (tx) => resolveInvoice(tx, id, { as }));

test('an accountant reads each paid instalment of the month with what became of its invoice', async () => {
  const { db, merchantId } = shop;
  await db.updateTable('merchants').set({ invoice_cut_off_days: 17 }).where('id', '=', merchantId).execute();
  const made = {
    none: await bought(),
    notOffered: await bought(
      undefined,
      await makeProduct(db, { merchantId }).then(async (id) => {
        await db.updateTable('products').set({ invoicing_product_uuid: '' }).where('id', '=', id).execute();
        return id;
      }),
    ),
    issued: await bought({}),
    review: await bought({ zip: '99006' }),
    refused: await bought({ rfc: 'ZZZ010101AA1', regime: '601', cfdiUse: 'G03' }),
    credited: await bought({}),
    cancelled: await bought({}),
    inProcess: await bought({ zip: '99011' }),
    ended: await bought(),
  };
  await resolve(made.cancelled.invoiceId, 'cancelled');
  const cancel = ({ id, buyer }: (typeof made)['none']) =>
    cancelPurchase({ db }, buyer.id, id, { notes: '', shownCentavos: undefined });
  await cancel(made.credited);
  await resolve(made.credited.invoiceId, 'credited');
  await cancel(made.ended);

  const { instalments, next, sums } = await ask();
  expect(next).toBeNull();
  const of = (purchase: { id: number }) => instalments.find((each: any) => each.purchaseId === purchase.id);
  const until = addDays(lastDayOfMonth(today), 17);
  const open = { group: 'not_invoiced', asking: 'open', until };
  expect(of(made.none)).toMatchObject({
    ...open,
    productName: 'Sala Nórdica',
    number: 1,
    of: 3,
    amount: 600,
    paymentForm: '01',
    invoice: null,
  });
  expect(of(made.notOffered)).toMatchObject({ group: 'not_invoiced', asking: 'not_offered', until: null });
  const issued = of(made.issued);
  expect(issued).toMatchObject({ group: 'invoiced', asking: null, until: null });
  expect(issued.invoice).toMatchObject({
    state: 'issued',
    rfc: 'MISC491214B86',
    fiscalFolio: expect.stringMatching(/^[0-9A-F-]{36}$/i),
    folio: expect.stringMatching(/^A\d+$/),
    hasPdf: true,
    hasXml: true,
  });
  // It may have to be cancelled at SAT: nobody is to use its folio.
  expect(of(made.review)).toMatchObject({
    group: 'in_process',
    asking: null,
    invoice: { state: 'review', fiscalFolio: null, folio: '', hasXml: false },
  });
  expect(of(made.refused)).toMatchObject({ ...open, invoice: { state: 'refused', fiscalFolio: null } });
  expect(of(made.refused).invoice.reason).toMatch(/^CFDI40143: .*RFC/);
  expect(of(made.credited)).toMatchObject({
    group: 'invoiced',
    invoice: { state: 'credited', hasXml: true },
  });
  expect(of(made.cancelled)).toMatchObject({
    ...open,
    invoice: { state: 'cancelled', fiscalFolio: expect.any(String), hasPdf: true, hasXml: true },
    cancelled: [],
  });
  expect(of(made.inProcess)).toMatchObject({ group: 'in_process', invoice: { state: 'in_process' } });
  expect(of(made.ended)).toMatchObject({ group: 'ended', asking: null, until: null, invoice: null });
  expect(sums).toEqual({
    all: { amount: 5_400, count: 9 },
    invoiced: { amount: 1_200, count: 2 },
    in_process: { amount: 1_200, count: 2 },
    not_invoiced: { amount: 2_400, count: 4 },
    ended: { amount: 600, count: 1 },
  });

  const saved = await lines({ show: 'not_invoiced' });
  expect(saved.map((line) => Number(line['Compra'])).toSorted()).toEqual(
    [made.none, made.notOffered, made.refused, made.cancelled].map(({ id }) => id).toSorted(),
  );
  const line = saved.find((each) => each['Compra'] === String(made.refused.id));
  expect(line).toMatchObject({
    Importe: '600.00',
    'Forma de pago': '01 Efectivo',
    Factura: 'Rechazada',
    Motivo: expect.stringMatching(/^CFDI40143/),
    'Folio fiscal': '',
    'Para pedirla': `Se puede pedir hasta el ${formatDate(until)}`,
  });
  const { data } = (
    await shop.ask('POST /v1/counter/files/invoices', { token: accountant, body: { format: 'xlsx', month } })
  ).body;
  const [sheet] = await readExcelFile(Buffer.from(data.contentByteArray, 'base64'));
  expect(sheet?.data).toHaveLength(10);
  const acts = await db
    .selectFrom('staff_acts')
    .selectAll()
    .where('subject_id', '=', 'facturas')
    .orderBy('id')
    .execute();
  expect(acts.map(({ act, detail }) => ({ act, detail }))).toEqual([
    { act: 'save_list', detail: { month, show: 'not_invoiced', format: 'csv', lines: 4 } },
    { act: 'save_list', detail: { month, show: 'all', format: 'xlsx', lines: 9 } },
  ]);
});

test('the files of an issued invoice are saved by staff of its merchant alone, and written down', async () => {
  const { invoiceId } = await bought({});
  const save = (format: string, token = accountant) =>
    shop.ask(`POST /v1/counter/invoices/${invoiceId}/file`, { token, body: { format } });
  for (const [format, start] of [
    ['pdf', '%PDF-'],
    ['xml', '<?xml'],
  ] as const) {
    const { status, body } = await save(format);
    expect(status).toBe(200);
    expect(body.data.fileName).toMatch(new RegExp(`^factura-[0-9a-f-]{36}\\.${format}$`));
    expect(Buffer.from(body.data.contentByteArray, 'base64').toString('latin1', 0, 5)).toBe(start);
  }
  const strangers = (await makeStaff(shop.db, { merchantId: await makeMerchant(shop.db), role: 'owner' }))
    .token;
  const [strange, missing] = [
    await save('xml', strangers),
    await shop.ask('POST /v1/counter/invoices/999999/file', { token: strangers, body: { format: 'xml' } }),
  ];
  const shown = ({ status, body: { requestId: _id, ...body } }: typeof strange) => ({ status, body });
  expect(shown(strange)).toEqual(shown(missing));
  expect(strange.status).toBe(404);
  expect((await ask('', strangers)).instalments).toEqual([]);
  const acts = await shop.db.selectFrom('staff_acts').selectAll().where('act', '=', 'save_invoice').execute();
  expect(acts.map(({ subject_id: subject, detail }) => ({ subject, detail }))).toEqual([
    { subject: String(invoiceId), detail: { format: 'pdf' } },
    { subject: String(invoiceId), detail: { format: 'xml' } },
  ]);
});

test('an invoice that was cancelled at SAT stays the shop’s to save, also beside the one that replaced it', async () => {
  const { buyer, cxcId, id: purchaseId, invoiceId } = await bought({});
  const save = (id: number, token = accountant) =>
    shop.ask(`POST /v1/counter/invoices/${id}/file`, { token, body: { format: 'xml' } });
  const before = await save(invoiceId);
  await resolve(invoiceId, 'cancelled');
  expect((await save(invoiceId)).body.data).toEqual(before.body.data);
  const asBuyer = await shop.ask(`GET /v1/Invoices/XmlAsync/${invoiceId}`, { token: buyer.token });
  expect(asBuyer.status).toBe(404);

  await emitInvoice(shop, buyer, { cxcId, clientSatId: await addFiscalClient(shop, buyer, {}) });
  const row = (await ask()).instalments.find((each: any) => each.purchaseId === purchaseId);
  expect(row.invoice).toMatchObject({ state: 'issued', hasXml: true });
  expect(row.cancelled).toEqual([
    {
      id: invoiceId,
      fiscalFolio: expect.stringMatching(/^[0-9A-F-]{36}$/i),
      folio: expect.stringMatching(/^A\d+$/),
      hasPdf: true,
      hasXml: true,
    },
  ]);
  expect((await save(invoiceId)).body.data).toEqual(before.body.data);
  const line = (await lines({})).find((each) => each['Compra'] === String(purchaseId));
  expect(line).toMatchObject({
    'Folio fiscal': row.invoice.fiscalFolio,
    'Folios fiscales cancelados antes': row.cancelled[0].fiscalFolio,
  });

  const review = await bought({ zip: '99006' });
  await resolve(review.invoiceId, 'cancelled');
  expect((await save(review.invoiceId)).status).toBe(404);
});

test('whatever was paid and invoiced, when, in how many payments: sums, rows and file of each month say the same, and with what is not whole yet what the books say came', async () => {
  const seed = 20_261;
  const roll = dice(seed);
  const { db } = shop;
  const merchantId = await makeMerchant(db, { invoices: true });
  const { token } = await makeStaff(db, { merchantId, role: 'owner' });
  const productId = await makeProduct(db, { merchantId });
  const buyers = [];
  for (let at = 0; at < 3; at += 1) {
    const buyer = await makeBuyer(db);
    buyers.push({ ...buyer, clientId: await addFiscalClient(shop, buyer) });
  }
  for (let at = 0; at < 70; at += 1) {
    const buyer = oneOf(roll, buyers);
    const { id } = await makePurchase(db, { buyerId: buyer.id, merchantId, productId });
    for (let left = 240_000; left > 0 && roll(4) > 0;) {
      const amount = Math.min(left, oneOf(roll, [120_000, 10_001, 61_507, 240_000]));
      await payPurchase(db, id, amount, { channel: oneOf(roll, ['till', 'cash']) });
      left -= amount;
    }
  }
  // Of 45 days, some at one moment.
  const receipts = await db
    .selectFrom('receipts')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .orderBy('id')
    .execute();
  await asOwner(
    shop,
    `update receipts r set paid_at = date_trunc('hour', received_at) - back * interval '9 hours'
       from unnest($1::bigint[], $2::int[]) as moved (id, back) where r.id = moved.id`,
    [receipts.map(({ id }) => id), receipts.map(() => roll(120))],
  );
  const { rows: paid } = await sql<{ id: number; purchaseId: number; buyerId: number; amount: number }>`
    select i.id, p.id as "purchaseId", p.buyer_id as "buyerId", i.amount_centavos as amount from instalments i
      join purchases p on p.id = i.purchase_id
    where p.merchant_id = ${merchantId} and i.paid_centavos = i.amount_centavos order by i.id`.execute(db);
  for (const each of paid) {
    const state = oneOf(roll, [
      undefined,
      'requested',
      'stamped',
      'issued',
      'review',
      'refused',
      'cancelled',
    ] as const);
    if (state === undefined) continue;
    // A refused one before it does not count.
    for (const now of roll(3) === 0 ? (['refused', state] as const) : ([state] as const))
      await makeInvoice(db, {
        instalmentId: each.id,
        purchaseId: each.purchaseId,
        buyerId: each.buyerId,
        merchantId,
        fiscalClientId: buyers.find(({ id }) => id === each.buyerId)!.clientId,
        state: now,
        amountCentavos: each.amount,
      });
  }
  const cancelled = new Set<number>();
  for (const { id, buyer_id: buyerId } of await db
    .selectFrom('purchases')
    .select(['id', 'buyer_id'])
    .where('merchant_id', '=', merchantId)
    .where(({ eb, ref }) => eb('paid_centavos', '<', ref('price_centavos')))
    .orderBy('id')
    .limit(8)
    .execute()) {
    await cancelPurchase({ db }, buyerId, id, { notes: '', shownCentavos: undefined });
    cancelled.add(id);
  }

  // The oracle: each instalment in the month of the last of its payments, from the tables by hand.
  const { rows: moments } = await sql<{ id: number; month: string }>`
    select a.instalment_id as id, to_char(max(coalesce(r.paid_at, r.received_at)) at time zone 'America/Mexico_City', 'YYYY-MM') as month
    from allocations a join receipts r on r.id = a.receipt_id where r.merchant_id = ${merchantId} group by 1`.execute(
    db,
  );
  const monthOf = new Map(moments.map((each) => [each.id, each.month]));
  const { rows: states } = await sql<{ id: number; state: string }>`
    select distinct on (instalment_id) instalment_id as id, state from invoices where merchant_id = ${merchantId}
    order by instalment_id, invoices.id desc`.execute(db);
  const stateOf = new Map(states.map(({ id, state }) => [id, state]));
  const groupOf = ({ id, purchaseId }: (typeof paid)[number]) => {
    const state = stateOf.get(id) ?? 'refused';
    if (state === 'issued') return 'invoiced';
    if (state !== 'refused' && state !== 'cancelled') return 'in_process';
    return cancelled.has(purchaseId) ? 'ended' : 'not_invoiced';
  };
  const months = [...new Set(monthOf.values())].toSorted();
  expect(months.length).toBeGreaterThan(1);
  const seen: number[] = [];
  let [whole, mostPages] = [0, 0];
  for (const of of months) {
    const { sums } = await ask('', token, of);
    for (const show of INVOICE_SHOWS) {
      const expected = paid.filter(
        (each) => monthOf.get(each.id) === of && (show === 'all' || groupOf(each) === show),
      );
      const rows: any[] = [];
      let pages = 0;
      for (let cursor: string | null = ''; cursor !== null; pages += 1) {
        const page: any = await ask(`&show=${show}${cursor && `&cursor=${cursor}`}`, token, of);
        expect(page.sums === null).toBe(cursor !== '');
        rows.push(...page.instalments);
        cursor = page.next;
      }
      mostPages = Math.max(mostPages, pages);
      const what = `seed ${seed}, ${of}, ${show}`;
      const centavosOf = (all: any[]) =>
        all.reduce((total, { amount }) => total + Math.round(amount * 100), 0);
      expect([what, ...rows.map(({ id }) => id).toSorted()]).toEqual([
        what,
        ...expected.map(({ id }) => id).toSorted(),
      ]);
      expect([what, Math.round(sums[show].amount * 100), sums[show].count]).toEqual([
        what,
        centavosOf(rows),
        rows.length,
      ]);
      expect(centavosOf(rows)).toBe(expected.reduce((total, { amount }) => total + amount, 0));
      const saved = await lines({ month: of, show }, token);
      expect(saved.map((line) => [line['Compra'], line['Abono']])).toEqual(
        rows.map(({ purchaseId, number }) => [String(purchaseId), String(number)]),
      );
      const times = rows.map(({ paidAt }) => paidAt);
      expect(times).toEqual(times.toSorted().toReversed());
      if (show === 'all') seen.push(...rows.map(({ id }) => id));
    }
    const parts = INVOICE_GROUPS.reduce((total, group) => total + Math.round(sums[group].amount * 100), 0);
    expect(parts).toBe(Math.round(sums.all.amount * 100));
    whole += parts;
  }
  expect(mostPages).toBeGreaterThan(1);
  expect(seen.toSorted()).toEqual(paid.map(({ id }) => id).toSorted());

  const { movements } = await readReport(db, {
    merchantId,
    from: addDays(today, -120),
    to: today,
  });
  const principal = printed('principal', sumMovements(movements, 'principal').centavos);
  const { rows: open } = await sql<{ paid: number }>`
    select coalesce(sum(i.paid_centavos), 0)::bigint as paid from instalments i join purchases p on p.id = i.purchase_id
    where p.merchant_id = ${merchantId} and i.paid_centavos < i.amount_centavos`.execute(db);
  expect(whole + open[0]!.paid).toBe(principal);
});
