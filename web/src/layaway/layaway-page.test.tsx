import { centavos } from '@aparta/domain/money';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { offered } from '../../test/card-stage.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import type {
  AttemptState,
  WireAttempt,
  WireLayawayReference,
  WireMerchant,
  WireProduct,
  WireReceipt,
  WireRefund,
} from '../../test/wire.ts';
import { madeReference } from '../session/made-reference.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import BarcodePage from './barcode-page.tsx';
import LayawayPage, { loadLayaway } from './layaway-page.tsx';
import { paymentCopy } from './payment-copy.ts';
import { receiptThat } from '../../test/receipt.ts';

const SCANNED = '1|1|5|0|3000.00|3|600.00|0';
const ID = 1000482101;
const MAKE = 'POST /v1/PullApartReference';
const REFERENCE_CALL = `GET /v1/PullApartReference/${ID}`;

const MERCHANT: WireMerchant = {
  id: 1,
  businessName: 'Electro Hogar SA de CV',
  tradeName: 'Electro Hogar',
  rFC: 'XAXX010101000',
  tblBusinessTypeId: 1,
  contact: '',
  phone: '',
  email: '',
  tblPasarelaPagoId: 1,
  percentDeposit: 20,
  fracuencyPay: 30,
  planPaymentDuration: 60,
  ammountoCancel: 200,
  deliveryDays: 15,
  endDaysLate: null,
  companyId: 4,
  externalReferenceAntad: '',
  ssoId: '',
  clipApiKey: '',
  fGebusinessuuid: '',
  acceptsCards: true,
  address: '',
  hours: '',
  cardFee: 15,
  tillFee: 0,
};
const PRODUCT: WireProduct = {
  id: 5,
  businessId: 1,
  name: 'Lavadora 18 kg',
  description: '',
  sku: 'L18',
  salePrice: 3000,
  fGeproductuuid: '',
  pictures: { small: '/pictures/s.webp', large: '/pictures/l.webp' },
  soldOut: false,
};
const WAITING: WireLayawayReference = {
  ...offered,
  Id: ID,
  id: ID,
  Referencia: '1|1|5|7|3000.00|3|600.00|0',
  paymentReference: `1${ID}`,
  businessId: 1,
  productId: 5,
  tradeName: 'Electro Hogar',
  productName: 'Lavadora 18 kg',
};

function attempt(state: AttemptState): WireAttempt {
  return {
    id: 'p-1',
    status: 'pending',
    status_detail: { code: '', message: '' },
    pending_action: { url: '' },
    amount: 615,
    currency: 'MXN',
    intentoId: '7d3f0a52-6a1c-4b7e-9f10-2f3c5d9a8b11',
    state,
    applied: false,
    referencia: `1${ID}`,
    ventaId: null,
    folio: null,
    paidAt: null,
    card: null,
    createdAt: '2026-11-20T16:00:00.000Z',
    advice: null,
    returnReason: null,
    refund: null,
    plan: null,
  };
}

type Made = ReturnType<typeof ok> | ReturnType<typeof refuse>;

let soldOut: boolean;
/** What the deposit's payment was too much by, in pesos. */
let surplus: number;
/** What became of the deposit's payment since. */
let since: Partial<WireReceipt>;
let refunds: WireRefund[];
/** Whether the server tells an open screen. */
let tells: boolean;
let merchant: ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
let made: (body: unknown) => Made | Promise<Made>;
let referenceReply: ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';

const calls = fakeServer({
  'GET /v1/Business/GetAsync/1': () => merchant,
  'GET /v1/BusinessProduct/GetAsync/5': () => ok({ ...PRODUCT, soldOut }),
  'GET /v1/Company/GetAsync/4': ok({
    id: 4,
    name: 'Grupo',
    phone: '',
    externalRefAntad: '',
    logofileName: '',
  }),
  'GET /v1/Receipts/GetAsync/A7K299310Z': () =>
    ok(
      receiptThat({
        paidAt: '2026-11-20T16:05:00.000Z',
        bookedAt: '2026-11-20T16:05:00.000Z',
        amount: 600 + surplus,
        refunded: surplus,
        fee: 0,
        method: 'till',
        last4: null,
        payerName: null,
        ventaId: 1100000017,
        productName: 'Lavadora 18 kg',
        parts: [{ number: 1, of: 3, amount: 600 }],
        balance: 2400,
        nextDueOn: '2026-12-20',
        ...since,
      }),
    ),
  'GET /v1/Sales/RefundsAsync/1100000017': () => ok(refunds),
  'GET /v1/Changes/Stream': () => ({ status: tells ? 200 : 429, body: 'changed' }),
  [MAKE]: ({ body }) => made(body),
  [REFERENCE_CALL]: () => referenceReply,
});

beforeAll(loadLayaway);
beforeEach(() => {
  session.open({ ...marisol, token: 't' });
  soldOut = false;
  surplus = 0;
  since = {};
  refunds = [];
  tells = false;
  merchant = ok(MERCHANT);
  made = () => ok(WAITING);
  referenceReply = ok(WAITING);
});

function open(at: string, page: ReactNode = <LayawayPage />) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(<QueryClientProvider client={queries}>{page}</QueryClientProvider>, at);
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Referencia del producto' });
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Ir al paso siguiente' });

describe('step 1, the reference', () => {
  test('takes a pasted reference, and no typed one', async () => {
    const { user } = open('/apartado');
    await user.click(field());
    await user.keyboard('1|1|5');
    expect(field().value).toBe('');
    await user.paste(` ${SCANNED}\n`);
    expect(field().value).toBe(SCANNED);
    await user.keyboard('9');
    expect(field().value).toBe(SCANNED);
    await user.clear(field());
    expect(field().value).toBe('');
  });

  test('takes what a phone pastes without saying so, and what is dropped', () => {
    open('/apartado');
    fireEvent.input(field(), { target: { value: 'tecleado' }, inputType: 'insertText' });
    expect(field().value).toBe('');
    fireEvent.input(field(), { target: { value: SCANNED }, inputType: 'insertFromPaste' });
    expect(field().value).toBe(SCANNED);
    fireEvent.drop(field(), { dataTransfer: { getData: () => 'otra' } });
    expect(field().value).toBe('otra');
  });

  test("'Pegar' reads the clipboard, and says what to do when it may not", async () => {
    const { user } = open('/apartado');
    await navigator.clipboard.writeText(SCANNED);
    await user.click(screen.getByRole('button', { name: 'Pegar' }));
    await expect.poll(() => field().value).toBe(SCANNED);
    vi.spyOn(navigator.clipboard, 'readText').mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await user.click(screen.getByRole('button', { name: 'Pegar' }));
    expect((await screen.findByRole('alert')).textContent).toContain('elige Pegar');
    expect(field().value).toBe(SCANNED);
  });

  test.each(['', 'null'])('with %j in it leads to the purchases', async (said) => {
    const { user, here } = open('/apartado');
    if (said) {
      await user.click(field());
      await user.paste(said);
    }
    await user.click(next());
    await expect.poll(here).toBe('/cxcList');
  });

  test('of another type shows an alert, and nothing is saved', async () => {
    const { user, here } = open('/apartado');
    await user.click(field());
    await user.paste('2|1|5|0|3000.00|3|600.00|0');
    await user.click(next());
    const alert = await screen.findByRole('alertdialog', { name: 'Oops...' });
    expect(alert.textContent).toContain('las referencía no es para realizar un apartado!');
    expect(alert.textContent).toContain('Favor de revisar los datos de las referencías');
    expect(here()).toBe('/apartado');
    expect(reference.current()).toBeUndefined();
  });

  test('one that an earlier version kept and nobody can read is not offered', () => {
    sessionStorage.setItem('refApartado', '<b>');
    open('/apartado');
    expect(field().value).toBe('');
  });

  test('one that is not whole is called incomplete, not something else', async () => {
    const { user, here } = open('/apartado');
    await user.click(field());
    await user.paste('1|1|5');
    await user.click(next());
    expect(await screen.findByRole('alertdialog', { name: 'La referencia está incompleta' })).toBeTruthy();
    expect(here()).toBe('/apartado');
  });

  test('inside a whole link is kept as the reference itself', async () => {
    const { user, here } = open('/apartado');
    await user.click(field());
    await user.paste(`https://aparta.mx/?ref=${encodeURIComponent(SCANNED)}`);
    await user.click(next());
    await expect.poll(here).toBe('/apartado?paso=2');
    expect(reference.current()).toBe(SCANNED);
  });

  test('kept, but paid meanwhile at a till or a store, goes on to nothing and is dropped', async () => {
    reference.save('1|1|5|7|3000.00|3|600.00|0', true);
    madeReference.save(ID);
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 501 });
    const { here } = open('/apartado');
    await expect.poll(() => reference.current()).toBeUndefined();
    expect((await screen.findByRole<HTMLInputElement>('textbox')).value).toBe('');
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(here()).toBe('/apartado');
  });

  test('kept and not paid goes on by itself, also where nobody can say whether it was', async () => {
    reference.save('1|1|5|7|3000.00|3|600.00|0', true);
    madeReference.save(ID);
    referenceReply = 'no network';
    const { here } = open('/apartado');
    await expect.poll(here, { timeout: 3_000 }).toBe('/apartado?paso=2');
  });

  test('kept from a link goes on by itself after a second, and only on load', async () => {
    reference.save(SCANNED, true);
    const { user, here } = open('/apartado');
    expect(field().value).toBe(SCANNED);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(here()).toBe('/apartado');
    await expect.poll(here).toBe('/apartado?paso=2');
    await user.click(await screen.findByRole('button', { name: 'Ir al paso anterior' }));
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(here()).toBe('/apartado');
  });
});

describe('step 2, the information', () => {
  beforeEach(() => reference.save(SCANNED, true));

  test('shows what is paid today with the fee inside, and what follows', async () => {
    open('/apartado?paso=2');
    expect(await screen.findByText('Electro Hogar')).toBeTruthy();
    const ticket = within(screen.getByRole('region', { name: 'Tu apartado' }));
    const said = (label: string) => ticket.getByText(label).nextElementSibling?.textContent;
    expect(said('Producto')).toBe('Lavadora 18 kg');
    const picture = screen.getByRole('img', { name: 'Foto de Lavadora 18 kg' });
    // Also where data is dear.
    expect(picture.getAttribute('src')).toBe('/pictures/s.webp');
    expect(said('Precio de venta')).toContain('$3,000.00');
    expect(said('Apartado (20 %)')).toContain('$600.00');
    expect(said('Cargo por servicio')).toContain('$15.00');
    expect(said('Monto total')).toContain('$615.00');
    expect(screen.getByText('Después, 2 abonos de $1,200.00')).toBeTruthy();
    expect(screen.queryByText(/El apartado cambió/)).toBeNull();
  });

  test('left open over midnight dates what follows from the new day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(new Date('2026-11-20T18:00:00Z'));
    open('/apartado?paso=2');
    expect(await screen.findByText(/del 20 dic 2026 al 19 ene 2027\.$/)).toBeTruthy();
    vi.setSystemTime(new Date('2026-11-21T18:00:00Z'));
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findByText(/del 21 dic 2026 al 20 ene 2027\.$/)).toBeTruthy();
  });

  test('says when the deposit is not the printed one', async () => {
    reference.save('1|1|5|0|2500.00|3|500.00|0', true);
    open('/apartado?paso=2');
    expect(await screen.findByText(/El apartado cambió de \$500\.00 a \$600\.00/)).toBeTruthy();
  });

  test('lets nobody on before merchant and product are there, and offers another try', async () => {
    merchant = 'no network';
    const { user } = open('/apartado?paso=2');
    expect(next().disabled).toBe(true);
    merchant = ok(MERCHANT);
    await user.click(await screen.findByRole('button', { name: 'Reintentar' }));
    await expect.poll(() => next().disabled).toBe(false);
  });

  test('says before the deposit that it is sold out, whom to call, and leads to another product', async () => {
    soldOut = true;
    merchant = ok({ ...MERCHANT, phone: '222 555 0101' });
    const { user, here } = open('/apartado?paso=2');
    expect(await screen.findByText('Agotado.')).toBeTruthy();
    expect((await screen.findByRole('link', { name: '222 555 0101' })).getAttribute('href')).toBe(
      'tel:2225550101',
    );
    expect(screen.queryByRole('button', { name: 'Ir al paso siguiente' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Apartar otro producto' }));
    await expect.poll(here).toBe('/apartado');
    expect(field().value).toBe('');
  });

  test('that was sold out meanwhile turns into that', async () => {
    made = () => {
      soldOut = true;
      return refuse(409, 'SOLD_OUT');
    };
    const { user } = open('/apartado?paso=2');
    await expect.poll(() => next().disabled).toBe(false);
    await user.click(next());
    await user.click(await screen.findByRole('button', { name: 'Aceptar' }));
    expect(await screen.findByText('Agotado.')).toBeTruthy();
  });

  test('without a reference is step 1', async () => {
    reference.clear();
    const { here } = open('/apartado?paso=2');
    await expect.poll(here).toBe('/apartado');
  });

  test('asks before reserving the same product twice in a day', async () => {
    made = (body) => ((body as { repeat: boolean }).repeat ? ok(WAITING) : refuse(409, 'RECENTLY_RESERVED'));
    const { user, here } = open('/apartado?paso=2');
    await expect.poll(() => next().disabled).toBe(false);
    await user.click(next());
    expect(await screen.findByRole('dialog', { name: 'Ya apartaste este producto hoy' })).toBeTruthy();
    expect(here()).toBe('/apartado?paso=2');
    await user.click(screen.getByRole('button', { name: 'Apartar otro igual' }));
    await expect.poll(here).toBe(`/apartado?paso=3&id=${ID}`);
  });

  test('the reference that it makes is remembered, for home to ask whether it was paid', async () => {
    const { user, here } = open('/apartado?paso=2');
    await screen.findByText('Lavadora 18 kg');
    await user.click(next());
    await expect.poll(here).toBe(`/apartado?paso=3&id=${ID}`);
    expect(madeReference.id()).toBe(ID);
    // Spec §3: the buyer's id in its place.
    expect(reference.current()).toBe('1|1|5|7|3000.00|3|600.00|0');
  });

  test('a failure to make the reference shows and can be retried', async () => {
    made = () => refuse(500, 'INTERNAL');
    const { user, here } = open('/apartado?paso=2');
    await expect.poll(() => next().disabled).toBe(false);
    await user.click(next());
    const alert = await screen.findByRole('alertdialog', { name: 'Error al crear la referencia' });
    expect(alert.textContent).toContain('Sucedió un error al crear la referencia');
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    made = () => ok(WAITING);
    await user.click(next());
    await expect.poll(here).toBe(`/apartado?paso=3&id=${ID}`);
    expect(calls.findLast(({ path }) => path === '/v1/PullApartReference')?.body).toEqual({
      Referencia: SCANNED,
      repeat: false,
    });
  });

  test.each([
    ['the reference', () => ok(WAITING)],
    ['a failure', () => refuse(500, 'INTERNAL')],
  ])('a buyer who went back meanwhile stays where they are when %s comes', async (_, answer) => {
    let come: ((made: Made) => void) | undefined;
    made = () => new Promise((resolve) => (come = resolve));
    const { user, here } = open('/apartado?paso=2');
    await expect.poll(() => next().disabled).toBe(false);
    await user.click(next());
    await expect.poll(() => come).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Ir al paso anterior' }));
    await screen.findByRole('textbox', { name: 'Referencia del producto' });
    await act(async () => {
      come?.(answer());
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(here()).toBe('/apartado');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('terms that changed when frozen are shown before paying', async () => {
    referenceReply = ok({ ...WAITING, deposit: 640, tillTotal: 640, cardTotal: 655 });
    made = () => referenceReply as ReturnType<typeof ok>;
    const { user } = open('/apartado?paso=2');
    await expect.poll(() => next().disabled).toBe(false);
    await user.click(next());
    expect((await screen.findByRole('alert')).textContent).toContain(
      'El apartado cambió de $600.00 a $640.00.',
    );
  });
});

describe('step 3, the payment', () => {
  const here3 = `/apartado?paso=3&id=${ID}`;

  test('shows the sum per payment method, the code in groups, and its expiry with hour and zone', async () => {
    open(here3);
    expect(await screen.findByRole('img', { name: /Código de barras .* 1100 0482 101/ })).toBeTruthy();
    expect(screen.getByText('En caja').nextElementSibling?.textContent).toContain('$600.00');
    expect(screen.getByText('En tiendas').nextElementSibling?.textContent).toContain('$600.00');
    expect(screen.getByRole('link', { name: 'Pagar en tiendas' }).getAttribute('href')).toBe(
      `/onSitePaymentByTapi/apartado/${ID}`,
    );
    const card = screen.getAllByText('Con tarjeta')[0]?.nextElementSibling?.textContent;
    expect(card).toMatch(/\$615\.00.*\(incluye \$15\.00/);
    expect(screen.getByText('1100 0482 101')).toBeTruthy();
    const ends = 'Vigente hasta el 22 nov 2026, 23:59 h (Ciudad de México).';
    expect(screen.getByText(ends)).toBeTruthy();
    // Shared, it says so too.
    const { shareText } = paymentCopy.payment;
    const text = shareText('Sala', '1100 0482 101', centavos(60_000), new Date('2026-11-23T05:59:00Z'));
    expect(text).toContain(`$600.00 en caja. ${ends}`);
  });

  test('says whom to ask: the merchant for the goods, us for the payments', async () => {
    merchant = ok({
      ...MERCHANT,
      address: 'Av. Juárez 5, Puebla',
      hours: 'de 10 a 20 h',
      phone: '222 123 4567',
    });
    const { user } = open(here3);
    await user.click(await screen.findByRole('button', { name: 'Ayuda' }));
    const goods = await screen.findByRole('region', { name: 'Electro Hogar, por tu producto' });
    for (const words of ['Av. Juárez 5, Puebla', 'Horario: de 10 a 20 h', 'Teléfono: 222 123 4567'])
      expect(goods.textContent).toContain(words);
    expect(screen.getByRole('region', { name: /, por tus pagos$/ }).textContent).toContain('Cobros');
  });

  test("'Ir al paso anterior' clears all and lands on an empty step 1", async () => {
    reference.save(SCANNED, true);
    const { user, here } = open(here3);
    await user.click(await screen.findByRole('button', { name: 'Ir al paso anterior' }));
    await expect.poll(here).toBe('/apartado');
    expect(field().value).toBe('');
    expect(localStorage.getItem('refApartado')).toBeNull();
  });

  test('a merchant without cards says so at the card button and leads home; the reference for its till stays', async () => {
    reference.save(SCANNED, true);
    sessionStorage.setItem('intentoId', 'kept');
    referenceReply = ok({ ...WAITING, acceptsCards: false });
    const { user, here } = open(here3);
    await user.click(await screen.findByRole('button', { name: 'Pago con Clip' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Falta de configuración!' });
    expect(alert.textContent).toContain('No se pueden realizar pagos con tarjeta!');
    expect(screen.queryByText('Con tarjeta')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    await expect.poll(here).toBe('/');
    expect(sessionStorage.getItem('intentoId')).toBeNull();
    expect(reference.current()).toBe(SCANNED);
  });

  test.each([true, false])(
    'its browser may make the card screen ready only where cards are taken: %s',
    async (takes) => {
      referenceReply = ok({ ...WAITING, acceptsCards: takes });
      const { user } = open(here3);
      await screen.findByRole('button', { name: 'Pago con Clip' });
      const ahead = document.querySelector<HTMLAnchorElement>('a[data-ahead]');
      expect(ahead?.pathname).toBe(takes ? `/pullapartByClip/${WAITING.id}` : undefined);
      for (let presses = 0; presses < 20; presses += 1) {
        await user.tab();
        expect(document.activeElement?.hasAttribute('data-ahead')).toBe(false);
      }
      expect(screen.queryAllByRole('link').some((link) => link.hasAttribute('data-ahead'))).toBe(false);
    },
  );

  test('without internet the card button leads to no empty page: it says so, and the bar code stays', async () => {
    const { user } = open(here3);
    const act = await screen.findByRole('button', { name: 'Pago con Clip' });
    const offline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onTestFinished(() => offline.mockRestore());
    await user.click(act);
    expect(await screen.findByRole('alertdialog', { name: 'No hay conexión' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    expect(screen.getByRole('img', { name: /Código de barras/ })).toBeTruthy();
  });

  test('paid at the till in the meantime, it says so without a reload and clears both saved copies', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    reference.save(SCANNED, true);
    open(here3);
    await screen.findByRole('heading', { name: 'Paga tu apartado' });
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 1100000017 });
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    await screen.findByRole('heading', { name: 'Apartado pagado' });
    expect(screen.getByRole('link', { name: 'Ver mi compra' }).getAttribute('href')).toBe(
      '/saleCxcList/1100000017',
    );
    expect(screen.queryByRole('img', { name: /Código de barras/ })).toBeNull();
    await waitFor(() => expect(reference.current()).toBeUndefined());
    expect(localStorage.getItem('refApartado')).toBeNull();
  });

  test('a deposit paid at the till has its stamp, sum, date, folio and receipt, as an instalment has', async () => {
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 1100000017, folio: 'A7K299310Z' });
    open(here3);
    const ticket = within(await screen.findByRole('region', { name: 'Recibo de tu apartado' }));
    expect(await ticket.findByRole('img', { name: 'Pagado el 20 nov 2026' })).toBeTruthy();
    expect(ticket.getByText('Pagaste').nextElementSibling?.textContent).toContain('$600.00');
    expect(ticket.getByText('Fecha').nextElementSibling?.textContent).toBe('20 nov 2026, 10:05 h');
    expect(ticket.getByText('Folio').nextElementSibling?.textContent).toBe('A7K2 9931 0Z');
    expect(screen.getByRole('link', { name: 'Ver recibo' }).getAttribute('href')).toBe('/recibo/A7K299310Z');
  });

  test('a deposit of which a store took too much says what goes back, as its receipt does', async () => {
    surplus = 600.2;
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 1100000017, folio: 'A7K299310Z' });
    open(here3);
    const ticket = within(await screen.findByRole('region', { name: 'Recibo de tu apartado' }));
    expect(ticket.getByText('Pagaste').nextElementSibling?.textContent).toContain('$1,200.20');
    expect(ticket.getByText('Apartado').nextElementSibling?.textContent).toContain('$600.00');
    expect(ticket.getByText('Devolución').nextElementSibling?.textContent).toContain('$600.20');
  });

  test('a deposit that its till takes back while its screen is open is not called paid any more', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    tells = true;
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 1100000017, folio: 'A7K299310Z' });
    open(here3);
    const ticket = within(await screen.findByRole('region', { name: 'Recibo de tu apartado' }));
    expect(await ticket.findByRole('img', { name: 'Pagado el 20 nov 2026' })).toBeTruthy();
    expect(screen.getByText('Después, 2 abonos de $1,200.00')).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Pagaste/);
    since = { refunded: 600, cancelled: true };
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    await screen.findByRole('heading', { name: 'Este pago ya no cuenta' });
    expect(document.title).toContain('Este pago ya no cuenta');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('Esta compra se canceló: no te falta ningún pago.')).toBeTruthy();
    expect(await ticket.findByText('Devuelto')).toBeTruthy();
    expect(ticket.getByText('Devolución').nextElementSibling?.textContent).toContain('$600.00');
    expect(screen.queryByRole('img', { name: /^Pagado/ })).toBeNull();
    expect(screen.queryByText(/^¡Listo!/)).toBeNull();
    expect(screen.queryByText(/^Después/)).toBeNull();
  });

  test('of a deposit that its buyer gave up nothing is left to pay; what comes back is on its way', async () => {
    const back: WireRefund = {
      id: 1,
      amount: 600,
      way: 'card',
      state: 'owed',
      last4: '4821',
      payerName: null,
      folio: 'A7K299310Z',
      createdAt: '2026-11-20T17:00:00.000Z',
      doneAt: null,
    };
    refunds = [back];
    since = { refunded: 600, cancelled: true };
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 1100000017, folio: 'A7K299310Z' });
    const { unmount } = open(here3);
    await screen.findByRole('heading', { name: 'Este pago ya no cuenta' });
    expect(await screen.findByText('En devolución')).toBeTruthy();
    unmount();
    // The shop kept its penalty.
    since = { refunded: 400, cancelled: true };
    open(here3);
    await screen.findByRole('heading', { name: 'Esta compra se canceló' });
    expect(screen.getByText('Cancelada')).toBeTruthy();
    expect(screen.getByText('Devolución').nextElementSibling?.textContent).toContain('$400.00');
    expect(screen.queryByRole('img', { name: /^Pagado/ })).toBeNull();
    expect(screen.queryByText(/^Después/)).toBeNull();
  });

  test('a QR of another product that was scanned in the meantime stays saved', async () => {
    reference.save('1|1|6|0|100.00|3|20.00|0', true);
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 1100000017 });
    open(here3);
    await screen.findByRole('heading', { name: 'Apartado pagado' });
    expect(reference.current()).toBe('1|1|6|0|100.00|3|20.00|0');
  });

  test.each([
    ['still waits', 1, 'Paga tu apartado'],
    ['expired', 3, 'Tu referencia venció'],
  ] as const)('says what a store took that reserved nothing, where it %s', async (_how, Estatus, name) => {
    referenceReply = ok({ ...WAITING, Estatus, owedBack: 599 });
    open(`/apartado?paso=3&id=${ID}`);
    expect(await screen.findByRole('heading', { name })).toBeTruthy();
    expect(await screen.findByText('Se te deben $599.00 que ya pagaste.')).toBeTruthy();
    expect(screen.getByText(/Electro Hogar te lo entrega en su caja/)).toBeTruthy();
  });

  test('expired, it cannot be paid: a new one of the same product is a tap away', async () => {
    referenceReply = ok({ ...WAITING, Estatus: 3 });
    const { user, here } = open(here3);
    expect(await screen.findByRole('heading', { name: 'Tu referencia venció' })).toBeTruthy();
    expect(screen.queryByRole('img', { name: /Código de barras/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Pago con Clip' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Hacer una referencia nueva' }));
    await expect.poll(here).toBe('/apartado?paso=2');
    expect(await screen.findByText('Después, 2 abonos de $1,200.00')).toBeTruthy();
  });

  test.each([
    ['pending_3ds', 'Falta que autorices tu pago'],
    ['submitting', 'Seguimos confirmando tu pago'],
    ['unknown', 'Seguimos confirmando tu pago'],
    ['held', 'Tu pago está en revisión'],
  ] as const)('while a card payment is %s nothing else can be paid', async (state, said) => {
    referenceReply = ok({ ...WAITING, attempt: attempt(state) });
    open(here3);
    expect(await screen.findByText(said)).toBeTruthy();
    expect(screen.queryByRole('img', { name: /Código de barras/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Pago con Clip' })).toBeNull();
  });

  test('a card payment that ends after the reference expired shows its end without a reload', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    referenceReply = ok({ ...WAITING, Estatus: 3, attempt: attempt('unknown') });
    open(here3);
    await screen.findByText('Seguimos confirmando tu pago');
    referenceReply = ok({ ...WAITING, Estatus: 2, ventaId: 1100000017, attempt: attempt('applied') });
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    expect(await screen.findByRole('heading', { name: 'Apartado pagado' })).toBeTruthy();
  });

  test.each(['rejected', 'not_charged', 'abandoned'] as const)(
    'after a card payment that ended %s both payment methods are available again',
    async (state) => {
      referenceReply = ok({ ...WAITING, attempt: attempt(state) });
      open(here3);
      expect(await screen.findByText(/Tu pago con tarjeta no/)).toBeTruthy();
      expect(screen.getByRole('img', { name: /Código de barras/ })).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Pago con Clip' })).toBeTruthy();
    },
  );

  test('of somebody else does not exist', async () => {
    referenceReply = refuse(404, 'NOT_FOUND');
    const { user, here } = open(here3);
    expect(await screen.findByText('No existe o no es de tu cuenta.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Apartar un producto' }));
    await expect.poll(here).toBe('/apartado');
  });

  test('that cannot be loaded offers another try', async () => {
    referenceReply = refuse(500, 'INTERNAL');
    const { user } = open(here3);
    const retry = await screen.findByRole('button', { name: 'Reintentar' });
    referenceReply = ok(WAITING);
    await user.click(retry);
    expect(await screen.findByText('1100 0482 101')).toBeTruthy();
  });
});

describe('the bar-code view', () => {
  function view(ref02: string) {
    return open(
      `/codigo/${ref02}`,
      <Switch>
        <Route path="/codigo/:ref02">
          <BarcodePage />
        </Route>
      </Switch>,
    );
  }

  test('draws the reference that its address names', () => {
    view(`1${ID}`);
    const bars = screen.getByRole('img', { name: 'Código de barras de la referencia 1100 0482 101' });
    // One pixel per bar, as in the spec.
    expect(bars.closest('[data-narrow]')).not.toBeNull();
  });

  test('says so when that cannot be a bar code', () => {
    view(encodeURIComponent('ñandú'));
    expect(screen.getByText(/no se puede dibujar/)).toBeTruthy();
  });
});
