import { centavos } from '@aparta/domain/money';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import { Route, Switch } from 'wouter';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WireReceipt } from '../../test/wire.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { patterns } from '../app/paths.ts';
import { instalmentQuery } from '../data/instalments.ts';
import { session } from '../session/session.ts';
import { cashCopy } from './copy.ts';
import StorePaymentPage from './store-payment-page.tsx';

const PURCHASE = 41;
const INSTALMENT = 1000482101;
const INSTALMENT_CALL = `GET /v1/Cxc/ByIdWithBalance/${INSTALMENT}`;
const REFERENCE_CALL = 'POST /v1/Tapi/GenerateReference';
const RECEIPT = 'GET /v1/Receipts/GetAsync/ABCDE12345';
const STREAM = 'GET /v1/Changes/Stream';
const VALUE = '9412770031865520';
const HERE = `/onSitePaymentByTapi/${PURCHASE}/${INSTALMENT}`;
const KEPT = 'refTienda';
/** References live for two days; these never expire while tests run. */
const UNTIL = '2096-11-23T05:59:59.999Z';

const PAYABLE = {
  id: INSTALMENT,
  ventaId: PURCHASE,
  identificador: 2,
  fechaVencimiento: '2026-11-23',
  numfactura: null,
  valor: 8000,
  pagos: 0,
  saldo: 8000,
  notasCxc: '',
  visibleAlPago: true,
  paymentReference: `2${INSTALMENT}`,
  late: false,
  cashReferenceExpiresAt: null as string | null,
  cxcPagos: [] as object[],
  invoice: null,
  mayBeInvoiced: false,
  invoiceUntil: null,
  estatusVentaId: 1,
  numCxc: 3,
  numCxcPagadas: 1,
  businessId: 1,
  productId: 5,
  tradeName: 'Electro Hogar',
  productName: 'Lavadora 18 kg',
  logofileName: '',
  cardFee: 15,
  cashFee: 0,
  cardTotal: 8015,
  cashTotal: 8000,
  acceptsCards: true,
  tillFee: null,
  planReference: '31000482118',
  cardKey: 'public-key',
  attempt: null as object | null,
};
const APPLIED = {
  cxcPagoId: 77,
  fechaExpedicion: '2026-11-21T18:30:00.000Z',
  monto: 8000,
  folio: 'ABCDE12345',
  method: 'cash',
  last4: null,
  payerName: null,
};
const PAID = { ...PAYABLE, pagos: 8000, saldo: 0, visibleAlPago: false, cxcPagos: [APPLIED] };
const ISSUED = {
  references: [{ value: VALUE }],
  barcode: VALUE,
  amount: 8000,
  fee: 0,
  expiresAt: UNTIL,
  ventaId: PURCHASE,
  cxcId: INSTALMENT,
  identificador: 2,
  numCxc: 3,
  fechaVencimiento: '2026-11-23',
  tradeName: 'Electro Hogar',
  productName: 'Lavadora 18 kg',
  stores: [
    { name: '7-Eleven', limit: 10000 },
    { name: 'Circle K', limit: 6000 },
  ],
};
const TICKET: WireReceipt = {
  folio: 'ABCDE12345',
  paidAt: '2026-11-21T18:30:00.000Z',
  bookedAt: '2026-11-21T18:30:00.000Z',
  amount: 8000,
  fee: 0,
  method: 'cash',
  last4: null,
  payerName: null,
  takenBy: null,
  branch: null,
  ventaId: PURCHASE,
  productName: 'Lavadora 18 kg',
  merchant: { id: 1, tradeName: 'Electro Hogar', businessName: 'Electro Hogar', address: '', phone: '' },
  buyerName: 'Marisol',
  others: [],
  parts: [{ number: 2, of: 3, amount: 8000 }],
  balance: 4000,
  cancelled: false,
  nextDueOn: '2026-12-23',
  refunded: 0,
  invoicedHere: true,
  mayBeInvoiced: false,
  invoiceUntil: null,
};

const LAYAWAY = {
  Id: 1000482110,
  id: 1000482110,
  Referencia: '1|1|5|7|3000.00|3|600.00|0',
  IpOrigen: '',
  Fecha: '2026-11-20T16:00:00.000Z',
  Estatus: 1,
  paymentReference: '11000482110',
  expiresAt: UNTIL,
  businessId: 1,
  productId: 5,
  tradeName: 'Electro Hogar',
  productName: 'Lavadora 18 kg',
  productDescription: '',
  logofileName: '',
  price: 3000,
  deposit: 600,
  cardFee: 15,
  tillFee: 0,
  cashFee: 10,
  cardTotal: 615,
  tillTotal: 600,
  cashTotal: 610,
  instalments: [
    { number: 1, dueOn: '2026-11-22', amount: 600 },
    { number: 2, dueOn: '2026-12-22', amount: 2400 },
  ],
  deliveryDays: 15,
  endDaysLate: null,
  acceptsCards: true,
  cardKey: 'k',
  attempt: null as object | null,
  ventaId: null as number | null,
  folio: null,
};
const OF_DEPOSIT = {
  ...ISSUED,
  amount: 610,
  fee: 10,
  ventaId: null,
  cxcId: null,
  layawayId: LAYAWAY.id,
  identificador: 1,
};
const DEPOSIT_HERE = `/onSitePaymentByTapi/apartado/${LAYAWAY.id}`;

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
let instalmentReply: Answer;
let layawayReply: Answer;
let referenceReply: Answer;
let receipt: Answer;
const answers: Parameters<typeof fakeServer>[0] = {
  [INSTALMENT_CALL]: () => instalmentReply,
  [REFERENCE_CALL]: () => referenceReply,
  [`GET /v1/PullApartReference/${LAYAWAY.id}`]: () => layawayReply,
  [RECEIPT]: () => receipt,
  [`GET /v1/Sales/RefundsAsync/${PURCHASE}`]: ok([]),
};
const calls = fakeServer(answers);

beforeEach(() => {
  session.open({ ...marisol, token: 't' });
  instalmentReply = ok(PAYABLE);
  layawayReply = ok(LAYAWAY);
  referenceReply = ok(ISSUED);
  receipt = ok(TICKET);
});

function open(at = HERE, seen?: ReturnType<typeof ok>) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (seen) queries.setQueryData<unknown>(instalmentQuery(INSTALMENT).queryKey, seen.body);
  return show(
    <QueryClientProvider client={queries}>
      <Switch>
        <Route path={patterns.payInStore}>
          <StorePaymentPage />
        </Route>
        <Route>
          <p>otra pantalla</p>
        </Route>
      </Switch>
    </QueryClientProvider>,
    at,
  );
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const barcode = () =>
  screen.findByRole('img', { name: 'Código de barras de la referencia 9412 7700 3186 5520' });
const barcodes = () => screen.queryAllByRole('img', { name: /Código de barras/ });

/** As if the screen had been open that long. */
async function pass(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

describe('a reference that waits to be paid', () => {
  test('says what to ask for, how much, until when, and shows the bar code', async () => {
    open();
    await barcode();
    expect(calls.find(({ path }) => path === '/v1/Tapi/GenerateReference')?.body).toEqual({
      generationData: [{ identifierValue: `2${INSTALMENT}` }],
    });
    const ticket = screen.getByRole('region', { name: 'Referencia de pago' });
    expect(ticket.textContent).toContain('$8,000.00');
    expect(ticket.textContent).toContain('Vencimiento23 nov 2026');
    expect(ticket.textContent).toContain('9412 7700 3186 5520');
    within(ticket).getByText('Vigente hasta el 22 nov 2096, 23:59 h');
    expect(ticket.textContent).toContain('(Ciudad de México)');
    screen.getByText('Pide un pago de servicio con referencia y muestra el código de barras.');
    screen.getByText('Paga $8,000.00 en efectivo y guarda tu ticket.');
    screen.getByRole('button', { name: 'Ayuda' });
  });

  test('shared with whoever goes to the store, it says by which clock it ends', () => {
    const text = cashCopy.shareText(
      'Sala Nórdica',
      '9412 7700',
      centavos(800_000),
      new Date('2096-11-23T05:59:00Z'),
    );
    expect(text).toMatch(
      /\$8,000\.00 en efectivo en tienda\. Vigente hasta el 22 nov 2096, 23:59 h \(Ciudad de México\)\.$/,
    );
  });

  test('names the fee only where cash carries one', async () => {
    const view = open();
    await barcode();
    expect(screen.queryByText('Cargo por servicio')).toBeNull();
    view.unmount();
    referenceReply = ok({ ...ISSUED, amount: 8015, fee: 15 });
    open();
    await screen.findByText('Cargo por servicio');
    expect(screen.getByText('Saldo').parentElement?.textContent).toContain('$8,000.00');
  });

  test('of a sum that the buyer chose says that sum alone, whatever is left of the instalment', async () => {
    instalmentReply = ok({ ...PAYABLE, pagos: 3000, saldo: 5000, cxcPagos: [{ ...APPLIED, monto: 3000 }] });
    const view = open();
    await barcode();
    const ticket = () => screen.getByRole('region', { name: 'Referencia de pago' }).textContent;
    expect(ticket()).toContain('Te faltan $5,000.00. Esta referencia es por lo que falta.');
    view.unmount();
    referenceReply = ok({ ...ISSUED, amount: 700, chosen: true });
    open(`${HERE}?monto=700.00`);
    await expect.poll(ticket).toContain('Abono$700.00');
    expect(ticket()).not.toMatch(/Saldo|Valor|Pagos|falta/);
  });

  test('says of each store how much it takes, and which one cannot take this', async () => {
    open();
    await barcode();
    const stores = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(stores).toContain('7-ElevenHasta $10,000.00');
    expect(stores).toContain('Circle KNo es posible: recibe hasta $6,000.00');
  });

  test('says that an older instalment is paid first', async () => {
    instalmentReply = ok({ ...PAYABLE, visibleAlPago: false });
    open();
    await barcode();
    expect(screen.queryByText('Tienes un pago anterior pendiente.')).not.toBeNull();
  });
});

describe('the deposit of a layaway', () => {
  beforeEach(() => {
    referenceReply = ok(OF_DEPOSIT);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    return () => vi.useRealTimers();
  });

  test('has a number of its own, with the fee of stores, that lives as long as the layaway', async () => {
    open(DEPOSIT_HERE);
    await barcode();
    expect(calls.find(({ path }) => path === '/v1/Tapi/GenerateReference')?.body).toEqual({
      generationData: [{ identifierValue: LAYAWAY.paymentReference }],
    });
    const ticket = screen.getByRole('region', { name: 'Referencia de pago' });
    expect(ticket.textContent).toContain('$610.00');
    expect(ticket.textContent).toMatch(/Apartado\$600\.00.*Cargo por servicio\$10\.00/);
    expect(ticket.textContent).toContain('igual que tu apartado');
    expect(screen.getByRole('link', { name: 'Regresar' }).getAttribute('href')).toBe(
      `/apartado?paso=3&id=${LAYAWAY.id}`,
    );
  });

  test('leads to what was reserved as soon as the store’s money arrives', async () => {
    const { here } = open(DEPOSIT_HERE);
    await barcode();
    layawayReply = ok({ ...LAYAWAY, Estatus: 2, ventaId: PURCHASE });
    await pass(11_000);
    await expect.poll(here).toBe(`/apartado?paso=3&id=${LAYAWAY.id}`);
    expect(localStorage.getItem(KEPT)).toBeNull();
  });

  test('of which a store took too little says who gives that back, and shows another number for the whole', async () => {
    open(DEPOSIT_HERE);
    await barcode();
    layawayReply = ok({ ...LAYAWAY, owedBack: 599 });
    referenceReply = ok({
      ...OF_DEPOSIT,
      references: [{ value: '1111222233334444' }],
      barcode: '1111222233334444',
    });
    await pass(11_000);
    const owed = await screen.findByText('Se te deben $599.00 que ya pagaste.');
    expect(screen.getByText(/Electro Hogar te lo entrega en su caja/)).toBeTruthy();
    const number = await screen.findByText('1111 2222 3333 4444');
    expect(owed.compareDocumentPosition(number) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.queryByText('9412 7700 3186 5520')).toBeNull();
  });

  test.each([
    ['it expired', { Estatus: 3 }, undefined, 'Este apartado ya venció'],
    ['its product is sold out', {}, 'SOLD_OUT', 'Agotado'],
    ['it is nobody’s', {}, 'NOT_FOUND', 'No encontramos este apartado'],
  ] as const)('is not asked for any more once %s', async (_why, layaway, refusal, title) => {
    layawayReply = ok({ ...LAYAWAY, ...layaway });
    if (refusal) referenceReply = refuse(409, refusal);
    open(DEPOSIT_HERE);
    await heading(title);
    expect(barcodes()).toEqual([]);
  });

  test('stays readable without internet', async () => {
    const view = open(DEPOSIT_HERE);
    await barcode();
    view.unmount();
    layawayReply = 'no network';
    open(DEPOSIT_HERE);
    await barcode();
    expect(await screen.findByText(/^Viste esta referencia el \d+ \w+ \d{4}, \d\d:\d\d h/)).toBeTruthy();
  });

  test('says why the number could not be made, and tries again', async () => {
    referenceReply = refuse(503, 'PROVIDER_DOWN');
    const { user } = open(DEPOSIT_HERE);
    await screen.findByText(/El servicio de pago en tiendas no responde/);
    referenceReply = ok(OF_DEPOSIT);
    await user.click(screen.getByRole('button', { name: /Reintentar|Intentar/ }));
    expect(await barcode()).toBeTruthy();
  });
});

describe('what a store does shows by itself', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    return () => vi.useRealTimers();
  });

  test('an exact payment: Pagado, the folio, what is left and when', async () => {
    vi.setSystemTime('2026-11-21T18:30:00Z');
    open();
    await barcode();
    instalmentReply = ok(PAID);
    await pass(11_000);
    await heading('Pagado');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Pagaste/);
    await screen.findByText('ABCD E123 45');
    const ticket = screen.getByRole('region', { name: 'Recibo de tu pago' });
    expect(ticket.textContent).toContain('Te falta$4,000.00');
    expect(ticket.textContent).toContain('Siguiente pago23 dic 2026');
    expect(screen.getByRole('link', { name: 'Ver recibo' }).getAttribute('href')).toBe('/recibo/ABCDE12345');
    expect(barcodes()).toEqual([]);
    const before = calls.length;
    await pass(60_000);
    expect(calls.length).toBe(before);
  });

  test('a part of a late one: what comes next is still said to be late', async () => {
    vi.setSystemTime('2027-01-05T18:00:00Z');
    open();
    await barcode();
    instalmentReply = ok(PAID);
    await pass(11_000);
    await heading('Pagado');
    expect(await screen.findByText('Venció el 23 dic 2026')).toBeTruthy();
  });

  test('the answer that says it is paid is enough for the sum and the day', async () => {
    instalmentReply = ok(PAID);
    receipt = 'no network';
    open();
    await screen.findByRole('img', { name: 'Pagado el 21 nov 2026' });
    const ticket = screen.getByRole('region', { name: 'Recibo de tu pago' });
    expect(ticket.textContent).toContain('$8,000.00');
    await screen.findByText('ABCD E123 45');
  });

  test('what another screen saw earlier asks for no reference: it may be paid since', async () => {
    instalmentReply = ok(PAID);
    open(HERE, ok(PAYABLE));
    await heading('Pagado');
    expect(calls.some(({ path }) => path === '/v1/Tapi/GenerateReference')).toBe(false);
  });

  test('less: what arrived, what is left, and a new reference for it', async () => {
    open();
    await barcode();
    instalmentReply = ok({ ...PAYABLE, pagos: 3000, saldo: 5000, cxcPagos: [{ ...APPLIED, monto: 3000 }] });
    referenceReply = ok({
      ...ISSUED,
      amount: 5000,
      references: [{ value: '1111222233334444' }],
      barcode: '1111222233334444',
    });
    await pass(11_000);
    await screen.findByText('Ya recibimos $3,000.00 de este pago. Te faltan $5,000.00.');
    await screen.findByText('1111 2222 3333 4444');
    expect(screen.queryByText('9412 7700 3186 5520')).toBeNull();
  });

  test('a sum of the buyer’s own: what arrived is the receipt, and no number for the rest is asked for', async () => {
    referenceReply = ok({ ...ISSUED, amount: 3000, chosen: true });
    open(`${HERE}?monto=3000.00`);
    await barcode();
    instalmentReply = ok({ ...PAYABLE, pagos: 3000, saldo: 5000, cxcPagos: [{ ...APPLIED, monto: 3000 }] });
    await pass(11_000);
    await heading('Pagado');
    expect(calls.filter(({ path }) => path === '/v1/Tapi/GenerateReference').map(({ body }) => body)).toEqual(
      [{ generationData: [{ identifierValue: `2${INSTALMENT}`, monto: 3000 }] }],
    );
  });

  test('more: who gives the rest back', async () => {
    instalmentReply = ok(PAID);
    receipt = ok({ ...TICKET, amount: 8600, balance: 0, nextDueOn: null, refunded: 600 });
    open();
    await screen.findByText('Pagaste $600.00 de más');
    const ticket = screen.getByRole('region', { name: 'Recibo de tu pago' });
    expect(ticket.textContent).toContain('Electro Hogar te devuelve ese dinero en su caja');
    expect(ticket.textContent).toContain('No te falta ningún pago.');
    expect(ticket.textContent).toMatch(/¡Ya es tuyo!.*Recógelo en Electro Hogar/);
  });

  test.each([
    ['what was left', HERE, PAID],
    ['a sum of the buyer’s own', `${HERE}?monto=8000.00`, { ...PAID, pagos: 8000, valor: 9000, saldo: 1000 }],
  ])('%s, which the store takes back: it is not called paid any more', async (_, at, paid) => {
    answers[STREAM] = { body: 'changed' };
    onTestFinished(() => void delete answers[STREAM]);
    open(at);
    await barcode();
    instalmentReply = ok(paid);
    await pass(11_000);
    await heading('Pagado');
    expect(await screen.findByRole('img', { name: 'Pagado el 21 nov 2026' })).toBeTruthy();
    await screen.findByText('ABCD E123 45');
    const asked = () => calls.filter(({ path }) => path === '/v1/Tapi/GenerateReference').length;
    const before = asked();
    instalmentReply = ok(PAYABLE);
    receipt = ok({ ...TICKET, refunded: 8000 });
    await pass(6_000);
    await heading('Este pago ya no cuenta');
    const ticket = screen.getByRole('region', { name: 'Recibo de tu pago' });
    expect(ticket.textContent).toContain('Devolución$8,000.00');
    expect(await within(ticket).findByText('Devuelto')).toBeTruthy();
    expect(ticket.textContent).not.toMatch(/Te falta|de más/);
    expect(screen.queryByText('Recibimos tu pago en tienda.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('img', { name: /^Pagado/ })).toBeNull();
    // Nobody who has just been told so is asked for the money again by themselves.
    expect(asked()).toBe(before);
    expect(screen.getByRole('link', { name: 'Ver mi compra' }).getAttribute('href')).toBe('/saleCxcList/41');
  });

  test('by somebody who helps: it names them, and says nothing of what the buyer paid', async () => {
    const payerName = 'Rosa';
    instalmentReply = ok({ ...PAID, cxcPagos: [{ ...APPLIED, payerName }] });
    receipt = ok({ ...TICKET, payerName, amount: 8600, refunded: 600 });
    open();
    await screen.findByText('Sobraron $600.00');
    const ticket = screen.getByRole('region', { name: 'Recibo de tu pago' });
    expect(ticket.textContent).toMatch(/Te dieron.*Lo pagó.*Rosa/);
    expect(document.body.textContent).not.toMatch(/Pagaste|Recibimos tu pago/);
  });

  test('it expires while it is open: another reference takes its place', async () => {
    instalmentReply = ok({ ...PAYABLE, cashReferenceExpiresAt: UNTIL });
    open();
    await barcode();
    instalmentReply = ok({ ...PAYABLE, cashReferenceExpiresAt: null });
    referenceReply = ok({ ...ISSUED, references: [{ value: '1111222233334444' }] });
    await pass(11_000);
    await screen.findByText('1111 2222 3333 4444');
    expect(screen.queryByText('9412 7700 3186 5520')).toBeNull();
  });

  test('it stops polling after a while, and checks again on demand', async () => {
    const { user } = open();
    await barcode();
    expect(screen.queryByRole('button', { name: /Revisar ahora/ })).toBeNull();
    await pass(16 * 60_000);
    const before = calls.length;
    await pass(5 * 60_000);
    expect(calls.length).toBe(before);
    instalmentReply = ok(PAID);
    await user.click(screen.getByRole('button', { name: '¿Ya pagaste en la tienda? Revisar ahora' }));
    await heading('Pagado');
  });
});

describe('there is nothing to pay', () => {
  test.each(['/onSitePaymentByTapi', '/onSitePaymentByTapi/41', '/onSitePaymentByTapi/41/abc'])(
    '%s carries no id',
    async (at) => {
      open(at);
      await heading('Sucedió un error');
      screen.getByText('No se incluyó una referencia');
      expect(screen.getByRole('link').getAttribute('href')).toBe('/cxcList');
      expect(calls).toEqual([]);
    },
  );

  test.each([
    ['somebody else’s', () => (instalmentReply = refuse(404, 'NOT_FOUND'))],
    ['of another purchase', () => (instalmentReply = ok({ ...PAYABLE, ventaId: 42 }))],
  ])('an instalment that is %s is not found', async (_, given) => {
    given();
    open();
    await heading('No encontramos este pago');
    expect(calls.some(({ path }) => path === '/v1/Tapi/GenerateReference')).toBe(false);
    expect(screen.getByRole('link').getAttribute('href')).toBe('/cxcList');
  });

  test('a cancelled purchase says so, and never shows its bar code again', async () => {
    referenceReply = refuse(409, 'REFERENCE_CANCELLED');
    open();
    await heading('Esta compra se canceló');
    expect(barcodes()).toEqual([]);
    expect(screen.getByRole('link').getAttribute('href')).toBe('/saleCxcList/41');
  });

  test('a payment that arrives before this screen shows even before its receipt is known', async () => {
    referenceReply = refuse(409, 'REFERENCE_PAID');
    open();
    await heading('Pagado');
    expect(screen.getByRole('link').getAttribute('href')).toBe('/saleCxcList/41');
  });

  test('while a card payment is open the bar code is put away', async () => {
    instalmentReply = ok({
      ...PAYABLE,
      attempt: {
        id: 'p-1',
        status: 'pending',
        status_detail: { code: '', message: '' },
        pending_action: { url: '' },
        amount: 8015,
        currency: 'MXN',
        intentoId: '7d3f0a52-6a1c-4b7e-9f10-2f3c5d9a8b11',
        state: 'unknown',
        applied: false,
        referencia: `2${INSTALMENT}`,
        ventaId: PURCHASE,
        folio: null,
        paidAt: null,
        card: null,
        createdAt: '2026-11-20T16:00:00.000Z',
        advice: null,
        returnReason: null,
        refund: null,
        plan: null,
      },
    });
    open();
    await heading('Hay un pago con tarjeta en curso');
    expect(barcodes()).toEqual([]);
  });
});

describe('a reference that could not be made', () => {
  test.each([
    ['the network is gone', 'no network' as const, 'Revisa tu internet y vuelve a intentarlo.'],
    [
      'what stands before the server answers in its place',
      { ...ok(null), status: 502 },
      'Algo falló de nuestro lado. Vuelve a intentarlo en unos minutos.',
    ],
    [
      'the store network is down',
      refuse(503, 'PROVIDER_DOWN'),
      'El servicio de pago en tiendas no responde. Vuelve a intentarlo en unos minutos.',
    ],
    [
      'the plan ends today',
      refuse(409, 'TOO_LATE_FOR_STORES'),
      'Ya no da tiempo de pagar en tienda. Tu compra se cancela hoy si no la pagas. Págala ahora con tarjeta o en la caja del comercio.',
    ],
  ])('%s: spec §8’s words, and another try makes it', async (_, answer, advice) => {
    referenceReply = answer;
    const { user } = open();
    await screen.findByText('Sucedió un error');
    screen.getByText('No pudimos generar tu referencia');
    screen.getByRole('button', { name: 'Ayuda' });
    expect(screen.queryByText(advice)).not.toBeNull();
    referenceReply = ok(ISSUED);
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    await barcode();
  });

  test('a sum that no store takes: spec §8’s text, why, and the other payment method', async () => {
    instalmentReply = ok({ ...PAYABLE, valor: 12000, saldo: 12000, cashTotal: 12000 });
    referenceReply = refuse(409, 'CASH_REFERENCE_REFUSED');
    open();
    await screen.findByText('Error al crear la referencia');
    screen.getByText('Sucedió un error al crear la referencia');
    screen.getByRole('button', { name: 'Ayuda' });
    screen.getByText(/hasta \$10,000\.00 por pago/);
    expect(screen.getByRole('link', { name: 'Ver mi compra' }).getAttribute('href')).toBe('/saleCxcList/41');
  });
});

describe('once seen, without the server', () => {
  async function seen() {
    const view = open();
    await barcode();
    view.unmount();
    instalmentReply = referenceReply = 'no network';
  }

  test('the bar code still shows, and says how old it is', async () => {
    await seen();
    open();
    await barcode();
    await screen.findByText('No pudimos revisar tu pago.');
    expect(screen.queryByRole('button', { name: /Revisar ahora/ })).not.toBeNull();
  });

  test('a number of another sum is not shown for the one that was chosen', async () => {
    await seen();
    open(`${HERE}?monto=700.00`);
    await screen.findByText('No pudimos generar tu referencia');
    expect(barcodes()).toEqual([]);
  });

  test('one that expires while the screen is open is said to be good no more', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime('2026-11-23T05:58:00.000Z');
    referenceReply = ok({ ...ISSUED, expiresAt: '2026-11-23T05:59:59.999Z' });
    await seen();
    open();
    await screen.findByText(/todavía sirve/);
    await pass(3 * 60_000);
    expect(screen.queryByText(/todavía sirve/)).toBeNull();
    expect(screen.getByText(/Ya venció/)).toBeTruthy();
  });

  test('the device stores no name, e-mail or token of the buyer', async () => {
    await seen();
    const kept = localStorage.getItem(KEPT) ?? '';
    expect(kept).toContain(VALUE);
    expect(kept).not.toMatch(/marisol|@|"t"|token/i);
  });

  test('another buyer of the same device does not see it', async () => {
    await seen();
    session.open({ ...marisol, id: 8, token: 'u' });
    open();
    await screen.findByText('No pudimos generar tu referencia');
    expect(barcodes()).toEqual([]);
  });

  test('signing out forgets it', async () => {
    await seen();
    session.close();
    expect(localStorage.getItem(KEPT)).toBeNull();
  });

  test('an expired one is not shown', async () => {
    referenceReply = ok({ ...ISSUED, expiresAt: '2026-01-01T05:59:59.999Z' });
    await seen();
    open();
    await screen.findByText('No pudimos generar tu referencia');
    expect(barcodes()).toEqual([]);
  });

  test('one that was paid in the meantime is cleared as soon as the server says so', async () => {
    await seen();
    instalmentReply = ok(PAID);
    open();
    await heading('Pagado');
    expect(localStorage.getItem(KEPT)).toBeNull();
  });
});
