import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { netOfIva } from '@aparta/domain/fiscal';
import { centavos } from '@aparta/domain/money';
import { createSandbox } from '@aparta/sandbox/app';
import { afterEach, describe, expect, test } from 'vitest';
import { readSettings } from '../../env.ts';
import { httpClient } from '../../platform/http-client.ts';
import { facturaGreen, type FacturaGreenAccount } from './factura-green.ts';
import type { InvoiceRequest, Receiver } from './port.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const BUSINESS = 'd0000000-0000-4000-8000-000000000001';
const PRODUCT = 'e0000000-0000-4000-8000-000000001600';

function adapter(base: string, given: Partial<FacturaGreenAccount> = {}, timeoutMs = 20_000) {
  const http = httpClient({ connectTimeoutMs: 500 });
  opened.push(http.close);
  const read = readSettings({ DATABASE_URL: 'postgres://unused', FACTURA_GREEN_BASE: base });
  if ('problems' in read) throw new Error(read.problems.join());
  const account = { ...read.settings.facturaGreen, ...given };
  return facturaGreen({ account, http, timeoutMs });
}

/** The adapter with the settings of development, and the provider that it talks to. */
async function openOffice(given: Partial<FacturaGreenAccount> = {}) {
  const sandbox = await createSandbox({
    productOrigin: 'http://localhost:3399',
    waits: { approveLaterMs: 50, lateReplyMs: 60_000 },
  });
  opened.push(sandbox.close);
  const invoicing = adapter(sandbox.apiUrl, given);
  const control = async (path: string, body?: unknown): Promise<any> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${sandbox.apiUrl}/control/${path}`, body === undefined ? {} : init);
    return answer.json();
  };
  const stamped = async (): Promise<any[]> => (await control('invoicing')).invoices;
  const fault = (call: string, kind: string, more = {}) => control('faults', { call, kind, ...more });
  const register = async (more: Partial<Receiver> = {}) => {
    const made = await invoicing.registerCustomer(BUSINESS, aReceiver(more));
    if (made.kind !== 'registered') throw new Error(JSON.stringify(made));
    return made.uuid;
  };
  /** Registers a receiver and asks for their invoice. */
  const issueTo = async (
    more: Partial<Receiver> = {},
    request: Partial<InvoiceRequest> = {},
    by = invoicing,
  ) => by.issue(aRequest({ customerUuid: await register(more), ...request }));
  /** Waits long enough for anything but an answer that never comes. */
  const hasty = () => adapter(sandbox.apiUrl, given, 1_500);
  return { invoicing, hasty, control, stamped, fault, register, issueTo };
}

/** A provider that answers one thing to everything; `asked` is what it was asked. */
async function openStub(answer: { status?: number; headers?: object; body: string | Buffer }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(answer.status ?? 200, { ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { invoicing: adapter(url), asked, url };
}

const aReceiver = (more: Partial<Receiver> = {}): Receiver => ({
  rfc: 'EKU9003173C9',
  name: 'ESCUELA KEMPER URGATE',
  alias: '',
  email: 'ana@example.com',
  phone: '',
  taxRegime: '601',
  cfdiUse: 'G03',
  street: 'Av. Juárez 1204',
  suburb: 'Centro',
  postalCode: '42501',
  ...more,
});

const aRequest = (more: Partial<InvoiceRequest> = {}): InvoiceRequest => ({
  businessUuid: BUSINESS,
  customerUuid: 'f0000000-0000-4000-8000-000000000001',
  productUuid: PRODUCT,
  paymentForm: '28',
  priceMicropesos: netOfIva(centavos(120_000), 1600).priceMicropesos,
  description: 'Abono 2 de 3, compra 10023',
  observations: 'Sala Nórdica',
  ...more,
});

test("a receiver is registered in the provider's format, and corrected whole", async () => {
  const { invoicing, control, register } = await openOffice();
  const uuid = await register({ alias: 'Escuela', phone: '5512345678', suburb: '0347' });
  const kept = async () => (await control('invoicing')).customers;
  const customer = {
    name: 'ESCUELA KEMPER URGATE',
    taxid: 'EKU9003173C9',
    email: 'ana@example.com',
    phone: '5512345678',
    alias: 'Escuela',
    taxregime: { k: '601' },
    invoiceuse: { k: 'G03' },
    address: { main: { zip: '42501', street: 'Av. Juárez 1204', suburb: { k: '0347' } } },
  };
  expect(await kept()).toMatchObject([{ id: uuid, business: BUSINESS, customer }]);

  const corrected = aReceiver({ name: 'OTRA ESCUELA', street: '' });
  expect(await invoicing.updateCustomer(BUSINESS, uuid, corrected)).toEqual({ kind: 'updated' });
  const { phone: _, alias: __, ...rest } = { ...customer, name: 'OTRA ESCUELA' };
  expect((await kept())[0].customer).toEqual({ ...rest, address: { main: { zip: '42501' } } });
});

test('an invoice is of one abono, in one exhibition, by how it was paid, and its total is what was paid', async () => {
  const { invoicing, stamped, issueTo } = await openOffice();
  // 3.23 pesos: no price in centavos makes it with 16 %.
  const paid = centavos(323);
  const outcome = await issueTo({}, { priceMicropesos: netOfIva(paid, 1600).priceMicropesos });
  const [row] = await stamped();
  expect(row).toMatchObject({
    quantity: 1,
    form: '28',
    method: 'PUE',
    description: 'Abono 2 de 3, compra 10023',
    observations: 'Sala Nórdica',
    priceMicropesos: 2_784_483,
    totalCentavos: paid,
  });
  expect(outcome).toEqual({
    kind: 'issued',
    providerUuid: row.id,
    fiscalFolio: row.folioTax,
    folio: 'A1001',
  });
  const xml = await invoicing.fetchFile(BUSINESS, row.id, 'xml');
  expect(String(xml.kind === 'file' && xml.bytes)).toContain('Total="3.23"');
  const pdf = await invoicing.fetchFile(BUSINESS, row.id, 'pdf');
  expect(String(pdf.kind === 'file' && pdf.bytes)).toContain(row.folioTax);
});

test('a product is registered with its rate of IVA, and invoices by it', async () => {
  const { invoicing, stamped, issueTo } = await openOffice();
  const product = {
    sku: 'ABONO-8',
    name: 'Abono',
    ivaBasisPoints: 800,
    satClass: '56101500',
    satUnit: 'H87',
  };
  const made = await invoicing.registerProduct(BUSINESS, { ...product, ivaBasisPoints: 800 });
  const { priceMicropesos } = netOfIva(centavos(10_005), 800);
  await issueTo({}, { productUuid: made.kind === 'registered' ? made.uuid : '', priceMicropesos });
  expect(await stamped()).toMatchObject([{ totalCentavos: 10_005, product: { ivaBasisPoints: 800 } }]);
});

test.each([
  ['rfc', 'CFDI40143', { rfc: 'ZZZ010101AA1' }],
  ['name', 'CFDI40145', { name: 'ESCUELA KEMPER URGATE S.A. DE C.V.' }],
  ['postalCode', 'CFDI40148', { postalCode: '99999' }],
  ['taxRegime', 'CFDI40157', { taxRegime: '999' }],
  ['taxRegime', 'CFDI40158', { taxRegime: '605', cfdiUse: 'S01' }],
  ['cfdiUse', 'CFDI40161', { cfdiUse: 'D01' }],
  [undefined, 'CFDI40139', { postalCode: '99014' }],
])(
  'SAT’s refusal of %s leads to it (%s), told once and without the bare Error of its envelope',
  async (field, code, more) => {
    const { issueTo, stamped } = await openOffice();
    expect(await issueTo(more)).toEqual({
      kind: 'refused',
      code,
      field,
      message: expect.not.stringMatching(/CFDI\d|^Error|^\W|^$/),
    });
    expect(await stamped()).toEqual([]);
  },
);

describe('what a refusal is about', () => {
  const refused = async (message: string, more: object = {}, status = 200) => {
    const body = JSON.stringify({ response: 'error', error: { message, ...more } });
    return (await openStub({ status, body })).invoicing.issue(aRequest());
  };

  test.each([
    // The number says one thing and the words another: the words are right.
    ['CFDI40147 El campo Nombre del receptor no pertenece al RFC', 'CFDI40147', 'name'],
    ['El campo DomicilioFiscalReceptor no pertenece al nombre asociado al RFC', '', 'postalCode'],
    ['La clave del campo UsoCFDI no corresponde con el régimen', '', 'cfdiUse'],
    ['CFDI40143 La clave del Régimen no es del tipo de persona del RFC', 'CFDI40143', 'taxRegime'],
    ['CFDI40148', 'CFDI40148', 'postalCode'],
    ['CFDI40139 El nombre del emisor no es el registrado', 'CFDI40139', undefined],
  ])('%s', async (message, code, field) => {
    expect(await refused(message)).toMatchObject({ kind: 'refused', code, field });
  });

  test.each([
    ['El código postal del receptor no existe', 400, 'postalCode'],
    ['El cliente no existe', 404, undefined],
    ['Credenciales incorrectas', 401, undefined],
  ])('%s, where the status says that nothing was carried out', async (message, status, field) => {
    expect(await refused(message, {}, status)).toMatchObject({ kind: 'refused', code: '', field });
  });

  test.each([
    // It names the email address, and is stamped.
    ['No se pudo enviar el correo al receptor', 200],
    ['Error', 200],
    ['CFDI40999 Error no clasificado', 200],
    ['El comprobante ya fue timbrado', 400],
    ['307. El CFDI contiene un timbre previo', 422],
    ['El nombre ya no se puede cambiar', 409],
    ['Error interno', 500],
  ])('is none that is sure: %s (%i)', async (message, status) => {
    expect(await refused(message, {}, status)).toMatchObject({
      kind: 'unreachable',
      why: expect.stringContaining(message),
    });
  });

  test('is none with the ids of what was stamped, nor without an envelope', async () => {
    const data = { uuid: 'a1', cfdi: { folio_tax: 'B2' } };
    const body = JSON.stringify({ response: 'error', error: { message: 'CFDI40143' }, data });
    const said = await (await openStub({ body })).invoicing.issue(aRequest());
    expect(said).toEqual({ kind: 'unreachable', why: 'status 200: a1 B2 CFDI40143' });
    const page = await openStub({ status: 403, body: '<html>Forbidden</html>' });
    expect(await page.invoicing.issue(aRequest())).toEqual({ kind: 'unreachable', why: 'status 403' });
    expect(await page.invoicing.registerCustomer(BUSINESS, aReceiver())).toMatchObject({ kind: 'refused' });
  });

  test('of a customer is one without a code: it can be asked again', async () => {
    for (const message of ['El correo no es válido', 'invalid email', 'invalid e-mail']) {
      const body = JSON.stringify({ response: 'error', error: { message } });
      const { invoicing } = await openStub({ body });
      expect(await invoicing.registerCustomer(BUSINESS, aReceiver()), message).toMatchObject({
        kind: 'refused',
        field: 'email',
      });
    }
  });

  test('is read whatever status it comes with', async () => {
    for (const status of [200, 400, 422, 500]) {
      expect(await refused('CFDI40143', {}, status), String(status)).toMatchObject({ field: 'rfc' });
    }
    expect(await refused('no', { code: 'CFDI40161' }, 400)).toMatchObject({
      code: 'CFDI40161',
      field: 'cfdiUse',
    });
    expect(await refused('no', { code: 'E-12' }, 400)).toMatchObject({ code: 'E-12', field: undefined });
  });

  test('may come in words alone, and a success may name nothing at all', async () => {
    const words = await openStub({ body: JSON.stringify({ response: 'error', message: 'RFC inválido' }) });
    expect(await words.invoicing.registerCustomer(BUSINESS, aReceiver())).toMatchObject({
      kind: 'refused',
      code: '',
      field: 'rfc',
    });
    const empty = await openStub({ body: JSON.stringify({ response: 'success' }) });
    expect(await empty.invoicing.issue(aRequest())).toEqual({
      kind: 'unreachable',
      why: 'success without ids: nothing',
    });
  });

  test('is kept in one short line', async () => {
    const outcome = await refused(`El correo\n\u0000${'x'.repeat(900)}`, {}, 400);
    expect(outcome).toMatchObject({ field: 'email', message: expect.stringMatching(/^El correo x{290}$/) });
  });
});

test.each([
  ['the wrong key', { applicationKey: 'wrong' }, BUSINESS],
  ['another account', { accountUuid: 'wrong' }, BUSINESS],
  ['a business that is not ours', {}, 'd0000000-0000-4000-8000-000000000009'],
  ['an id that is no id', {}, `${BUSINESS}\r\nx-application-key: other`],
])('with %s the merchant is refused, not the buyer', async (_what, given, business) => {
  const { invoicing } = await openOffice(given);
  for (const outcome of [
    await invoicing.registerCustomer(business, aReceiver()),
    await invoicing.updateCustomer(business, 'f0000000-0000-4000-8000-000000000001', aReceiver()),
    await invoicing.issue(aRequest({ businessUuid: business })),
  ]) {
    expect(outcome).toMatchObject({ kind: 'refused', field: undefined });
  }
});

const theirs = JSON.stringify({ response: 'error', error: { message: 'No existe' } });
test.each([
  ['that there is no such file', 404, theirs, { kind: 'works' }],
  ['that it will not read that id', 400, theirs, { kind: 'works' }],
  ['a success', 200, JSON.stringify({ response: 'success' }), { kind: 'works' }],
  ['that our keys are wrong', 401, theirs, { kind: 'refused', why: 'status 401' }],
  ['that another address is asked', 300, theirs, { kind: 'in_trouble', why: 'status 300' }],
  ['that it is in trouble', 500, theirs, { kind: 'in_trouble' }],
  ['a page that anybody could answer', 404, '<html>', { kind: 'in_trouble', why: 'status 404' }],
  ['JSON that anybody could answer', 404, '{}', { kind: 'in_trouble', why: 'status 404' }],
])('asked whether our keys work, the answer %s says so or not', async (_what, status, body, check) => {
  const { invoicing } = await openStub({ status, body });
  expect(await invoicing.check(BUSINESS)).toMatchObject(check);
});

test.each([
  ['never comes', '99002', 1],
  ['is lost', '99003', 1],
  ['is half a JSON', '99004', 1],
  ['is a success without ids', '99005', 1],
  ['is a failure that came after the stamp', '99009', 1],
  ['is 503', '99012', 0],
  ['says that stamping took too long', '99013', 0],
])('an answer that %s leaves it open, and it was asked once', async (_what, postalCode, count) => {
  const { issueTo, stamped, hasty, invoicing } = await openOffice();
  const by = postalCode === '99002' ? hasty() : invoicing;
  expect(await issueTo({ postalCode }, {}, by)).toMatchObject({
    kind: 'unreachable',
    why: expect.any(String),
  });
  expect(await stamped()).toHaveLength(count);
});

test('an answer that takes its time is waited for', async () => {
  const { issueTo } = await openOffice();
  expect(await issueTo({ postalCode: '99001' })).toMatchObject({ kind: 'issued' });
});

test('a provider that cannot be reached did nothing', async () => {
  const invoicing = adapter('http://127.0.0.1:3349');
  expect(await invoicing.issue(aRequest())).toEqual({ kind: 'not_sent', why: 'ECONNREFUSED' });
  expect(await invoicing.registerCustomer(BUSINESS, aReceiver())).toMatchObject({ kind: 'not_sent' });
});

test('files that are not there yet are asked for again, and come', async () => {
  const { invoicing, issueTo } = await openOffice();
  const issued = await issueTo({ postalCode: '99007' });
  const id = issued.kind === 'issued' ? issued.providerUuid : '';
  const kinds = [];
  for (let time = 0; time < 4; time += 1) kinds.push((await invoicing.fetchFile(BUSINESS, id, 'pdf')).kind);
  expect(kinds).toEqual(['unreachable', 'unreachable', 'unreachable', 'file']);
});

describe('a file from outside', () => {
  const fetchFrom = async (answer: Parameters<typeof openStub>[0], id = 'a1') => {
    const { invoicing, asked } = await openStub(answer);
    return { fetched: await invoicing.fetchFile(BUSINESS, id, 'xml'), asked };
  };
  const xml = '<?xml version="1.0"?><cfdi:Comprobante Total="1.00"/>';

  test('is fetched from the provider’s own address, whatever the invoice is called', async () => {
    for (const id of ['../../customer/all', 'a/../b', 'http://169.254.169.254/', 'a%2f', '', '.'.repeat(3)]) {
      const { fetched, asked } = await fetchFrom({ body: xml }, id);
      expect([fetched, asked], id).toEqual([{ kind: 'unreachable', why: 'not an id' }, []]);
    }
    expect((await fetchFrom({ body: xml })).asked).toEqual(['/interop/cfdi/a1/xml']);
  });

  test('is not followed to another address', async () => {
    const elsewhere = await openStub({ body: xml });
    const headers = { location: elsewhere.url };
    const { fetched } = await fetchFrom({ status: 302, headers, body: '' });
    expect([fetched, elsewhere.asked]).toEqual([{ kind: 'unreachable', why: 'status 302' }, []]);
  });

  test('is what it should be, and no larger than 2 MB', async () => {
    expect((await fetchFrom({ body: xml })).fetched).toMatchObject({ kind: 'file' });
    for (const body of ['', '<html>Error</html>', '{"response":"error"}', '%PDF-1.4']) {
      expect((await fetchFrom({ body })).fetched, body).toEqual({ kind: 'unreachable', why: 'no xml' });
    }
    const { fetched } = await fetchFrom({ body: Buffer.from(xml.padEnd(2_097_153)) });
    expect(fetched).toMatchObject({ kind: 'unreachable' });
  });
});
