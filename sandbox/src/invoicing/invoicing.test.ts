import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { netOfIva } from '@aparta/domain/fiscal';
import { centavos } from '@aparta/domain/money';
import type { EmissionData, Envelope } from '@aparta/provider-wire/factura-green';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxOptions } from '../app.ts';
import { startSandbox } from '../testing.ts';
import { demoOffice, type InvoiceRow } from './office.ts';

const [business, other] = demoOffice.businesses;
const [product] = demoOffice.products;

const ana = {
  name: 'ANA TORRES & HIJOS "NUÑEZ"',
  taxid: 'CACX7605101P8',
  email: 'ana@example.com',
  taxregime: { k: '612' },
  invoiceuse: { k: 'G03' },
  address: { main: { zip: '72000' } },
};

/** A sandbox, and calls to it as the first demo business. */
async function openOffice(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox(options);
  const headers = {
    'x-application-key': demoOffice.applicationKey,
    'x-application-account-uuid': demoOffice.accountUuid,
    'x-application-business-uuid': business.id as string,
  };
  const post = (path: string, body: unknown, as: object = {}) =>
    sandbox.call<Envelope>('POST', `/interop/${path}`, body, { ...headers, ...as });
  const add = async (more: object = {}) => {
    const { body } = await post('customer/add', { customer: { ...ana, ...more } });
    return (body.data as { uuid: string }).uuid;
  };
  const emit = async (customer: string, item: object = {}, as: object = {}) => {
    const { status, body } = await post(
      'cfdi/emmit',
      {
        cfdi: {
          customer: { uuid: customer },
          payment: { form: { k: '04' }, method: { k: 'PUE' } },
          items: [{ uuid: product?.id, qty: 1, price: { amount: 1034.482759 }, desc: 'Abono 1', ...item }],
          observations: '',
        },
      },
      as,
    );
    return { status, body, data: body.data as EmissionData, message: body.error?.message ?? '' };
  };
  const fetchFile = async (id: string, file: string, as: object = {}) => {
    const url = new URL(`/interop/cfdi/${id}/${file}`, sandbox.apiUrl);
    const response = await fetch(url, { headers: { ...headers, ...as } });
    return { status: response.status, text: await response.text() };
  };
  const invoices = async () =>
    (await sandbox.call<{ invoices: InvoiceRow[] }>('GET', '/control/invoicing')).body.invoices;
  return { ...sandbox, post, add, emit, fetchFile, invoices };
}

test('IVA is added to a price as it stands, and SubTotal, IVA and Total have two decimals', async () => {
  const { add, emit, fetchFile } = await openOffice();
  const customer = await add();
  const totals = [1, 4, 11, 18, 26, 29, 120_000, 99_999_999];
  for (const [index, rate] of ([1600, 800, 0] as const).entries()) {
    for (const total of totals) {
      const { priceMicropesos, netCentavos, ivaCentavos } = netOfIva(centavos(total), rate);
      if (netCentavos === 0) continue;
      const uuid = demoOffice.products[index]?.id;
      const { data } = await emit(customer, { uuid, price: { amount: priceMicropesos / 1e6 } });
      const { text } = await fetchFile(data.uuid ?? '', 'xml');
      const pesos = (amount: number) => (amount / 100).toFixed(2);
      expect(text, `${total} at ${rate}`).toMatch(
        new RegExp(`SubTotal="${pesos(netCentavos)}"\\s+Moneda="MXN"\\s+Total="${pesos(total)}"`),
      );
      expect(text).toContain(`TotalImpuestosTrasladados="${pesos(ivaCentavos)}"`);
    }
  }
});

test('the files say who, what and how, with every sign escaped, to their own business alone', async () => {
  const { add, emit, fetchFile } = await openOffice();
  const { data } = await emit(await add(), { desc: 'Abono <2> & "3"' });
  const xml = (await fetchFile(data.uuid ?? '', 'xml')).text;
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*<cfdi:Comprobante/);
  for (const part of [
    'Nombre="ANA TORRES &#38; HIJOS &#34;NUÑEZ&#34;"',
    'Descripcion="Abono &#60;2&#62; &#38; &#34;3&#34;"',
    `UUID="${data.cfdi?.folio_tax}"`,
    'FormaPago="04"',
    'Rfc="CACX7605101P8"',
  ]) {
    expect(xml).toContain(part);
  }
  const pdf = (await fetchFile(data.uuid ?? '', 'pdf')).text;
  const table = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
  expect(table).toBeGreaterThan(0);
  const elsewhere = { 'x-application-business-uuid': other.id };
  expect((await fetchFile(data.uuid ?? '', 'xml', elsewhere)).status).toBe(404);
});

test('a customer and a product belong to the business that made them', async () => {
  const { add, emit, post } = await openOffice();
  const customer = await add();
  const elsewhere = { 'x-application-business-uuid': other.id };
  expect(await emit(customer, {}, elsewhere)).toMatchObject({ status: 404 });
  const update = { customer: { ...ana, uuid: customer } };
  expect((await post('customer/update', update, elsewhere)).status).toBe(404);
  expect((await post('customer/update', update)).body.response).toBe('success');
  expect(await emit(customer, { uuid: 'e0000000-0000-4000-8000-000000000016' })).toMatchObject({
    status: 404,
  });
});

test.each([
  [{ 'x-application-key': 'guess' }, 401],
  [{ 'x-application-account-uuid': 'guess' }, 401],
  [{ 'x-application-business-uuid': 'guess' }, 403],
])('a call with %j is turned away', async (as, status) => {
  const { post } = await openOffice();
  expect((await post('customer/add', { customer: ana }, as)).status).toBe(status);
});

test.each([
  [{ taxid: 'ZZZZ010101AA1' }, 'CFDI40143'],
  [{ name: 'ANA OTRO NOMBRE' }, 'CFDI40145'],
  [{ name: 'Ana Torres' }, 'CFDI40145'],
  [{ address: { main: { zip: '99999' } } }, 'CFDI40148'],
  [{ taxregime: { k: '629' } }, 'CFDI40157'],
  [{ taxregime: { k: '601' } }, 'CFDI40158'],
  [{ taxregime: { k: '610' }, invoiceuse: { k: 'S01' } }, 'CFDI40158'],
  [{ invoiceuse: { k: 'G02' } }, 'CFDI40161'],
  [{ taxregime: { k: '605' } }, 'CFDI40161'],
  [{ address: { main: { zip: '99014' } } }, 'CFDI40139'],
])('%j is refused with %s in a 200, and mended it is stamped', async (more, code) => {
  const { add, emit, post, invoices } = await openOffice();
  const customer = await add(more);
  const refused = await emit(customer);
  expect(refused).toMatchObject({ status: 200, body: { response: 'error' } });
  expect(refused.message).toContain(code);
  expect(await invoices()).toEqual([]);
  await post('customer/update', { customer: { ...ana, uuid: customer } });
  expect((await emit(customer)).body.response).toBe('success');
});

test('a business that is set up wrong adds its IVA twice', async () => {
  const { add, emit, invoices } = await openOffice();
  await emit(await add({ address: { main: { zip: '99006' } } }));
  expect(await invoices()).toMatchObject([{ subTotalCentavos: 120_000, totalCentavos: 139_200 }]);
});

test('an emission that is repeated is stamped again', async () => {
  const { add, emit, invoices } = await openOffice();
  const customer = await add();
  await emit(customer);
  await emit(customer);
  expect(await invoices()).toHaveLength(2);
});

test('a PDF may never come while its XML does', async () => {
  const { add, emit, fetchFile } = await openOffice();
  const { data } = await emit(await add({ address: { main: { zip: '99008' } } }));
  const statuses = [];
  for (const file of ['pdf', 'pdf', 'pdf', 'pdf', 'xml'])
    statuses.push((await fetchFile(data.uuid ?? '', file)).status);
  expect(statuses).toEqual([404, 404, 404, 404, 200]);
});

test('while the service is down nothing is done, and a restart keeps that and what was stamped', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await openOffice({ dataDir });
  const customer = await first.add();
  const { data } = await first.emit(customer);
  await first.control('invoicing/service', { down: true });
  expect((await first.emit(customer)).status).toBe(503);
  await first.close();

  const again = await openOffice({ dataDir });
  expect((await again.emit(customer)).status).toBe(503);
  await fetch(new URL('/facturas/servicio', again.apiUrl), {
    method: 'POST',
    body: new URLSearchParams({ caido: 'no' }),
  });
  expect((await again.emit(customer)).data.cfdi?.folio).toBe('1002');
  expect((await again.fetchFile(data.uuid ?? '', 'pdf')).text).toMatch(/^%PDF-/);
  expect(await again.invoices()).toHaveLength(2);
});

test('the page lists what was stamped, its files, and what to type for each outcome', async () => {
  const { add, emit, apiUrl } = await openOffice();
  const { data } = await emit(await add());
  const page = await (await fetch(new URL('/facturas', apiUrl))).text();
  for (const part of [
    'A1001',
    '$1,200.00',
    'ANA TORRES &#38; HIJOS',
    '99006',
    'ZZZ010101AA1',
    'Tirar el servicio',
  ]) {
    expect(page).toContain(part);
  }
  const pdf = await fetch(new URL(`/facturas/${data.uuid}/pdf`, apiUrl));
  expect(pdf.headers.get('content-type')).toBe('application/pdf');
});
