import { randomUUID } from 'node:crypto';

import { addDays, type DateOnly, formatDate, lastDayOfMonth, mexicoCityDate } from '@aparta/domain/calendar';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { fault } from '../../../test/card-acts.ts';
import {
  addFiscalClient,
  alertsOf,
  emitInvoice,
  FISCAL_FORM,
  invoiceEmails,
  invoiceRow,
  queuedFor,
  readInstalment,
  stampedFor,
  workOn,
} from '../../../test/invoice-acts.ts';
import { makeBranch, makeBuyer, makeProduct, makeStaff } from '../../../test/make.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';
import { payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner, type Bought, buy, openTill } from '../../../test/store-acts.ts';
import { editProduct } from '../../catalogue/merchants/save-product.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { jobHandlers } from '../../worker.ts';
import { createLog } from '../../platform/logging.ts';
import { httpClient } from '../../platform/http-client.ts';
import { facturaGreen } from '../provider/factura-green.ts';
import { resolveInvoice, retryInvoice } from './resolve-invoice.ts';
import { listUninvoiced } from '../../back-office/operations/uninvoiced.ts';

const DEBIT = '4208318689081956';
const PREPAID = '4746469153355902';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    merchant: { invoices: true },
    clocks: { invoiceCallMs: 5_000, invoicingTimeoutMs: 1_200 },
  });
});
afterEach(() => shop.control('DELETE /control/faults'));
afterAll(() => shop.close());

interface Asked extends Bought {
  readonly clientId: number;
  /** Of the deposit, which is paid. */
  readonly cxcId: number;
}

/** A purchase whose deposit is paid in cash, and a tax identity whose postal code says what becomes of its invoice. */
async function bought(changes: Partial<typeof FISCAL_FORM> = {}): Promise<Asked> {
  const purchase = await buy(shop);
  const clientId = await addFiscalClient(shop, purchase.buyer, changes);
  return { ...purchase, clientId, cxcId: purchase.instalmentIds[0]! };
}

const emit = ({ buyer, cxcId, clientId }: Asked, beside?: object) =>
  emitInvoice(shop, buyer, { cxcId, clientSatId: clientId }, beside);

async function newest({ buyer, cxcId }: Asked): Promise<{ id: number; state: string } | null> {
  return (await readInstalment(shop, buyer, cxcId)).invoice;
}

async function idOf(asked: Asked): Promise<number> {
  return (await newest(asked))!.id;
}

/** Runs the job of an invoice while the provider gives XML alone. */
async function workWithoutPdf(invoiceId: number): Promise<void> {
  const { invoicing } = shop.jobs;
  const { issue_invoice: work } = jobHandlers({
    ...shop.jobs,
    invoicing: {
      ...invoicing,
      fetchFile: async (business, uuid, file) =>
        file === 'pdf'
          ? { kind: 'unreachable', why: 'status 503' }
          : invoicing.fetchFile(business, uuid, file),
    },
  });
  await work({ invoiceId }, createLog('silent'));
}

/** The application's own act of an operator. */
const resolve = (id: number, resolution: Parameters<typeof resolveInvoice>[2]) =>
  transaction(shop.db, (tx) => resolveInvoice(tx, id, resolution));

describe('a paid instalment', () => {
  test('is invoiced at once: what was paid, to the chosen receiver, with both files and an email', async () => {
    const asked = await bought();
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({
      invoice: null,
      mayBeInvoiced: true,
      numfactura: null,
    });
    const { status, body } = await emit(asked);
    expect(status).toBe(200);
    const [stamped, ...more] = await stampedFor(shop, asked.id);
    expect(more).toEqual([]);
    expect(stamped).toMatchObject({
      totalCentavos: 60_000,
      subTotalCentavos: 51_724,
      ivaCentavos: 8_276,
      form: '01',
      method: 'PUE',
      quantity: 1,
      description: expect.stringMatching(new RegExp(`^\\S.*, abono 1 de 3, compra ${asked.id}$`)),
      observations: expect.stringMatching(/^Recibo [0-9A-Z]+$/),
      receiver: {
        taxid: 'MISC491214B86',
        name: 'CECILIA MIRANDA SÁNCHEZ',
        address: { main: { zip: '72000' } },
      },
    });
    expect(body.data).toEqual({
      cfdi: { uuid: stamped.id, folio_tax: stamped.folioTax },
      invoice: {
        id: expect.any(Number),
        cxcId: asked.cxcId,
        state: 'issued',
        amount: 600,
        requestedAt: expect.any(String),
        fiscalClientId: asked.clientId,
        rfc: 'MISC491214B86',
        name: 'CECILIA MIRANDA SÁNCHEZ',
        fiscalFolio: stamped.folioTax,
        folio: `A${stamped.folio}`,
        credited: false,
        issuedAt: expect.any(String),
        hasPdf: true,
        hasXml: true,
        field: null,
        detailCode: '',
        detailMessage: '',
      },
    });
    const { invoice } = body.data;
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({
      invoice,
      mayBeInvoiced: false,
      numfactura: `A${stamped.folio}`,
    });
    const file = async (call: string) =>
      (await shop.ask(`GET /v1/Invoices/${call}/${invoice.id}`, { token: asked.buyer.token })).body.data;
    const [xml, pdf] = [await file('XmlAsync'), await file('PdfAsync')];
    expect(xml.fileName).toBe(`factura-${stamped.folioTax.toLowerCase()}.xml`);
    expect(Buffer.from(xml.contentByteArray, 'base64').toString()).toContain(stamped.folioTax);
    expect(Buffer.from(pdf.contentByteArray, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_issued']);
    const recorded = await shop.ask('POST /v1/CxcCfdiEmmit/InsertAsync', {
      token: asked.buyer.token,
      body: { id: 0, cxcId: asked.cxcId, ResponseFG: '{"response":"forged"}' },
    });
    expect(recorded.body.data).toMatchObject({ id: invoice.id, cxcId: asked.cxcId });
    expect(JSON.parse(recorded.body.data.ResponseFG)).toEqual({
      response: 'success',
      data: { uuid: stamped.id, cfdi: { folio_tax: stamped.folioTax } },
    });
  });

  test.each([
    ['a credit card', '04', CARDS.approved],
    ['a debit card', '28', DEBIT],
    ['a prepaid card', '28', PREPAID],
  ])('by %s names form %s, and its fee is not part of it', async (_card, form, number) => {
    const buyer = await makeBuyer(shop.db);
    const { body } = await shop.pay(await shop.reference({ token: buyer.token }), number, {
      token: buyer.token,
    });
    const id = body.data.ventaId;
    const list = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${id}`, { token: buyer.token });
    const clientSatId = await addFiscalClient(shop, buyer);
    await emitInvoice(shop, buyer, { cxcId: list.body.data[0].id, clientSatId });
    expect(await stampedFor(shop, id)).toMatchObject([{ form, totalCentavos: 60_000 }]);
  });

  test("by card at a counter's own terminal names a card, not cash", async () => {
    const { db, merchantId } = shop;
    const branchId = await makeBranch(db, merchantId);
    const cashier = await makeStaff(db, { merchantId, role: 'cashier', branchIds: [branchId] });
    const asked = await bought();
    const take = (number: number, how: object) =>
      shop.ask('POST /v1/counter/payments', {
        token: cashier.token,
        body: { id: randomUUID(), branchId, reference: asked.numbers[number], amount: 1_200, ...how },
      });
    await take(2, { method: 'terminal', last4: '4242', authorisation: '048215' });
    await take(3, { method: 'cash' });
    for (const cxcId of asked.instalmentIds.slice(1)) await emit({ ...asked, cxcId });
    const forms = (await stampedFor(shop, asked.id)).map(({ form }) => form);
    expect(forms).toEqual(['04', '01']);
  });

  test('by several methods names the form of the largest sum, to the centavo whatever its IVA', async () => {
    const productId = await makeProduct(shop.db, {
      merchantId: shop.merchantId,
      priceCentavos: 299_999,
      ivaBasisPoints: 800,
    });
    const purchase = await buy(shop, { productId });
    const clientSatId = await addFiscalClient(shop, purchase.buyer);
    const cxcId = purchase.instalmentIds[1]!;
    await payPurchase(shop.db, purchase.id, 50_000, { channel: 'cash' });
    const early = await emitInvoice(shop, purchase.buyer, { cxcId, clientSatId });
    expect([early.status, early.body.code]).toEqual([409, 'NOT_INVOICEABLE']);
    await payPurchase(shop.db, purchase.id, 70_001);
    const { body } = await emitInvoice(shop, purchase.buyer, { cxcId, clientSatId });
    expect(body.data.invoice).toMatchObject({
      state: 'issued',
      amount: (await readInstalment(shop, purchase.buyer, cxcId)).valor,
    });
    expect(await stampedFor(shop, purchase.id)).toMatchObject([
      { form: '01', observations: expect.stringMatching(/^Recibos \w+, \w+$/) },
    ]);
  });

  test('is invoiced with what the server knows, whatever else a browser sends', async () => {
    const asked = await bought();
    await emit(asked, {
      businessId: 999,
      data: {
        cfdi: {
          customer: { uuid: 'forged' },
          payment: { form: { k: '99' }, method: { k: 'PPD' } },
          items: [{ uuid: 'forged', qty: 9, price: { amount: 0.01 } }],
          observations: '<b>forged</b>',
        },
      },
      amount: 1,
    });
    expect(await stampedFor(shop, asked.id)).toMatchObject([
      {
        form: '01',
        method: 'PUE',
        quantity: 1,
        totalCentavos: 60_000,
      },
    ]);
    expect(JSON.stringify(await stampedFor(shop, asked.id))).not.toContain('forged');
  });

  test('is invoiced to its own buyer alone, under one of their own tax identities', async () => {
    const [ana, eva] = [await bought(), await bought({ rfc: 'COSC8001137NA' })];
    const asks = [
      { ...eva, cxcId: ana.cxcId },
      { ...eva, clientId: ana.clientId },
      { ...ana, buyer: eva.buyer },
    ];
    for (const asked of asks) expect((await emit(asked)).body.code).toBe('NOT_FOUND');
    await shop.ask(`DELETE /v1/ClientSat/DeleteAsync/${ana.clientId}`, { token: ana.buyer.token });
    expect((await emit(ana)).body.code).toBe('NOT_FOUND');
    expect([...(await stampedFor(shop, ana.id)), ...(await stampedFor(shop, eva.id))]).toEqual([]);
  });

  test('is not invoiced where the merchant, or its product, is not set up for it, and its buyer reads whom to ask', async () => {
    const asked = await bought();
    const [{ folio }] = await asOwner(shop, 'select folio from receipts where buyer_id = $1', [
      asked.buyer.id,
    ]);
    const read = async (call: string) =>
      (await shop.ask(`GET ${call}`, { token: asked.buyer.token })).body.data;
    const isInvoicedHere = async () => {
      const pdf = (await read(`/v1/Receipts/PdfAsync/${folio}`)).contentByteArray as string;
      return [
        (await read(`/v1/Sales/GetAsync/${asked.id}`)).invoicedHere,
        (await read(`/v1/Receipts/GetAsync/${folio}`)).invoicedHere,
        !textOfPdf(Buffer.from(pdf, 'base64')).includes('Este comercio todavía no factura aquí.'),
      ];
    };
    const { db, merchantId, productId } = shop;
    const merchant = (uuid: string) =>
      db
        .updateTable('merchants')
        .set({ invoicing_business_uuid: uuid })
        .where('id', '=', merchantId)
        .execute();
    const product = (uuid: string) =>
      db.updateTable('products').set({ invoicing_product_uuid: uuid }).where('id', '=', productId).execute();
    const { business, item } = await db
      .selectFrom('merchants as m')
      .innerJoin('products as p', 'p.merchant_id', 'm.id')
      .select(['m.invoicing_business_uuid as business', 'p.invoicing_product_uuid as item'])
      .where('p.id', '=', productId)
      .executeTakeFirstOrThrow();
    for (const [set, uuid] of [
      [merchant, business],
      [product, item],
    ] as const) {
      await set('');
      expect((await readInstalment(shop, asked.buyer, asked.cxcId)).mayBeInvoiced).toBe(false);
      expect((await emit(asked)).body.code).toBe('INVOICING_NOT_OFFERED');
      expect(await isInvoicedHere()).toEqual([false, false, false]);
      await set(uuid);
    }
    expect(await isInvoicedHere()).toEqual([true, true, true]);
    expect((await readInstalment(shop, asked.buyer, asked.cxcId)).mayBeInvoiced).toBe(true);
  });
});

describe('the cut-off of a merchant', () => {
  const cutOff = (days: number | null) =>
    asOwner(shop, 'update merchants set invoice_cut_off_days = $2 where id = $1', [shop.merchantId, days]);
  /** As if everything of it had been paid then, when the merchant's cut-off was that. */
  const paidThen = ({ buyer }: Asked, paidAt: Date) =>
    asOwner(shop, 'update receipts set received_at = $2, paid_at = $2 where buyer_id = $1', [
      buyer.id,
      paidAt,
    ]);
  afterEach(() => cutOff(null));

  test('lets a buyer ask until its day, says which that is, and refuses with the reason after it', async () => {
    await cutOff(5);
    await asOwner(shop, `update merchants set phone = '222 123 4567' where id = $1`, [shop.merchantId]);
    const asked = await bought();
    const receipt = async () => {
      const [{ folio }] = await asOwner(shop, 'select folio from receipts where buyer_id = $1', [
        asked.buyer.id,
      ]);
      const read = (call: string) =>
        shop.ask(`GET /v1/Receipts/${call}/${folio}`, { token: asked.buyer.token });
      const pdf = (await read('PdfAsync')).body.data.contentByteArray as string;
      return { ...(await read('GetAsync')).body.data, text: textOfPdf(Buffer.from(pdf, 'base64')) };
    };
    const today = mexicoCityDate(new Date());
    const until = addDays(lastDayOfMonth(today), 5);
    const open = { mayBeInvoiced: true, invoiceUntil: until };
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject(open);
    expect(await receipt()).toMatchObject(open);
    expect((await receipt()).text).toContain(`Puedes pedir tu factura hasta el ${formatDate(until)}.`);

    const before = addDays(lastDayOfMonth(addDays(`${today.slice(0, 7)}-01`, -1)), -31);
    await paidThen(asked, new Date(`${before}T18:00:00Z`));
    const over = addDays(lastDayOfMonth(before), 5);
    const closed = { mayBeInvoiced: false, invoiceUntil: over };
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject(closed);
    expect(await receipt()).toMatchObject(closed);
    expect((await receipt()).text).toContain(`Podías pedir tu factura hasta el ${formatDate(over)}.`);
    const refused = await emit(asked);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'INVOICE_TOO_LATE',
        facts: { until: over, contact: 'Muebles del Centro (222 123 4567)' },
      },
    });
    expect(await stampedFor(shop, asked.id)).toEqual([]);

    // The merchant gives more time, to everybody.
    await cutOff(366);
    expect((await emit(asked)).body.data.invoice.state).toBe('issued');
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({ invoiceUntil: null });
  });

  /** The same day on the purchase, on the receipt and in the operator's list. */
  async function isOpenUntil(asked: Awaited<ReturnType<typeof bought>>, until: DateOnly): Promise<void> {
    const open = { mayBeInvoiced: true, invoiceUntil: until };
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject(open);
    const [{ folio }] = await asOwner(shop, 'select folio from receipts where buyer_id = $1', [
      asked.buyer.id,
    ]);
    const receipt = await shop.ask(`GET /v1/Receipts/GetAsync/${folio}`, { token: asked.buyer.token });
    expect(receipt.body.data).toMatchObject(open);
    const listed = await listUninvoiced(shop.db, { state: 'open' });
    expect(listed.find((one) => one.folio === folio)).toMatchObject({ until });
  }

  test('does not shut out cash of which we heard only after its day: nobody could ask before', async () => {
    await cutOff(5);
    const asked = await bought();
    await asOwner(
      shop,
      `update receipts set paid_at = received_at - interval '90 days' where buyer_id = $1`,
      [asked.buyer.id],
    );
    const until = addDays(lastDayOfMonth(mexicoCityDate(new Date())), 5);
    await isOpenUntil(asked, until);
    expect((await emit(asked)).body.data.invoice.state).toBe('issued');
  });

  test('leaves time to ask again where SAT refuses only after its day what was asked for in time', async () => {
    await cutOff(5);
    const asked = await bought({ zip: '99999' });
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    await shop.control('POST /control/invoicing/service', { down: false });
    await paidThen(asked, new Date(Date.now() - 90 * DAY));
    await workOn(shop, await idOf(asked));
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_refused']);

    const until = addDays(lastDayOfMonth(mexicoCityDate(new Date())), 5);
    await isOpenUntil(asked, until);
    await shop.ask(`PUT /v1/ClientSat/UpdateAsync/${asked.clientId}`, {
      token: asked.buyer.token,
      body: FISCAL_FORM,
    });
    expect((await emit(asked)).body.data.invoice.state).toBe('issued');
  });

  test('does not take away from a buyer what their receipt promised', async () => {
    const asked = await bought();
    await paidThen(asked, new Date('2025-01-31T18:00:00Z'));
    await cutOff(0);
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({
      mayBeInvoiced: true,
      invoiceUntil: null,
    });
    expect((await emit(asked)).body.data.invoice.state).toBe('issued');
  });

  test('leaves alone what was asked for in time', async () => {
    await cutOff(0);
    const asked = await bought();
    const { body } = await emit(asked);
    await paidThen(asked, new Date('2025-01-31T18:00:00Z'));
    expect((await emit(asked)).body.data.invoice).toMatchObject({
      id: body.data.invoice.id,
      state: 'issued',
    });
  });

  test('is days from 0 to 366, or none', async () => {
    for (const days of [-1, 367])
      await expect(cutOff(days)).rejects.toMatchObject({
        constraint: 'merchants_invoice_cut_off_days_check',
      });
  });
});

describe('one invoice', () => {
  test('is what twenty simultaneous requests, the job beside them and every later request get', async () => {
    const asked = await bought({ zip: '99001' }); // slow, so that they meet
    const calls = Array.from({ length: 20 }, () => emit(asked));
    const answers = (await Promise.all(calls)).map(({ status, body }) => [status, body.data.invoice.id]);
    const id = await idOf(asked);
    expect(answers).toEqual(Array(20).fill([200, id]));
    await Promise.all([workOn(shop, id), workOn(shop, id), emit(asked)]);
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);
    const { customers } = await shop.control('GET /control/invoicing');
    expect(customers.filter(({ customer }: any) => customer.address.main.zip === '99001')).toHaveLength(1);
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_issued']);
  });

  test('is not given to who asks for one with another RFC, in process or issued: they are told whose it is, and lose nothing', async () => {
    const asked = await bought();
    const other = await addFiscalClient(shop, asked.buyer, { rfc: 'COSC8001137NA' });
    const otherwise = () => emitInvoice(shop, asked.buyer, { cxcId: asked.cxcId, clientSatId: other });
    const expected = {
      status: 409,
      body: {
        code: 'INVOICE_OTHER_RFC',
        facts: { rfc: 'MISC491214B86', contact: expect.stringContaining('Muebles del Centro') },
      },
    };
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    expect(await otherwise()).toMatchObject(expected);
    await shop.control('POST /control/invoicing/service', { down: false });
    const id = await idOf(asked);
    await workOn(shop, id);
    expect(await otherwise()).toMatchObject(expected);
    expect((await emit(asked)).body.data.invoice).toMatchObject({ id, state: 'issued' });
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);

    // Once it is cancelled at SAT, the other one is made.
    await resolve(id, { as: 'cancelled' });
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({
      invoice: null,
      cancelledInvoice: { rfc: 'MISC491214B86', fiscalFolio: expect.any(String) },
    });
    expect((await otherwise()).body.data.invoice).toMatchObject({ state: 'issued', rfc: 'COSC8001137NA' });
    expect((await readInstalment(shop, asked.buyer, asked.cxcId)).cancelledInvoice).toBeNull();
  });

  test('and its customer carry the same tax identity, with its corrections', async () => {
    const asked = await bought({ zip: '72001' });
    const add = () =>
      shop.ask('POST /v1/FacturaGreen/CustomerAddAsync', {
        token: asked.buyer.token,
        body: {
          businessId: shop.merchantId,
          customer: { taxid: 'misc-491214-b86', name: 'forged', uuid: 'x' },
        },
      });
    const first = await add();
    expect((await add()).body.data).toEqual(first.body.data);
    await emit(asked);
    const correct = await shop.ask(`PUT /v1/ClientSat/UpdateAsync/${asked.clientId}`, {
      token: asked.buyer.token,
      body: { ...FISCAL_FORM, zip: '72002' },
    });
    expect(correct.body.data).toMatchObject({ zip: '72002', fGecustomeruuid: first.body.data.uuid });
    await payPurchase(shop.db, asked.id, 120_000);
    await emitInvoice(shop, asked.buyer, { cxcId: asked.instalmentIds[1]!, clientSatId: asked.clientId });
    const zips = (await stampedFor(shop, asked.id)).map(({ receiver }) => receiver.address.main.zip);
    expect(zips).toEqual(['72001', '72002']);
    const { customers } = await shop.control('GET /control/invoicing');
    expect(customers.filter(({ id }: { id: string }) => id === first.body.data.uuid)).toHaveLength(1);
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({
      invoice: { name: 'CECILIA MIRANDA SÁNCHEZ' },
    });
  });
});

describe('while the provider is down', () => {
  afterEach(() => shop.control('POST /control/invoicing/service', { down: false }));

  test("the request is kept, with the buyer's corrections, and the job finishes it", async () => {
    const asked = await bought();
    await shop.control('POST /control/invoicing/service', { down: true });
    const { status, body } = await emit(asked);
    expect([status, body.data.cfdi, body.data.invoice.state]).toEqual([200, null, 'inProcess']);
    const id = await idOf(asked);
    // Queued with the request, and put off by each round: what nobody queues is never issued.
    const { created_at: first } = await invoiceRow(shop, id);
    expect(await queuedFor(shop, id)).toMatchObject({ seconds: 30, first });
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({
      mayBeInvoiced: false,
      numfactura: null,
    });
    await workOn(shop, id, 5 * MINUTE);
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'requested', tries: 0, busy_until: null });

    await shop.ask(`PUT /v1/ClientSat/UpdateAsync/${asked.clientId}`, {
      token: asked.buyer.token,
      body: { ...FISCAL_FORM, zip: '72003' },
    });
    await shop.control('POST /control/invoicing/service', { down: false });
    await transaction(shop.db, (tx) => retryInvoice(tx, id));
    expect(await queuedFor(shop, id)).toMatchObject({ seconds: 0 });
    await workOn(shop, id);
    expect(await queuedFor(shop, id)).toMatchObject({ seconds: 240 });
    expect(await stampedFor(shop, asked.id)).toMatchObject([
      { receiver: { address: { main: { zip: '72003' } } } },
    ]);
    expect(await newest(asked)).toMatchObject({ id, state: 'issued' });
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_issued']);
  });

  test('the RFC that an invoice waits with is not removed, so that a wrong one can be corrected before it is stamped', async () => {
    const asked = await bought();
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    const id = await idOf(asked);
    const { token } = asked.buyer;
    const remove = () => shop.ask(`DELETE /v1/ClientSat/DeleteAsync/${asked.clientId}`, { token });
    const kept = await remove();
    expect([kept.status, kept.body.code]).toEqual([409, 'FISCAL_CLIENT_IN_USE']);

    const right = { ...FISCAL_FORM, rfc: 'COSC8001137NA' };
    const corrected = await shop.ask(`PUT /v1/ClientSat/UpdateAsync/${asked.clientId}`, {
      token,
      body: right,
    });
    expect(corrected.status).toBe(200);
    await shop.control('POST /control/invoicing/service', { down: false });
    await workOn(shop, id);
    expect(await newest(asked)).toMatchObject({ id, state: 'issued', rfc: right.rfc });
    expect((await remove()).status).toBe(200);
  });

  test('the call that may be repeated finds out, also for a customer it knows', async () => {
    const asked = await bought();
    await emit(asked);
    await payPurchase(shop.db, asked.id, 120_000);
    await shop.control('POST /control/invoicing/service', { down: true });
    const second = { ...asked, cxcId: asked.instalmentIds[1]! };
    expect((await emit(second)).body.data.invoice.state).toBe('inProcess');
    await shop.control('POST /control/invoicing/service', { down: false });
    await workOn(shop, await idOf(second));
    expect(await newest(second)).toMatchObject({ state: 'issued' });
  });

  test('what was certainly not sent is sent again; a refused connection counts as not sent', async () => {
    const asked = await bought();
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    const id = await idOf(asked);
    await shop.control('POST /control/invoicing/service', { down: false });
    const { invoicing } = shop.jobs;
    const http = httpClient({ connectTimeoutMs: 500 });
    const nowhere = facturaGreen({
      account: { ...shop.settings.facturaGreen, base: 'http://127.0.0.1:9' },
      http,
      timeoutMs: 500,
    });
    const broken = jobHandlers({ ...shop.jobs, invoicing: { ...invoicing, issue: nowhere.issue } });
    await broken.issue_invoice({ invoiceId: id }, createLog('silent'));
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'requested', tries: 1, busy_until: null });
    await workOn(shop, id);
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'issued', tries: 2 });
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);
    await http.close();
  });

  test('it retries for a day, calls an operator after three and after a week, and ends in one email', async () => {
    const asked = await bought();
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    const id = await idOf(asked);
    await workOn(shop, id, DAY);
    expect([(await newest(asked))?.state, await alertsOf(shop, id)]).toEqual(['inProcess', []]);
    await workOn(shop, id, 2 * DAY);
    // Requested again by the buyer, it is the same one, and nothing is sent.
    expect((await emit(asked)).body.data.invoice).toMatchObject({ id, state: 'review' });
    expect(await alertsOf(shop, id)).toEqual(['invoice_in_review']);
    await expect(transaction(shop.db, (tx) => retryInvoice(tx, id))).rejects.toThrow('invoice_state');
    await resolve(id, { as: 'not_stamped' });
    expect(await alertsOf(shop, id)).toEqual([]);
    await workOn(shop, id, 4 * DAY); // still down: it goes back to the operator
    expect([(await newest(asked))?.state, await alertsOf(shop, id)]).toEqual([
      'review',
      ['invoice_in_review'],
    ]);
    await shop.control('POST /control/invoicing/service', { down: false });
    await resolve(id, { as: 'not_stamped' });
    await workOn(shop, id);
    expect(await newest(asked)).toMatchObject({ id, state: 'issued' });
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_issued']);
  });
});

describe('a refusal', () => {
  test.each<[string, Partial<typeof FISCAL_FORM>, Partial<typeof FISCAL_FORM>, string]>([
    ['rfc', { rfc: 'ZZZ010101AA1', regime: '601' }, { rfc: 'MISC491214B86', regime: '612' }, 'CFDI40143'],
    ['name', { name: 'Otro nombre' }, { name: FISCAL_FORM.name }, 'CFDI40145'],
    ['zip', { zip: '99999' }, { zip: '72000' }, 'CFDI40148'],
    ['regime', { regime: '610', cfdiUse: 'S01' }, { regime: '612' }, 'CFDI40158'],
    ['cfdiUse', { cfdiUse: 'G02' }, { cfdiUse: 'G03' }, 'CFDI40161'],
    ['email', { email: 'ana@rechazado.example' }, { email: 'ana@example.mx' }, ''],
  ])('of the %s names it; corrected, it is issued', async (field, wrong, right, code) => {
    const asked = await bought(wrong);
    const refused = await emit(asked);
    expect([refused.status, refused.body.code, refused.body.facts]).toEqual([
      422,
      'INVOICE_REFUSED',
      { field, detailCode: code, detailMessage: expect.any(String) },
    ]);
    const { invoice, mayBeInvoiced } = await readInstalment(shop, asked.buyer, asked.cxcId);
    expect([invoice.state, invoice.field, invoice.detailCode, mayBeInvoiced]).toEqual([
      'refused',
      field,
      code,
      true,
    ]);
    await shop.ask(`PUT /v1/ClientSat/UpdateAsync/${asked.clientId}`, {
      token: asked.buyer.token,
      body: { ...FISCAL_FORM, ...wrong, ...right },
    });
    const { body } = await emit(asked);
    expect(body.data.invoice.state).toBe('issued');
    expect(body.data.invoice.id).toBeGreaterThan(invoice.id);
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);
    // The buyer read it on the screen; the other one is an email.
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_issued']);
    expect(await alertsOf(shop, invoice.id)).toEqual([]);
  });

  test("that comes when nobody waits is emailed; one of the merchant's making raises an alert", async () => {
    const asked = await bought({ zip: '99014' });
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    const id = await idOf(asked);
    await shop.control('POST /control/invoicing/service', { down: false });
    await workOn(shop, id);
    expect(await newest(asked)).toMatchObject({ state: 'refused', field: null, detailCode: 'CFDI40139' });
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_refused']);
    expect(await alertsOf(shop, id)).toEqual(['invoice_refused']);
  });

  test('names the wrong field also to who only asks for the customer to be registered', async () => {
    const asked = await bought({ email: 'ana@rechazado.example' });
    const { status, body } = await shop.ask('POST /v1/FacturaGreen/CustomerAddAsync', {
      token: asked.buyer.token,
      body: { businessId: shop.merchantId, customer: { taxid: FISCAL_FORM.rfc } },
    });
    expect([status, body.code, body.facts.field]).toEqual([422, 'INVOICE_REFUSED', 'email']);
  });

  test('of what SAT takes no longer comes from us, and nothing is asked of the provider', async () => {
    const asked = await bought();
    await asOwner(shop, `update fiscal_clients set tax_regime = '999' where id = $1`, [asked.clientId]);
    const { status, body } = await emit(asked);
    expect([status, body.code, body.fields]).toEqual([422, 'FISCAL_DATA_WRONG', { regime: 'not_permitted' }]);
    expect(await newest(asked)).toBeNull();
  });

  test('may be repeated at most ten times within an hour', async () => {
    const asked = await bought({ zip: '99999' });
    for (let n = 0; n < 10; n += 1) expect((await emit(asked)).status).toBe(422);
    const { status, headers } = await emit(asked);
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
  });
});

describe('what may have been stamped', () => {
  test.each([
    ['success without a uuid', '99005'],
    ['a failure in words of their own, which is about what comes after the stamp', '99009'],
    ['a reply that is lost', '99003'],
    ['half a reply', '99004'],
    ['a reply that comes too late', '99002'],
    ['a failure of theirs', '99012'],
  ])('%s is never sent again: an operator checks it', async (_what, zip) => {
    const asked = await bought({ zip });
    const { status, body } = await emit(asked);
    expect([status, body.data.cfdi, body.data.invoice.state]).toEqual([200, null, 'review']);
    const id = await idOf(asked);
    const before = (await stampedFor(shop, asked.id)).length;
    for (const ago of [0, 10 * MINUTE, 4 * DAY]) await workOn(shop, id, ago);
    expect((await emit(asked)).body.data.invoice).toMatchObject({ id, state: 'review' });
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'review', tries: 1 });
    expect(await stampedFor(shop, asked.id)).toHaveLength(before);
    expect(await alertsOf(shop, id)).toEqual(['invoice_in_review']);
    expect((await shop.ask(`GET /v1/Invoices/XmlAsync/${id}`, { token: asked.buyer.token })).status).toBe(
      404,
    );
  });

  test('is found by an operator in the panel, checked like any other, and issued', async () => {
    const asked = await bought({ zip: '99005' });
    await emit(asked);
    const id = await idOf(asked);
    const [stamped] = await stampedFor(shop, asked.id);
    const found = {
      as: 'stamped',
      providerUuid: stamped.id,
      fiscalFolio: stamped.folioTax.toLowerCase(),
      folio: '',
    } as const;
    const other = await bought();
    const another = (await emit(other)).body.data.cfdi.folio_tax;
    await expect(resolve(id, { ...found, fiscalFolio: another })).rejects.toThrow('invoice_folio_taken');
    expect(await resolve(id, found)).toMatchObject({
      subject: { kind: 'invoice', id },
      detail: { from: 'review', to: 'stamped' },
    });
    expect(await queuedFor(shop, id)).toMatchObject({ seconds: 0 });
    await workOn(shop, id);
    expect(await newest(asked)).toMatchObject({
      state: 'issued',
      fiscalFolio: stamped.folioTax,
      folio: `A${stamped.folio}`,
    });
    expect(await alertsOf(shop, id)).toEqual([]);
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_issued']);
  });

  test('found by an operator days later is fetched for three days more', async () => {
    const asked = await bought({ zip: '99005' });
    await emit(asked);
    const id = await idOf(asked);
    const [stamped] = await stampedFor(shop, asked.id);
    await workOn(shop, id, 4 * DAY);
    await resolve(id, {
      as: 'stamped',
      providerUuid: stamped.id,
      fiscalFolio: stamped.folioTax,
      folio: '',
    });
    await shop.control('POST /control/invoicing/service', { down: true });
    await workOn(shop, id);
    expect([await invoiceRow(shop, id), await alertsOf(shop, id)]).toMatchObject([{ state: 'stamped' }, []]);
    await shop.control('POST /control/invoicing/service', { down: false });
    await workOn(shop, id);
    expect(await newest(asked)).toMatchObject({ id, state: 'issued' });
  });

  test('that an operator first took for another is never handed out with the files of that one', async () => {
    const other = await bought({ zip: '99005', rfc: 'COSC8001137NA' });
    await emit(other);
    const asked = await bought({ zip: '99005' });
    await emit(asked);
    const id = await idOf(asked);
    const [[theirs], [own]] = [await stampedFor(shop, other.id), await stampedFor(shop, asked.id)];
    const found = ({ id: providerUuid, folioTax: fiscalFolio }: any) =>
      ({ as: 'stamped', providerUuid, fiscalFolio, folio: '' }) as const;
    await resolve(id, found(theirs));
    await workOn(shop, id);
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'review' });

    await resolve(id, found(own));
    await workWithoutPdf(id);
    expect(await newest(asked)).toMatchObject({ state: 'issued', hasXml: true, hasPdf: false });
    await workOn(shop, id);
    expect((await invoiceRow(shop, id)).pdf?.toString('latin1')).toContain(own.folioTax);
  });

  test('that an operator took for the invoice of one that was never stamped is given back', async () => {
    const other = await bought({ zip: '99005', rfc: 'COSC8001137NA' });
    await emit(other);
    const asked = await bought({ zip: '99012' });
    await emit(asked);
    const [id, otherId] = [await idOf(asked), await idOf(other)];
    const [theirs] = await stampedFor(shop, other.id);
    const { id: providerUuid, folioTax: fiscalFolio } = theirs;
    const found = { as: 'stamped', providerUuid, fiscalFolio, folio: 'A7' } as const;
    await resolve(id, found);
    await workOn(shop, id);
    await expect(resolve(otherId, found)).rejects.toThrow('invoice_folio_taken');
    await expect(resolve(id, { as: 'not_stamped' })).rejects.toThrow('invoice_state');

    await resolve(id, { as: 'not_stamped', isWrongFolio: true });
    const none = { fiscal_folio: null, provider_uuid: null, folio: '', xml: null, pdf: null };
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'requested', ...none });
    await resolve(otherId, found);
    await workOn(shop, otherId);
    expect(await newest(other)).toMatchObject({ id: otherId, state: 'issued', fiscalFolio });
  });

  test('by the answer itself is never given up as the wrong one', async () => {
    const asked = await bought({ zip: '99006' });
    await emit(asked);
    const id = await idOf(asked);
    for (const as of ['not_stamped', 'refused'] as const)
      await expect(resolve(id, { as, message: '', isWrongFolio: true })).rejects.toThrow('invoice_state');
  });

  test('is logged with its ids, even when recording the answer fails', async () => {
    const asked = await bought();
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    await shop.control('POST /control/invoicing/service', { down: false });
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    await shop.job.issue_invoice({ invoiceId: await idOf(asked) }, log);
    const [stamped] = await stampedFor(shop, asked.id);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        msg: 'invoice asked for',
        providerUuid: stamped.id,
        fiscalFolio: stamped.folioTax,
      }),
    );
  });

  test('stays unknown when the server dies between claim and answer; the late answer still counts', async () => {
    const asked = await bought();
    await fault(shop, { call: 'emitInvoice', kind: 'hold', times: 1 });
    const call = emit(asked);
    const id = await expect
      .poll(async () => (await newest(asked))?.id, { interval: 10 })
      .toBeGreaterThan(0)
      .then(() => idOf(asked));
    await expect.poll(async () => (await invoiceRow(shop, id)).state, { interval: 5 }).toBe('sending');
    // An operator calls its job before its time: it comes back when the sender must be done, or nobody ever would.
    await transaction(shop.db, (tx) => retryInvoice(tx, id));
    await workOn(shop, id);
    expect((await queuedFor(shop, id)).seconds).toBeGreaterThan(180);
    await workOn(shop, id, 10 * MINUTE);
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'review' });
    await shop.control('POST /control/release');
    expect((await call).body.data.invoice.state).toBe('issued');
    expect(await alertsOf(shop, id)).toEqual([]);
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);
  });

  test('is not sent twice when its answer comes after an operator gave it up', async () => {
    const asked = await bought();
    await fault(shop, { call: 'emitInvoice', kind: 'hold', times: 1 });
    const call = emit(asked);
    await expect.poll(async () => (await stampedFor(shop, asked.id)).length, { interval: 10 }).toBe(1);
    const id = await idOf(asked);
    await workOn(shop, id, 10 * MINUTE);
    await resolve(id, { as: 'not_stamped' });
    await shop.control('POST /control/release');
    expect((await call).body.data.invoice).toMatchObject({ id, state: 'issued' });
    await workOn(shop, id);
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);
  });

  test('keeps the business that it was sent with; the next one gets the merchant’s new business', async () => {
    const asked = await bought({ zip: '99007' });
    expect((await emit(asked)).body.data.invoice.state).toBe('inProcess');
    const move = (number: number) =>
      shop.db
        .updateTable('merchants')
        .set({ invoicing_business_uuid: `d0000000-0000-4000-8000-00000000000${number}`, rfc: 'LBV150312AB1' })
        .where('id', '=', shop.merchantId)
        .execute();
    await move(2);
    try {
      for (let n = 0; n < 3; n += 1) await workOn(shop, await idOf(asked));
      expect(await newest(asked)).toMatchObject({ state: 'issued', hasXml: true, hasPdf: true });
      await payPurchase(shop.db, asked.id, 120_000);
      // Of the customer that it knew under the old one the new one knows nothing.
      await shop.ask(`PUT /v1/ClientSat/UpdateAsync/${asked.clientId}`, {
        token: asked.buyer.token,
        body: FISCAL_FORM,
      });
      const second = { ...asked, cxcId: asked.instalmentIds[1]! };
      await emit(second);
      // Another's business, by its RFC: nothing that a buyer should file.
      expect(await invoiceRow(shop, await idOf(second))).toMatchObject({
        state: 'review',
        business_uuid: 'd0000000-0000-4000-8000-000000000002',
        detail_message: 'what was stamped differs: issuer',
      });
    } finally {
      await move(1);
    }
  });

  test('is never sent with data that were corrected since, whoever told the provider meanwhile', async () => {
    const asked = await bought();
    await emit(asked);
    await payPurchase(shop.db, asked.id, 240_000);
    const ids: number[] = [];
    await shop.control('POST /control/invoicing/service', { down: true });
    for (const cxcId of asked.instalmentIds.slice(1)) {
      await emit({ ...asked, cxcId });
      ids.push(await idOf({ ...asked, cxcId }));
    }
    await shop.control('POST /control/invoicing/service', { down: false });
    const [slow, quick] = ids as [number, number];
    const { invoicing } = shop.jobs;
    const slowly = jobHandlers({
      ...shop.jobs,
      invoicing: {
        ...invoicing,
        async updateCustomer(...received) {
          await shop.ask(`PUT /v1/ClientSat/UpdateAsync/${asked.clientId}`, {
            token: asked.buyer.token,
            body: { ...FISCAL_FORM, cfdiUse: 'G01' },
          });
          await workOn(shop, quick);
          return invoicing.updateCustomer(...received); // puts the old data back there
        },
      },
    });
    await slowly.issue_invoice({ invoiceId: slow }, createLog('silent'));
    expect(await invoiceRow(shop, slow)).toMatchObject({ state: 'requested', tries: 0, busy_until: null });
    expect(await queuedFor(shop, slow)).toMatchObject({ seconds: 0 });
    await workOn(shop, slow);
    for (const id of ids) expect(await invoiceRow(shop, id)).toMatchObject({ state: 'issued' });
    const uses = (await stampedFor(shop, asked.id)).map(({ receiver }) => receiver.invoiceuse.k);
    expect(uses).toEqual(['G03', 'G01', 'G01']);
  });

  test("is never sent with another IVA than its product's: corrected since, the buyer asks anew", async () => {
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    const purchase = await buy(shop, { productId });
    const clientId = await addFiscalClient(shop, purchase.buyer);
    const asked = { ...purchase, clientId, cxcId: purchase.instalmentIds[0]! };
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    const id = await idOf(asked);
    await transaction(shop.db, (tx) =>
      editProduct(tx, productId, {
        ivaBasisPoints: 800,
        invoicingProductUuid: 'e0000000-0000-4000-8000-000000000800',
      }),
    );
    await shop.control('POST /control/invoicing/service', { down: false });
    await workOn(shop, id);
    expect(await stampedFor(shop, asked.id)).toEqual([]);
    expect(await newest(asked)).toMatchObject({ id, state: 'refused', field: null });
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_refused']);

    expect((await emit(asked)).body.data.invoice.state).toBe('issued');
    expect(await stampedFor(shop, asked.id)).toMatchObject([{ totalCentavos: 60_000, ivaCentavos: 4_444 }]);
  });

  test('with another total goes to review with its file, and raises an alert', async () => {
    const asked = await bought({ zip: '99006' });
    expect((await emit(asked)).body.data).toMatchObject({
      cfdi: null,
      invoice: { state: 'review', fiscalFolio: null, hasXml: false, detailMessage: '' },
    });
    const id = await idOf(asked);
    const row = await invoiceRow(shop, id);
    expect(row).toMatchObject({ detail_message: 'what was stamped differs: total', xml: expect.any(Buffer) });
    expect(await alertsOf(shop, id)).toEqual(['invoice_in_review']);
    expect(await invoiceEmails(shop, asked.buyer)).toEqual([]);
    // It stands at SAT: it can be cancelled there or taken as it is, and never simply be sent again.
    await expect(resolve(id, { as: 'not_stamped' })).rejects.toThrow('invoice_state');
    await expect(resolve(id, { as: 'refused', message: '' })).rejects.toThrow('invoice_state');
    await resolve(id, { as: 'cancelled' });
    expect(await readInstalment(shop, asked.buyer, asked.cxcId)).toMatchObject({
      invoice: null,
      mayBeInvoiced: true,
    });
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_refused']);
  });

  test('with another total can be accepted by an operator', async () => {
    const asked = await bought({ zip: '99006' });
    await emit(asked);
    await resolve(await idOf(asked), { as: 'accepted' });
    expect(await newest(asked)).toMatchObject({ state: 'issued', hasXml: true });
    expect(await invoiceEmails(shop, asked.buyer)).toEqual(['invoice_issued']);
  });

  test('that an operator accepts before its PDF came gets that PDF', async () => {
    const asked = await bought({ zip: '99006' });
    await shop.control('POST /control/invoicing/service', { down: true });
    await emit(asked);
    await shop.control('POST /control/invoicing/service', { down: false });
    const id = await idOf(asked);
    await workWithoutPdf(id);
    // Its last job finds it in review and leaves no other.
    await asOwner(shop, `delete from graphile_worker._private_jobs where key = $1`, [`invoice:${id}`]);
    await resolve(id, { as: 'accepted' });
    expect(await queuedFor(shop, id)).toMatchObject({ seconds: 0 });
    await workOn(shop, id);
    expect(await newest(asked)).toMatchObject({ state: 'issued', hasXml: true, hasPdf: true });
  });

  test('waits for its XML, not for its PDF', async () => {
    const late = await bought({ zip: '99007' });
    expect((await emit(late)).body.data.invoice.state).toBe('inProcess');
    const id = await idOf(late);
    for (let n = 0; n < 3; n += 1) await workOn(shop, id);
    expect(await newest(late)).toMatchObject({ state: 'issued', hasXml: true, hasPdf: true });
    expect(await stampedFor(shop, late.id)).toHaveLength(1);

    const never = await bought({ zip: '99008' });
    expect((await emit(never)).body.data.invoice).toMatchObject({
      state: 'issued',
      hasXml: true,
      hasPdf: false,
    });
    const [stamped] = await stampedFor(shop, never.id);
    expect(await queuedFor(shop, await idOf(never))).toMatchObject({ seconds: 30 });
    await workOn(shop, await idOf(never));
    expect(await queuedFor(shop, await idOf(never))).toMatchObject({ seconds: 30 });
    await workOn(shop, await idOf(never), 4 * DAY);
    expect((await stampedFor(shop, never.id))[0].asked.pdf).toBe(stamped.asked.pdf + 2);
    expect(await alertsOf(shop, await idOf(never))).toEqual([]);
  });
});

describe('a purchase with an invoice', () => {
  test('keeps the money that is invoiced: a till may not take it back', async () => {
    const till = await openTill(shop);
    const asked = await bought();
    const pay = (importe: number) => ({
      referencia: asked.numbers[2]!,
      importe,
      idtransaccion: `${asked.id}-${importe}`,
    });
    await till.pay(pay(1_200));
    const third = { ...pay(1_200), referencia: asked.numbers[3]!, idtransaccion: `${asked.id}-3` };
    await till.pay(third);
    await emitInvoice(shop, asked.buyer, { cxcId: asked.instalmentIds[1]!, clientSatId: asked.clientId });
    expect((await till.reverse(pay(1_200))).body.error).toBe(7);
    expect((await till.reverse(third)).body.error).toBe(0);
    // Cancelled at SAT, it may go back.
    const invoice = (await readInstalment(shop, asked.buyer, asked.instalmentIds[1]!)).invoice;
    await resolve(invoice.id, { as: 'cancelled' });
    expect(await invoiceEmails(shop, asked.buyer)).toContain('invoice_cancelled');
    expect((await till.reverse(pay(1_200))).body.error).toBe(0);
  });

  test('warns before it is cancelled, and raises an alert; what was not sent is never sent', async () => {
    const asked = await bought();
    await emit(asked);
    const issued = await idOf(asked);
    await payPurchase(shop.db, asked.id, 120_000);
    await shop.control('POST /control/invoicing/service', { down: true });
    const second = { ...asked, cxcId: asked.instalmentIds[1]! };
    await emit(second);
    const waiting = await idOf(second);
    await shop.control('POST /control/invoicing/service', { down: false });

    const { token } = asked.buyer;
    const quote = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${asked.id}`, { token });
    expect(quote.body.data.invoiced).toBe(true);
    const cancel = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${asked.id}`, {
      token,
      body: { refundShown: quote.body.data.refund },
    });
    expect(cancel.status).toBe(200);
    expect(await alertsOf(shop, issued)).toEqual(['invoice_to_cancel']);
    const email = await shop.db
      .selectFrom('outbox')
      .select('facts')
      .where('topic', '=', 'purchase_cancelled')
      .where('dedupe_key', '=', `purchase:${asked.id}`)
      .executeTakeFirstOrThrow();
    expect(email.facts).toMatchObject({ isInvoiced: 1 });
    expect(await invoiceRow(shop, waiting)).toMatchObject({ state: 'cancelled', tries: 0 });
    await workOn(shop, waiting);
    expect(await alertsOf(shop, waiting)).toEqual([]);
    expect(await stampedFor(shop, asked.id)).toHaveLength(1);

    // The invoice stays the buyer's until it is cancelled at SAT; they cannot get another one.
    expect(await newest(asked)).toMatchObject({ id: issued, state: 'issued' });
    expect((await emit(second)).body.code).toBe('NOT_INVOICEABLE');
    await resolve(issued, { as: 'cancelled' });
    expect(await alertsOf(shop, issued)).toEqual([]);
    expect(await newest(asked)).toBeNull();
    expect((await readInstalment(shop, asked.buyer, asked.cxcId)).cancelledInvoice).toMatchObject({
      rfc: 'MISC491214B86',
    });
    const { facts } = await shop.db
      .selectFrom('outbox')
      .select('facts')
      .where('topic', '=', 'invoice_cancelled')
      .where('dedupe_key', '=', `invoice:${issued}`)
      .executeTakeFirstOrThrow();
    expect(facts).toMatchObject({ isPurchaseCancelled: 1 });
  });

  test('that is cancelled leaves the buyer the invoice that its shop credited, files too, and says to keep both', async () => {
    const asked = await bought();
    await emit(asked);
    const id = await idOf(asked);
    // One of a purchase that goes on has nothing to credit.
    await expect(resolve(id, { as: 'credited' })).rejects.toThrow('invoice_state');
    const { token } = asked.buyer;
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${asked.id}`, { token, body: {} });
    expect(await alertsOf(shop, id)).toEqual(['invoice_to_cancel']);
    expect(await newest(asked)).toMatchObject({ credited: false });

    expect((await resolve(id, { as: 'credited' })).detail).toEqual({
      from: 'issued',
      to: 'issued',
      as: 'credited',
    });
    expect(await alertsOf(shop, id)).toEqual([]);
    expect(await newest(asked)).toMatchObject({ id, state: 'issued', hasXml: true, credited: true });
    expect((await shop.ask(`GET /v1/Invoices/XmlAsync/${id}`, { token })).status).toBe(200);
    const { facts } = await shop.db
      .selectFrom('outbox')
      .select('facts')
      .where('dedupe_key', '=', `invoice:${id}:credited`)
      .executeTakeFirstOrThrow();
    expect(facts).toMatchObject({ isPurchaseCancelled: 1, isCredited: 1 });
  });

  test('that is cancelled gets no invoice, even when an operator sends it again', async () => {
    const asked = await bought({ zip: '99012' });
    await emit(asked);
    const id = await idOf(asked);
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${asked.id}`, {
      token: asked.buyer.token,
      body: {},
    });
    expect(await alertsOf(shop, id)).toEqual(['invoice_in_review', 'invoice_to_cancel']);
    await resolve(id, { as: 'not_stamped' });
    await workOn(shop, id);
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'cancelled', tries: 1 });
    expect(await alertsOf(shop, id)).toEqual([]);
  });

  test('that is cancelled while its invoice is being sent raises the alert too', async () => {
    const asked = await bought();
    await fault(shop, { call: 'emitInvoice', kind: 'hold', times: 1 });
    const call = emit(asked);
    await expect.poll(async () => (await stampedFor(shop, asked.id)).length, { interval: 10 }).toBe(1);
    const cancel = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${asked.id}`, {
      token: asked.buyer.token,
      body: {},
    });
    expect(cancel.status).toBe(200);
    await shop.control('POST /control/release');
    const { id } = (await call).body.data.invoice;
    expect(await invoiceRow(shop, id)).toMatchObject({ state: 'issued' });
    expect(await alertsOf(shop, id)).toEqual(['invoice_to_cancel']);
  });
});
