import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Switch } from 'wouter';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { attemptThat, offered } from '../../test/card-stage.ts';
import { INVOICE } from '../../test/invoice.ts';
import { stubLocation } from '../../test/location.ts';
import { receiptThat } from '../../test/receipt.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import type {
  AttemptState,
  WireAttempt,
  WireCancelQuote,
  WireClaim,
  WireInstalmentToPay,
  WirePickup,
  WirePlannedInstalment,
  WirePurchaseSummary,
  WireSale,
} from '../../test/wire.ts';
import { patterns } from '../app/paths.ts';
import { purchaseQuery } from '../data/purchase.ts';
import { refundsQuery } from '../data/refunds.ts';
import { attempt as sentAttempts } from '../session/attempt.ts';
import { session } from '../session/session.ts';
import DashboardPage from './dashboard-page.tsx';
import NextPayment from './next-payment.tsx';
import PurchasesPage from './purchases-page.tsx';

const DAY_MS = 86_400_000;
const moment = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
/** Noon in Mexico City, some days from today, so that no test breaks at midnight. */
const day = (days: number) => new Date(Date.now() - 6 * 3_600_000 + days * DAY_MS).toISOString().slice(0, 10);

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';

function instalment(
  purchase: number,
  number: number,
  about: Partial<WirePlannedInstalment> = {},
): WirePlannedInstalment {
  return {
    id: purchase * 10 + number,
    ventaId: purchase,
    identificador: number,
    fechaVencimiento: day((number - 2) * 30 + 1),
    numfactura: null,
    valor: 1000,
    pagos: 0,
    saldo: 1000,
    notasCxc: '',
    visibleAlPago: false,
    paymentReference: `${number}1000482101`,
    late: false,
    cashReferenceExpiresAt: null,
    cxcPagos: [],
    invoice: null,
    cancelledInvoice: null,
    mayBeInvoiced: false,
    invoiceUntil: null,
    feePaid: false,
    ...about,
  };
}

type Applied = WirePlannedInstalment['cxcPagos'][number];
function applied(id: number, monto: number, about: Partial<Applied> = {}): Applied {
  return {
    cxcPagoId: id,
    fechaExpedicion: '2026-10-20T18:00:00.000Z',
    monto,
    folio: `A7K29931${id}`,
    method: 'card',
    last4: '4821',
    payerName: null,
    ...about,
  };
}

const PAID = { pagos: 1000, saldo: 0, cxcPagos: [applied(10, 1000)] };

const LATE_AT_STORE = {
  visibleAlPago: true,
  late: true,
  fechaVencimiento: day(-4),
  cashReferenceExpiresAt: moment(1),
};

/** Three instalments of $1,000.00, the deposit paid. */
function purchase(id: number, product: string, instalments?: WirePlannedInstalment[]) {
  return {
    id,
    product,
    cancelled: false,
    endedBy: 'buyer' as WireSale['endedBy'],
    bill: { paid: 1015, penalty: 200, feesReturned: 0, feesKept: 15, refund: 800 },
    ending: null as WireSale['ending'],
    openAttempt: null as WirePurchaseSummary['openAttempt'],
    hasRefunds: false,
    acceptsTills: true,
    invoicedHere: true,
    takenBack: [] as WireSale['takenBack'],
    moving: null as WireSale['moving'],
    instalments: instalments ?? [
      instalment(id, 1, PAID),
      instalment(id, 2, { visibleAlPago: true }),
      instalment(id, 3),
    ],
  };
}
type Made = ReturnType<typeof purchase>;

function summary({
  id,
  product,
  cancelled,
  ending,
  openAttempt,
  acceptsTills,
  instalments,
}: Made): WirePurchaseSummary {
  const next = instalments.find((each) => each.visibleAlPago);
  return {
    ventaId: id,
    fechaVta: '2026-10-20T18:00:00.000Z',
    nombreComercial: 'Electro Hogar',
    nombre: 'Marisol Reyes Luna',
    descripcion: product,
    details: '',
    montoVenta: 3000,
    montoAdelanto: 1000,
    totalPagos: instalments.reduce((sum, each) => sum + each.pagos, 0),
    numCxc: instalments.length,
    numCxcPagadas: instalments.filter(({ saldo }) => saldo === 0).length,
    estatusVentaId: cancelled ? 2 : 1,
    clienteId: 7,
    comercioId: 1,
    cxcList: instalments,
    email: '',
    telefono: '',
    ssoId: '',
    fGebusinessuuid: '',
    fGeproductuuid: '',
    productId: 5,
    logofileName: '',
    pictures: null,
    nextInstalment: next
      ? {
          id: next.id,
          number: next.identificador,
          dueOn: next.fechaVencimiento,
          balance: next.saldo,
          late: next.late,
        }
      : null,
    ending,
    openAttempt,
    acceptsTills,
    late: instalments.some(({ late }) => late),
    delivered: false,
  };
}

function sale(made: Made): WireSale {
  const { numCxc, numCxcPagadas, totalPagos, estatusVentaId } = summary(made);
  return {
    id: made.id,
    businessId: 1,
    saleDate: '2026-10-20T18:00:00.000Z',
    description: made.product,
    details: 'Color gris',
    clientId: 7,
    productId: 5,
    sku: 'L18',
    ammount: 3000,
    ammountPre: 1000,
    limitDatePay: day(60),
    vigencyDateToLC: '2026-10-22T18:00:00.000Z',
    companyId: 4,
    apartReference: '',
    creationDate: '2026-10-20T18:00:00.000Z',
    updateDate: '2026-10-20T18:00:00.000Z',
    SSOId: '',
    saleStatusId: estatusVentaId,
    cancelDate: made.cancelled ? '2026-10-25T18:00:00.000Z' : null,
    cancelNotes: '',
    SSOIdBuyerCancel: '',
    SSOIdBussineeCancel: '',
    numNotificationCancel: 0,
    tradeName: 'Electro Hogar',
    clientName: 'Marisol Reyes Luna',
    logofileName: '',
    pictures: null,
    totalPagos,
    numCxc,
    numCxcPagadas,
    cardFee: 15,
    cashFee: 0,
    moving: made.moving,
    acceptsCards: true,
    acceptsTills: made.acceptsTills,
    openAttempt: made.openAttempt,
    delivered: false,
    endedBy: made.cancelled ? made.endedBy : null,
    cancelBill: made.cancelled && made.endedBy === 'buyer' ? made.bill : null,
    hasRefunds: made.hasRefunds,
    invoicedHere: made.invoicedHere,
    takenBack: made.takenBack,
    kept: null,
    deliveryDays: 15,
    endDaysLate: made.ending && 45,
    ending: made.ending,
    deliverBy: null,
    mayClaim: false,
    claim: null,
  };
}

/** The next instalment with its cost per method. */
function payable(made: Made, about: Partial<WireInstalmentToPay> = {}): WireInstalmentToPay {
  const next = made.instalments.find((each) => each.visibleAlPago);
  if (!next) throw new Error('nothing left to pay');
  const { numCxc, numCxcPagadas } = summary(made);
  return {
    ...next,
    estatusVentaId: 1,
    numCxc,
    numCxcPagadas,
    businessId: 1,
    productId: 5,
    tradeName: 'Electro Hogar',
    productName: made.product,
    logofileName: '',
    cardFee: 15,
    cashFee: 0,
    cardTotal: next.saldo + 15,
    cashTotal: next.saldo,
    acceptsCards: true,
    tillFee: 0,
    planReference: '31000482118',
    cardKey: 'public-key',
    attempt: null,
    ...about,
  };
}

function attempt(state: AttemptState): WireAttempt {
  return {
    id: 'p-1',
    status: 'pending',
    status_detail: { code: '', message: '' },
    pending_action: { url: '' },
    amount: 1015,
    currency: 'MXN',
    intentoId: '7d3f0a52-6a1c-4b7e-9f10-2f3c5d9a8b11',
    state,
    applied: false,
    referencia: '21000482101',
    ventaId: 41,
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

const QUOTE: WireCancelQuote = {
  paid: 1000,
  penalty: 200,
  penaltyFreeUntil: '2026-10-27T05:59:59.999Z',
  feesReturned: 0,
  feesKept: 15,
  refund: 800,
  returns: [
    {
      folio: 'A7K2993110',
      amount: 800,
      way: 'card',
      last4: '4821',
      payerName: null,
      paidAt: '2026-10-20T18:00:00.000Z',
    },
  ],
  invoiced: false,
};

let lists: (search: URLSearchParams) => Answer;
let made: Made;
let next: () => Answer | Promise<Answer>;
let quote: () => Answer;
let cancel: (body: unknown) => Answer | Promise<Answer>;
let move: () => Answer;
let refunds: Answer | Promise<Answer>;
let unresolved: Answer;
let pickup: WirePickup;
let isAway: boolean;
let payer: string | null;
let claim: WireClaim | null;

const CLAIM: WireClaim = {
  claimFolio: 'K7Q2M9XW4T',
  state: 'open',
  notes: 'Dicen que no ha llegado',
  openedAt: '2026-11-20T18:00:00.000Z',
  answer: null,
  dueAt: '2026-11-28T05:59:59.999Z',
  isOverdue: false,
  endedAt: null,
};

const CODE = {
  digits: '482913',
  qr: 'E1|41|482913',
  qrPath: 'M4 4h1v1h-1z',
  qrSize: 33,
  expiresAt: '2027-02-20T16:00:00.000Z',
  locked: false,
};

function page(purchases: Made[], beside: object = {}) {
  const answer = ok(purchases.map(summary));
  return { body: { ...answer.body, next: null, total: purchases.length, ...beside } };
}

/** Of a purchase that no list of active ones has. */
const WAITING = {
  ventaId: 39,
  descripcion: 'Estufa',
  nombreComercial: 'Electro Hogar',
  logofileName: '',
  toCollect: true,
  owedAtShop: 100,
  owedToCard: 0,
};

/** Who has only that purchase. */
const onlyWaiting = (search: URLSearchParams) =>
  search.get('status') === '2' ? page([], { waiting: [WAITING] }) : page([purchase(39, 'Estufa')]);

const calls = fakeServer({
  'GET /v1/Cxc/ByBuyerIdH/7': ({ search }) => lists(search),
  'GET /v1/PullApartReferences/UnresolvedAsync': () => unresolved,
  'GET /v1/Sales/GetAsync/41': () =>
    ok({ ...sale(made), deliverBy: '2026-11-04', mayClaim: claim === null, claim }),
  'POST /v1/Sales/ClaimAsync/41': ({ body }) => {
    claim = { ...CLAIM, ...(body as { notes: string }) };
    return ok(claim);
  },
  'PUT /v1/Sales/ClaimWithdrawAsync/41': () => {
    claim = null;
    return ok({ ...CLAIM, state: 'withdrawn' });
  },
  'GET /v1/Sales/GetAsync/77': refuse(404, 'NOT_FOUND'),
  'GET /v1/Cxc/ByBusinesidVentaidDateD/41': () => ok(made.instalments),
  'GET /v1/Cxc/ByBusinesidVentaidDateD/77': refuse(404, 'NOT_FOUND'),
  'GET /v1/Cxc/ByIdWithBalance/412': () => next(),
  'GET /v1/Cxc/ByIdWithBalance/413': () => next(),
  'GET /v1/Sales/CancelQuoteAsync/41': () => quote(),
  'GET /v1/Sales/PickupAsync/41': () => (isAway ? 'no network' : ok(pickup)),
  'PUT /v1/Sales/PickupReplaceAsync/41': () => {
    pickup = { ...pickup, code: { ...CODE, digits: '115208' } };
    return ok(pickup);
  },
  'PUT /v1/Sales/PickupCollectorAsync/41': ({ body }) => {
    if (isAway) return 'no network';
    pickup = { ...pickup, ...(body as { collector: string | null }) };
    return ok(pickup);
  },
  'PUT /v1/Sales/UpdateCancelByBuyerAsync/41': ({ body }) => cancel(body),
  'PUT /v1/Sales/MoveInstalmentAsync/41': () => move(),
  'GET /v1/Sales/RefundsAsync/41': () => refunds,
  [`GET /v1/Receipts/GetAsync/${PAID.cxcPagos[0]!.folio}`]: () => ok(receiptThat({ payerName: payer })),
});

beforeEach(() => {
  session.open({ ...marisol, token: 't' });
  made = purchase(41, 'Lavadora 18 kg');
  lists = () => page([made]);
  next = () => ok(payable(made));
  quote = () => ok(QUOTE);
  cancel = () => ok({ refunds: [] });
  refunds = ok([]);
  unresolved = ok([]);
  claim = null;
  pickup = { code: CODE, collector: null, handedOver: null };
  isAway = false;
  payer = null;
});

const newCache = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

function open(at: string, queries = newCache()) {
  return show(
    <QueryClientProvider client={queries}>
      <Switch>
        <Route path={patterns.purchases}>
          <PurchasesPage
            invoice={({ number, of, mayBeInvoiced, invoiceUntil, hasFee, hasEnded }) =>
              `Factura del pago ${number} de ${of}${mayBeInvoiced ? ', por pedir' : ''}${invoiceUntil ? `, hasta ${invoiceUntil}` : ''}${hasFee ? ', sin su cargo' : ''}${hasEnded ? ', de una cancelada' : ''}`
            }
          />
        </Route>
        <Route path="/dashboard">
          <DashboardPage />
        </Route>
        <Route path="/">
          <NextPayment />
        </Route>
        <Route>
          <p>elsewhere</p>
        </Route>
      </Switch>
    </QueryClientProvider>,
    at,
  );
}

describe('the purchases list', () => {
  test('asks for active ones first, and each card shows all that spec §2 names', async () => {
    let asked: string | null = null;
    lists = (search) => {
      asked = search.get('status');
      return page([made]);
    };
    open('/cxcList');
    const card = await screen.findByRole('article');
    expect(screen.getByRole('heading', { level: 1, name: 'Listado de compras en Aparta' })).toBeTruthy();
    expect(asked).toBe('2');
    const within1 = within(card);
    expect(within1.getByText('Activa')).toBeTruthy();
    expect(within1.getByText('Compra 41 · 20 oct 2026')).toBeTruthy();
    expect(within1.getByRole('heading', { name: 'Lavadora 18 kg' })).toBeTruthy();
    expect(within1.getByText('Electro Hogar')).toBeTruthy();
    expect(within1.getByText('Marisol Reyes Luna')).toBeTruthy();
    const facts = Object.fromEntries(
      within1.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
    expect(facts.Monto).toContain('$3,000.00');
    expect(facts.Adelanto).toContain('$1,000.00');
    expect(facts['Total pagos']).toContain('$1,000.00');
    expect(within1.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Pagados 1 de 3');
    expect(within1.getByText('Vence mañana')).toBeTruthy();
    expect(within1.getByRole('link', { name: /^Visualizar cxc/ }).getAttribute('href')).toBe(
      '/saleCxcList/41',
    );
    expect(within1.getByRole('button', { name: /^Canc\.Compra/ })).toBeTruthy();
  });

  test('a late purchase stays where the server puts it, says since when, and is shown once', async () => {
    const late = purchase(42, 'Estufa', [
      instalment(42, 1, PAID),
      instalment(42, 2, { visibleAlPago: true, late: true, fechaVencimiento: day(-4) }),
    ]);
    lists = () => page([late, made, late]);
    open('/cxcList');
    const [first, ...others] = await screen.findAllByRole('article');
    expect(others).toHaveLength(1);
    expect(within(first!).getByRole('heading', { name: 'Estufa' })).toBeTruthy();
    expect(within(first!).getByText('Venció hace 4 días')).toBeTruthy();
  });

  test.each(['/cxcList', '/', '/dashboard'])(
    'a late payment that waits at a store is still said to be late on %s',
    async (where) => {
      made = purchase(41, 'Estufa', [instalment(41, 1, PAID), instalment(41, 2, LATE_AT_STORE)]);
      open(where);
      expect(await screen.findAllByText('Esperando pago en tienda')).not.toEqual([]);
      expect(screen.getAllByText('Venció hace 4 días')).not.toEqual([]);
    },
  );

  test('a card payment that is open shows in the progress of its purchase', async () => {
    made.openAttempt = 'unknown';
    open('/cxcList');
    const bar = await screen.findByRole('progressbar');
    const states = Array.from(bar.children, (each) => each.getAttribute('data-state'));
    expect(states).toEqual(['paid', 'pending', 'upcoming']);
  });

  test.each([
    ['/cxcList', 'unknown', 'Confirmando tu pago'],
    ['/cxcList', 'held', 'Confirmando tu pago'],
    ['/cxcList', 'pending_3ds', 'Falta que autorices tu pago'],
    ['/', 'unknown', 'Confirmando tu pago'],
    ['/dashboard', 'unknown', 'Confirmando tu pago'],
  ] as const)(
    'on %s a purchase whose card payment is %s is not shown as if nothing had been paid',
    async (where, state, words) => {
      made.openAttempt = state;
      const late = purchase(42, 'Estufa', [
        instalment(42, 1, PAID),
        instalment(42, 2, { visibleAlPago: true, late: true, fechaVencimiento: day(-4) }),
      ]);
      late.openAttempt = state;
      lists = () => page([made, late]);
      next = () => ok(payable(late, { attempt: attempt(state) }));
      open(where);
      await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
      expect(screen.queryByText('Vence mañana')).toBeNull();
      // Late and under way are two facts.
      expect(screen.getAllByText('Venció hace 4 días')).not.toEqual([]);
    },
  );

  test.each(['/cxcList', '/', '/dashboard', '/saleCxcList/41'])(
    'on %s what is due tomorrow is due today, when it is looked at again the next day',
    async (where) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      open(where);
      expect(await screen.findAllByText('Vence mañana')).not.toEqual([]);
      vi.setSystemTime(Date.now() + DAY_MS);
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
      expect(await screen.findAllByText('Vence hoy')).not.toEqual([]);
      expect(screen.queryByText('Vence mañana')).toBeNull();
    },
  );

  test.each([
    ['paid-off', purchase(43, 'Radio', [instalment(43, 1, PAID), instalment(43, 2, PAID)]), 'Liquidada'],
    ['cancelled', { ...purchase(44, 'Mesa'), cancelled: true }, 'Cancelada'],
  ])('a %s purchase cannot be cancelled', async (_, shown, label) => {
    lists = () => page([shown]);
    open('/cxcList?filtro=todas');
    const card = await screen.findByRole('article');
    expect(within(card).getByText(label)).toBeTruthy();
    expect(within(card).queryByRole('button', { name: /^Canc\.Compra/ })).toBeNull();
  });

  test('the filter shows its four options with their counts, goes into the address, and asks for its own', async () => {
    const asked: (string | null)[] = [];
    lists = (search) => {
      if (search.get('limit') === '1') return page([made], { total: Number(search.get('status')) * 10 });
      asked.push(search.get('status'));
      return page([]);
    };
    const { user, here } = open('/cxcList');
    await user.click(await screen.findByRole('button', { name: 'Filtrar compras: Activa' }));
    const options = screen.getAllByRole('menuitemradio');
    await waitFor(() =>
      expect(options.map((option) => option.textContent)).toEqual([
        'Todas10',
        'Activa20',
        'Liquidada30',
        'Cancelada40',
      ]),
    );
    expect(options[1]!.getAttribute('aria-checked')).toBe('true');
    // By keyboard, from the checked item down to the next.
    await user.keyboard('{ArrowDown}{Enter}');
    expect(here()).toBe('/cxcList?filtro=liquidada');
    expect(await screen.findByText('Todavía no tienes compras liquidadas.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filtrar compras: Liquidada' }));
    expect(asked).toEqual(['2', '3']);
  });

  test('Esc closes the filter and gives the focus back', async () => {
    const { user } = open('/cxcList');
    const button = await screen.findByRole('button', { name: 'Filtrar compras: Activa' });
    await user.click(button);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  test("nothing bought yet: spec §2's message word for word, and a link to reserve", async () => {
    lists = () => page([]);
    open('/cxcList');
    expect(
      await screen.findByText(
        'Tu listado de compras está vacio! Para realizar un apartado toma foto del código QR del producto o servicio y después inicia sesión.',
      ),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Realizar Apartados' }).getAttribute('href')).toBe('/apartado');
  });

  test.each(['/cxcList', '/dashboard'])(
    'who has only a purchase of another state reads that none is active, what they are to get of it, and is led to all: %s',
    async (path) => {
      lists = onlyWaiting;
      open(path);
      expect(await screen.findByText('No tienes compras activas.')).toBeTruthy();
      expect(screen.queryByText(/vacio/)).toBeNull();
      const all = screen.getByRole('link', { name: 'Ver todas mis compras' });
      expect(all.getAttribute('href')).toBe('/cxcList?filtro=todas');
      const waiting = await screen.findByRole('region', { name: 'Lo que tienes por recibir' });
      expect(within(waiting).getByText('La tienda te debe $100.00')).toBeTruthy();
    },
  );

  test.each(['/cxcList', '/cxcList?filtro=todas', '/dashboard'])(
    'a deposit whose card is being confirmed, one that a store owes back and one that goes back to a card stand above the empty list: %s',
    async (path) => {
      lists = () => page([]);
      unresolved = ok([
        { ...offered, attempt: attemptThat('unknown') },
        { ...offered, Id: 78, id: 78, Estatus: 3, owedBack: 599 },
        { ...offered, Id: 79, id: 79, Estatus: 3, owedToCard: 615 },
      ]);
      open(path);
      expect(await screen.findByRole('heading', { name: 'Estamos confirmando tu pago' })).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Ver mi pago' }).getAttribute('href')).toBe(
        '/pullapartByClip/77',
      );
      expect(screen.getByText('Se te deben $599.00 que ya pagaste.')).toBeTruthy();
      expect(screen.getByText('Te devolvemos $615.00 a tu tarjeta.')).toBeTruthy();
      expect(screen.getByText(/^Tu listado de compras está vacio!/)).toBeTruthy();
    },
  );

  test.each<[string, string, object, string, string]>([
    [
      '/cxcList',
      'one',
      { waiting: [WAITING] },
      'dinero por recibir y un producto por recoger: Estufa',
      '/saleCxcList/39',
    ],
    [
      '/dashboard',
      'one',
      { waiting: [WAITING] },
      'dinero por recibir y un producto por recoger: Estufa',
      '/saleCxcList/39',
    ],
    ['/cxcList', 'a reservation', { unresolved: 1 }, 'un apartado sin terminar', '/'],
    [
      '/dashboard',
      'all',
      { waiting: [WAITING, { ...WAITING, ventaId: 38 }], unresolved: 2 },
      'apartados sin terminar, dinero por recibir y productos por recoger',
      '/',
    ],
  ])(
    'above active purchases %s says what else waits, of %s, and leads to it',
    async (path, _, beside, said, to) => {
      lists = () => page([made], beside);
      open(path);
      const line = await screen.findByRole('link', { name: `También tienes ${said}` });
      expect(line.getAttribute('href')).toBe(to);
    },
  );

  test('above active purchases nothing is said where nothing waits', async () => {
    open('/cxcList');
    expect(await screen.findByRole('article')).toBeTruthy();
    expect(screen.queryByText(/También tienes/)).toBeNull();
  });

  test('no network: says so, and loads on another try', async () => {
    lists = () => 'no network';
    const { user } = open('/cxcList');
    expect(await screen.findByText('No pudimos cargar tus compras')).toBeTruthy();
    lists = () => page([made]);
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(await screen.findByRole('article')).toBeTruthy();
  });

  test("'Ver más' goes on from the server's cursor, and a page that fails leaves the first one", async () => {
    let second: Answer = 'no network';
    lists = (search) => (search.get('cursor') === '41' ? second : page([made], { next: '41', total: 2 }));
    const { user } = open('/cxcList');
    await user.click(await screen.findByRole('button', { name: 'Ver más' }));
    expect(await screen.findByText('No pudimos cargar las que siguen.')).toBeTruthy();
    expect(screen.getAllByRole('article')).toHaveLength(1);
    second = page([purchase(40, 'Silla')], { total: null });
    await user.click(screen.getByRole('button', { name: 'Ver más' }));
    expect(await screen.findByRole('heading', { name: 'Silla' })).toBeTruthy();
    expect(screen.getAllByRole('article')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Ver más' })).toBeNull();
  });

  test('going back from a purchase restores the filter and the card that was opened', async () => {
    lists = () => page([purchase(40, 'Silla'), made]);
    const { user, here } = open('/cxcList?filtro=todas');
    await user.click(await screen.findByRole('link', { name: /Lavadora/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Lavadora 18 kg' })).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Pagos pendientes' }));
    expect(here()).toBe('/cxcList?filtro=todas');
    expect(document.activeElement).toBe(await screen.findByRole('link', { name: /Lavadora/ }));
  });
});

describe('a purchase', () => {
  test('shows when its next payment is known too, never for a moment before: what stands below would move', async () => {
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    next = async () => {
      asked();
      await late;
      return ok(payable(made));
    };
    let wasShownBefore = false;
    const watch = new MutationObserver(() => {
      wasShownBefore ||= screen.queryByRole('heading', { name: 'Tus pagos' }) !== null;
    });
    watch.observe(document.body, { childList: true, subtree: true });
    open('/saleCxcList/41');
    await isAsked;
    await new Promise((resolve) => setTimeout(resolve, 50));
    watch.disconnect();
    expect(wasShownBefore).toBe(false);
    answer();
    expect(await screen.findByRole('heading', { name: 'Tus pagos' })).toBeTruthy();
  });

  const partial = { valor: 1000, pagos: 400, saldo: 600, visibleAlPago: true };

  test('shows each instalment with what was applied to it, and the receipt of every payment', async () => {
    made.instalments[1] = instalment(41, 2, {
      ...partial,
      notasCxc: 'Pago parcial en caja 12 nov',
      cxcPagos: [applied(11, 400, { method: 'till', last4: null })],
    });
    open('/saleCxcList/41');
    const line = await screen.findByRole('list', { name: 'Tus pagos' });
    const [deposit, second, last] = within(line).getAllByRole('listitem');
    expect(within(deposit!).getByText('Pago 1 · Adelanto')).toBeTruthy();
    expect(within(deposit!).getByText('Pagado')).toBeTruthy();
    expect(within(deposit!).getByText('Abono aplicado')).toBeTruthy();
    expect(within(deposit!).getByText(/20 oct 2026 · tarjeta/)).toBeTruthy();
    expect(within(deposit!).getByRole('link', { name: 'Ver recibo A7K2993110' }).getAttribute('href')).toBe(
      '/recibo/A7K2993110',
    );
    expect(within(second!).getByText('Pago parcial')).toBeTruthy();
    expect(within(second!).getByText(/20 oct 2026 · caja/)).toBeTruthy();
    expect(within(second!).getByText('$600.00')).toBeTruthy();
    expect(within(last!).getByText('Pago 3 · Último')).toBeTruthy();
    expect(within(last!).getByText('Por vencer')).toBeTruthy();
    expect(screen.queryByText(/^Factura del pago/)).toBeNull();
  });

  test('leaves room for the invoice of what may be invoiced and of what was', async () => {
    made.instalments[0] = instalment(41, 1, { ...PAID, mayBeInvoiced: true, feePaid: true });
    made.instalments[1] = instalment(41, 2, { ...PAID, invoice: INVOICE });
    made.instalments[2] = instalment(41, 3, { ...PAID, invoiceUntil: '2026-11-05' });
    open('/saleCxcList/41');
    expect(await screen.findByText('Factura del pago 1 de 3, por pedir, sin su cargo')).toBeTruthy();
    expect(screen.getByText('Factura del pago 2 de 3')).toBeTruthy();
    expect(screen.getByText('Factura del pago 3 de 3, hasta 2026-11-05')).toBeTruthy();
  });

  const ASK_SHOP = 'Este comercio todavía no factura aquí. Pide tu factura directamente al comercio.';

  test('says once whom to ask for an invoice where the shop does not invoice here', async () => {
    made.invoicedHere = false;
    made.instalments[1] = instalment(41, 2, PAID);
    open('/saleCxcList/41');
    expect((await screen.findAllByText(ASK_SHOP)).length).toBe(1);
  });

  test.each([
    ['of a cancelled purchase', () => Object.assign(made, { invoicedHere: false, cancelled: true })],
    ['where a server does not say', () => Object.assign(made, { invoicedHere: undefined })],
  ])('sends nobody to the shop for an invoice %s', async (_, change) => {
    change();
    open('/saleCxcList/41');
    await screen.findByRole('heading', { name: 'Tus pagos' });
    expect(screen.queryByText(ASK_SHOP)).toBeNull();
  });

  test('tells the invoice of what was paid that its purchase ended', async () => {
    made.cancelled = true;
    made.instalments[1] = instalment(41, 2, { ...PAID, invoice: INVOICE });
    open('/saleCxcList/41');
    expect(await screen.findByText('Factura del pago 2 de 3, de una cancelada')).toBeTruthy();
  });

  test("'Realizar pago' offers both payment methods with their cost", async () => {
    const { user, here } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    const popup = await screen.findByRole('dialog', { name: 'Realizar pago' });
    expect(within(popup).getByRole('button', { name: /Pago con clip.*1,015 pesos.*\$15\.00/ })).toBeTruthy();
    expect(within(popup).queryByText('Ultimo pago a realizar!')).toBeNull();
    await user.click(within(popup).getByRole('button', { name: /Pago presencial.*1,000 pesos/ }));
    expect(here()).toBe('/onSitePaymentByTapi/41/412');
  });

  test('the buyer chooses how much, reads what it fills, and every way shows its total', async () => {
    const { user, here } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    const popup = within(await screen.findByRole('dialog', { name: 'Realizar pago' }));
    await user.click(popup.getByLabelText('Todo lo que falta: $2,000.00'));
    popup.getByText('Con esto liquidas tu compra.');
    popup.getByRole('button', { name: /Pago con clip.*2,015 pesos/ });
    popup.getByRole('button', { name: /En la caja de Electro Hogar.*2,000 pesos/ });
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(popup.getByLabelText('Otro monto'));
    await user.click(popup.getByLabelText('Otro monto'));
    await user.type(popup.getByLabelText('Monto en pesos'), '20');
    await user.click(popup.getByRole('button', { name: /Pago presencial/ }));
    popup.getByText('Escribe un monto de $50.00 a $2,000.00. Los centavos van con punto.');
    expect(document.activeElement).toBe(popup.getByLabelText('Monto en pesos'));
    // Without its comma it would be $2,000.00, which may be paid.
    await user.clear(popup.getByLabelText('Monto en pesos'));
    await user.type(popup.getByLabelText('Monto en pesos'), '20,00');
    await user.click(popup.getByRole('button', { name: /Pago presencial/ }));
    popup.getByText('Escribe un monto de $50.00 a $2,000.00. Los centavos van con punto.');
    await user.clear(popup.getByLabelText('Monto en pesos'));
    await user.type(popup.getByLabelText('Monto en pesos'), '1140.20');
    popup.getByText('Termina el pago 2 y abona $140.20 al 3. Quedarían $859.80.');
    await user.click(popup.getByRole('button', { name: /Pago presencial.*1,140 pesos/ }));
    expect(here()).toBe('/onSitePaymentByTapi/41/412?monto=1140.20');
  });

  test('its browser may make the card screen ready of what is offered, not of each figure that is typed', async () => {
    const ahead = () => {
      const link = document.querySelector<HTMLAnchorElement>('a[data-ahead]');
      return link && link.pathname + link.search;
    };
    const { user } = open('/saleCxcList/41');
    const pay = await screen.findByRole('button', { name: 'Realizar pago' });
    expect(ahead()).toBeNull();
    await user.click(pay);
    const popup = within(await screen.findByRole('dialog', { name: 'Realizar pago' }));
    expect(ahead()).toBe('/paymentByClib/41/412');
    await user.click(popup.getByLabelText('Todo lo que falta: $2,000.00'));
    expect(ahead()).toBe('/paymentByClib/41/412?monto=2000.00');
    await user.click(popup.getByLabelText('Otro monto'));
    await user.type(popup.getByLabelText('Monto en pesos'), '500');
    expect(ahead()).toBeNull();
  });

  test.each([
    ['without cards', { acceptsCards: false }, undefined],
    ['of a tab that has a payment to forget first', {}, 'intentoId'],
    ['of a tab that still shows one as paid', {}, 'intentoPagado'],
  ])('no card screen is made ready %s', async (_, about, key) => {
    if (key) sessionStorage.setItem(key, 'kept');
    next = () => ok(payable(made, about));
    const { user } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    await screen.findByRole('dialog', { name: 'Realizar pago' });
    expect(document.querySelector('a[data-ahead]')).toBeNull();
  });

  test('a sum to catch up that goes away while the popup is open leaves another one chosen', async () => {
    const late = (number: number, days: number, about = {}) =>
      instalment(41, number, { late: days < 0, fechaVencimiento: day(days), ...about });
    const paidOff = instalment(41, 1, PAID);
    const [second, last] = [late(2, -20, { visibleAlPago: true }), late(4, 20)];
    made = purchase(41, 'Lavadora', [paidOff, second, late(3, -5), last]);
    const queries = newCache();
    const { user, here } = open('/saleCxcList/41', queries);
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    const popup = within(await screen.findByRole('dialog', { name: 'Realizar pago' }));
    await user.click(popup.getByLabelText('Ponerme al corriente: $2,000.00'));
    // Its day is moved in another tab.
    made = purchase(41, 'Lavadora', [paidOff, second, late(3, 5), last]);
    await act(() => queries.invalidateQueries());
    await expect.poll(() => popup.queryByLabelText(/Ponerme al corriente/)).toBeNull();
    expect(popup.getByLabelText<HTMLInputElement>('Lo que sigue: $1,000.00').checked).toBe(true);
    await user.click(popup.getByRole('button', { name: /Pago presencial.*1,000 pesos/ }));
    expect(here()).toBe('/onSitePaymentByTapi/41/412');
  });

  test('the link of a reminder asks at once how much and how; closed, it does not ask again', async () => {
    const { user, here } = open('/saleCxcList/41?pagar');
    const popup = await screen.findByRole('dialog', { name: 'Realizar pago' });
    await user.click(within(popup).getAllByRole('button', { name: 'Cerrar' }).at(-1)!);
    await expect.poll(() => popup.isConnected).toBe(false);
    expect(here()).toBe('/saleCxcList/41');
  });

  test('the number for the till is one for the whole purchase, and one tap from its bar code', async () => {
    open('/saleCxcList/41');
    const link = await screen.findByRole('link', { name: 'En caja: 3100 0482 118' });
    expect(link.getAttribute('href')).toBe('/codigo/31000482118');
  });

  test.each(['/saleCxcList/41', '/', '/dashboard'])(
    'without internet the number for the till stays, with its bar code, and only a card needs the network: %s',
    async (path) => {
      next = () => 'no network';
      open(path);
      const link = await screen.findByRole('link', { name: 'En caja: 3100 0482 101' });
      expect(link.getAttribute('href')).toBe('/codigo/31000482101');
      expect(screen.getByText('Para pagar con tarjeta necesitas internet')).toBeTruthy();
      expect(screen.queryByText('No pudimos preparar tu pago')).toBeNull();
    },
  );

  test.each([
    ['whose shop has no till', () => Object.assign(made, { acceptsTills: false })],
    ['that a card is paying', () => Object.assign(made, { openAttempt: 'unknown' })],
    ['whose payment the server refuses to prepare', () => void (next = () => refuse(404, 'NOT_FOUND'))],
  ])('no number for the till is told of a purchase %s', async (_, becomes) => {
    next = () => 'no network';
    becomes();
    for (const path of ['/', '/saleCxcList/41']) {
      const { unmount } = open(path);
      expect(await screen.findByText('No pudimos preparar tu pago')).toBeTruthy();
      expect(screen.queryByRole('link', { name: /^En caja/ })).toBeNull();
      unmount();
    }
  });

  test("at the last instalment the popup says 'Ultimo pago a realizar!', and 'Cerrar' closes it", async () => {
    made.instalments[1] = instalment(41, 2, PAID);
    made.instalments[2] = instalment(41, 3, { visibleAlPago: true });
    const { user } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    const popup = screen.getByRole('dialog');
    expect(within(popup).getByText('Ultimo pago a realizar!')).toBeTruthy();
    await user.click(within(popup).getAllByRole('button', { name: 'Cerrar' }).at(-1)!);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test("a merchant without cards: the spec's warning, and then the purchases instead of the card screen", async () => {
    sessionStorage.setItem('intentoId', 'kept');
    next = () => ok(payable(made, { acceptsCards: false }));
    const { user, here } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    await user.click(screen.getByRole('button', { name: /Pago con clip/ }));
    const alert = screen.getByRole('alertdialog', { name: 'Falta de configuración!' });
    expect(within(alert).getByText('No se pueden realizar pagos con tarjeta!')).toBeTruthy();
    await user.click(within(alert).getByRole('button', { name: 'Aceptar' }));
    await expect.poll(here).toBe('/cxcList');
    expect(sessionStorage.getItem('intentoId')).toBeNull();
  });

  test.each([
    ['submitting', 'Ver cómo va'],
    ['pending_3ds', 'Continuar mi pago'],
    ['unknown', 'Ver cómo va'],
    ['held', 'Ver cómo va'],
  ] as const)(
    'nobody pays twice: with a card payment %s there is no pay button, only a link to it',
    async (state, go) => {
      next = () => ok(payable(made, { attempt: attempt(state) }));
      open('/saleCxcList/41');
      const link = await screen.findByRole('link', { name: go });
      expect(link.getAttribute('href')).toBe('/paymentByClib/41/412');
      expect(screen.queryByRole('button', { name: 'Realizar pago' })).toBeNull();
      expect(screen.getAllByText('Por confirmar').length).toBeGreaterThan(0);
    },
  );

  test.each(['/', '/saleCxcList/41'])(
    'while their bank waits for the buyer, %s says that they must go on, and not that they must wait',
    async (where) => {
      next = () => ok(payable(made, { attempt: attempt('pending_3ds') }));
      open(where);
      expect(await screen.findByText('Falta que autorices tu pago')).toBeTruthy();
      const text = 'Termina la autenticación con tu banco. No pagues de otra forma mientras tanto.';
      expect(screen.getByText(text)).toBeTruthy();
      const go = screen.getByRole('link', { name: 'Continuar mi pago' });
      expect(go.getAttribute('href')).toBe('/paymentByClib/41/412');
      expect(screen.queryByText(/te digamos cómo quedó/)).toBeNull();
    },
  );

  test.each(['rejected', 'abandoned', 'not_charged'] as const)(
    'a card payment that ended %s frees the buyer',
    async (state) => {
      next = () => ok(payable(made, { attempt: attempt(state) }));
      open('/saleCxcList/41');
      expect(await screen.findByRole('button', { name: 'Realizar pago' })).toBeTruthy();
    },
  );

  /** Where a screen leads by opening another document. */
  function opensDocuments() {
    const assign = vi.fn<(to: string) => void>();
    stubLocation({ assign });
    onTestFinished(() => void vi.unstubAllGlobals());
    return assign;
  }

  test('the sheet stays until the card form shows, and then at once is not in what a browser keeps for who turns back', async () => {
    const assign = opensDocuments();
    const { user } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    await user.click(await screen.findByRole('button', { name: /Pago con clip/ }));
    expect(assign).toHaveBeenCalledOnce();
    expect(screen.getByRole('dialog')).toBeTruthy();
    window.dispatchEvent(new Event('pagehide'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a rejection that its buyer has read does not meet them again when they pay anew', async () => {
    const assign = opensDocuments();
    const rejected = attempt('rejected');
    sentAttempts.dismiss(rejected.intentoId);
    next = () => ok(payable(made, { attempt: rejected }));
    const { user } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Realizar pago' }));
    await user.click(await screen.findByRole('button', { name: /Pago con clip/ }));
    expect(assign).toHaveBeenCalledWith('/paymentByClib/41/412');
    expect(sentAttempts.isDismissed(rejected.intentoId)).toBe(true);
  });

  test('a reference alive at the stores is one tap away', async () => {
    made.instalments[1] = instalment(41, 2, { visibleAlPago: true, cashReferenceExpiresAt: moment(1) });
    open('/saleCxcList/41');
    const go = await screen.findByRole('link', { name: 'Ver referencia' });
    expect(go.getAttribute('href')).toBe('/onSitePaymentByTapi/41/412');
    expect(screen.getAllByText('Esperando pago en tienda').length).toBeGreaterThan(0);
  });

  test('a late payment that waits at a store stays late, in its ticket and among all payments', async () => {
    made.instalments[1] = instalment(41, 2, LATE_AT_STORE);
    open('/saleCxcList/41');
    const ticket = await screen.findByRole('region', { name: 'Siguiente pago' });
    expect(await within(ticket).findByText('Esperando pago en tienda')).toBeTruthy();
    expect(within(ticket).getByText('Venció hace 4 días')).toBeTruthy();
    const [, second] = within(screen.getByRole('list', { name: 'Tus pagos' })).getAllByRole('listitem');
    expect(within(second!).getByText('Vencido')).toBeTruthy();
    expect(within(second!).getByText('Esperando pago en tienda')).toBeTruthy();
  });

  test.each([
    ['the buyer’s own', null, 'Pagaste', '$1,215.00', 'Recibimos tu pago: ya está aplicado a tu compra.'],
    [
      'a helper’s, by what came of it without their fee',
      'Tía Marta',
      'Te dieron',
      '$1,200.00',
      'Tía Marta te ayudó: su pago ya está aplicado a tu compra.',
    ],
  ])('a payment that comes while the buyer looks is shown as %s', async (_, whose, label, sum, words) => {
    payer = whose;
    const deposit = instalment(41, 1, { ...PAID, cxcPagos: [] });
    const second = instalment(41, 2, PAID);
    made = purchase(41, 'Lavadora', [deposit, instalment(41, 2, { visibleAlPago: true }), instalment(41, 3)]);
    const queries = newCache();
    open('/saleCxcList/41', queries);
    await screen.findByRole('button', { name: 'Realizar pago' });
    made = purchase(41, 'Lavadora', [deposit, second, instalment(41, 3, { visibleAlPago: true })]);
    await queries.invalidateQueries();
    const stamp = within(await screen.findByRole('dialog', { name: 'Pago recibido' }));
    expect(stamp.getByText(label).nextElementSibling?.textContent).toContain(sum);
    expect(stamp.getByText(words)).toBeTruthy();
  });

  test('paid off: no button, and a badge with the date', async () => {
    made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
    open('/saleCxcList/41');
    expect(await screen.findByRole('heading', { name: '¡Ya es tuyo!' })).toBeTruthy();
    expect(screen.getByText('Recógelo en Electro Hogar')).toBeTruthy();
    expect(await screen.findByText('Av. Juárez 5, Puebla')).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Pagado el 20 oct 2026' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Realizar pago' })).toBeNull();
    const ready = screen.getByRole('region', { name: 'Listo para recoger' });
    expect(within(ready).getByText('482 913')).toBeTruthy();
    expect(within(ready).getByRole('group', { name: 'Código de entrega' }).textContent).toContain(
      '4 8 2, 9 1 3',
    );
    expect(within(ready).getByRole('img', { name: 'Código QR de entrega' })).toBeTruthy();
  });

  test('a pickup code that the server cannot confirm says that it is the last one that was seen', async () => {
    made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
    const queries = newCache();
    open('/saleCxcList/41', queries);
    await screen.findByText('482 913');
    expect(screen.queryByText('Sin internet: este es el último código que viste.')).toBeNull();
    isAway = true;
    await queries.refetchQueries();
    expect(await screen.findByText('Sin internet: este es el último código que viste.')).toBeTruthy();
    expect(screen.getByText('482 913')).toBeTruthy();
  });

  test('the digits of a new pickup code are said to who cannot see them', async () => {
    made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
    const { user } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Cambiar el código' }));
    const said = () => screen.getAllByRole('status').map((status) => status.textContent);
    await expect.poll(said).toContain('Código de entrega: 1 1 5, 2 0 8');
  });

  test('the buyer may name another person to collect it, and another again', async () => {
    made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
    const { user } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Que lo recoja otra persona' }));
    for (const name of ['Rosa Luna', 'Pedro Luna']) {
      const field = screen.getByLabelText('Nombre de quien lo recoge');
      expect(document.activeElement).toBe(field);
      await user.clear(field);
      await user.type(field, name);
      await user.click(screen.getByRole('button', { name: 'Guardar' }));
      expect(await screen.findByText(name)).toBeTruthy();
      const change = screen.getByRole('button', { name: 'Cambiar quién lo recoge' });
      await expect.poll(() => document.activeElement).toBe(change);
      await user.click(change);
    }
    isAway = true;
    await user.click(screen.getByRole('button', { name: 'Lo recojo yo' }));
    expect((await screen.findByRole('alert')).textContent).toContain('conexión');
    isAway = false;
    await user.click(screen.getByRole('button', { name: 'Lo recojo yo' }));
    expect(await screen.findByRole('button', { name: 'Que lo recoja otra persona' })).toBeTruthy();
  });

  test('not handed over in time: the buyer claims, reads where it stands and what the shop says, and takes it back', async () => {
    made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
    const { user } = open('/saleCxcList/41');
    const late = await screen.findByRole('region', { name: '¿No te la han entregado?' });
    expect(within(late).getByText(/La tienda tenía hasta el 4 de noviembre de 2026/)).toBeTruthy();
    await user.click(within(late).getByRole('button', { name: 'Reclamar mi entrega' }));
    await user.type(within(late).getByLabelText(/Qué pasó/), 'No ha llegado');
    await user.click(within(late).getByRole('button', { name: 'Enviar mi reclamo' }));
    const mine = await screen.findByRole('region', { name: 'Tu reclamo' });
    for (const words of ['K7Q2 M9XW 4T', 'No ha llegado', /Tiene hasta el 27 de noviembre de 2026/])
      expect(within(mine).getByText(words)).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { notes: 'No ha llegado' },
    ]);
    await user.click(within(mine).getByRole('button', { name: 'Retirar mi reclamo' }));
    await user.click(within(mine).getByRole('button', { name: 'Sí, retirarlo' }));
    expect(await screen.findByRole('region', { name: '¿No te la han entregado?' })).toBeTruthy();
  });

  test('a claim shows the answer of the shop with its day, and that we see to one that waits too long', async () => {
    made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
    const answer = { text: 'Ya viene en camino', at: '2026-11-22T18:00:00.000Z', promisedOn: '2026-11-25' };
    claim = { ...CLAIM, state: 'answered', answer, isOverdue: true };
    open('/saleCxcList/41');
    const mine = await screen.findByRole('region', { name: 'Tu reclamo' });
    expect(within(mine).getByText('La tienda te contestó el 22 de noviembre de 2026:')).toBeTruthy();
    expect(
      within(mine).getByText('«Ya viene en camino» Te la entrega el 25 de noviembre de 2026.'),
    ).toBeTruthy();
    expect(within(mine).getByText('La tienda no cumplió su plazo.')).toBeTruthy();
  });

  test('handed over: where, when and by whom, and no code', async () => {
    made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
    const at = '2026-11-20T18:00:00.000Z';
    pickup = { code: null, collector: 'Rosa Luna', handedOver: { at, branch: 'Centro', by: 'Luis M.' } };
    open('/saleCxcList/41');
    const done = await screen.findByRole('region', { name: 'Entregado' });
    for (const text of ['Centro', 'Luis M.', 'Rosa Luna']) expect(within(done).getByText(text)).toBeTruthy();
    expect(screen.queryByText('Listo para recoger')).toBeNull();
  });

  test('cancelled without a penalty: paid is what it was before, with the fee that comes back beside it', async () => {
    made.cancelled = true;
    made.bill = { paid: 1015, penalty: 0, feesReturned: 15, feesKept: 0, refund: 1015 };
    open('/saleCxcList/41');
    const bill = within(await screen.findByRole('region', { name: 'La cuenta de tu devolución' }));
    const sumOf = (label: string) => bill.getByText(label).nextElementSibling?.textContent;
    expect(sumOf('Pagado')).toContain('$1,000.00');
    expect(sumOf('Cargo por servicio')).toMatch(/^\$15\.00/);
    expect(sumOf('Se devuelve')).toContain('$1,015.00');
    expect(bill.queryByText(/Cargo por cancelar|no se devuelve/)).toBeNull();
  });

  test('cancelled: where each refund stands, and nothing to pay', async () => {
    made.cancelled = true;
    made.instalments[1] = instalment(41, 2);
    const refund = {
      last4: null,
      payerName: null,
      folio: 'A7K2993110',
      createdAt: '2026-10-25T18:00:00.000Z',
      doneAt: null,
    };
    refunds = ok([
      {
        ...refund,
        id: 1,
        amount: 500,
        way: 'card',
        last4: '4821',
        state: 'done',
        doneAt: '2026-10-27T18:00:00.000Z',
      },
      { ...refund, id: 2, amount: 300, way: 'cash', state: 'owed' },
      { ...refund, id: 3, amount: 200, way: 'card', state: 'in_review' },
      { ...refund, id: 4, amount: 150, way: 'cash', state: 'owed', payerName: 'Marta' },
      { ...refund, id: 5, amount: 120, way: 'card', state: 'owed', payerName: 'Luis' },
    ]);
    open('/saleCxcList/41');
    const bill = within(await screen.findByRole('region', { name: 'La cuenta de tu devolución' }));
    const sumOf = (label: string) => bill.getByText(label).nextElementSibling?.textContent;
    expect(sumOf('Pagado')).toContain('$1,000.00');
    expect(sumOf('Cargo por cancelar')).toContain('−menos $200.00');
    expect(sumOf('Se devuelve')).toContain('$800.00');
    bill.getByText(
      'El cargo por servicio de $15.00 no se devuelve. Lo que no se devuelve no se factura aquí. Si necesitas su factura, pídela al comercio.',
    );
    const section = await screen.findByRole('region', { name: 'Tus devoluciones' });
    expect(within(section).getByText(/\$500\.00 a tu tarjeta.*4821/)).toBeTruthy();
    expect(within(section).getByText(/Devuelta el 27 oct 2026/)).toBeTruthy();
    expect(within(section).getByText('$300.00 en efectivo')).toBeTruthy();
    expect(within(section).getByText(/El comercio te lo entrega: pídelo en su caja/)).toBeTruthy();
    expect(within(section).getByText(/Una persona la está viendo/)).toBeTruthy();
    expect(within(section).getByText('$150.00 en efectivo para Marta')).toBeTruthy();
    expect(within(section).getByText(/El comercio se lo entrega a quien te ayudó/)).toBeTruthy();
    expect(within(section).getByText('$120.00 a la tarjeta de Luis')).toBeTruthy();
    expect(within(section).getByText(/La enviamos a su banco/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Realizar pago|Canc/ })).toBeNull();
    expect(screen.getAllByText('Ya no se cobra')).toHaveLength(2);
    expect(screen.getAllByText(/^Iba a vencer el /)).toHaveLength(2); // and the paid one names no date
  });

  test('of a half-paid instalment nothing is left to pay once the purchase is cancelled', async () => {
    const half = { pagos: 60, saldo: 940, cxcPagos: [applied(11, 60)], visibleAlPago: true };
    made.instalments[1] = instalment(41, 2, half);
    const { unmount } = open('/saleCxcList/41');
    const second = async () => {
      const payments = await screen.findByRole('list', { name: 'Tus pagos' });
      return within(within(payments).getAllByRole('listitem')[1]!);
    };
    expect((await second()).getByText('Saldo').nextElementSibling?.textContent).toContain('$940.00');
    unmount();
    made.cancelled = true;
    open('/saleCxcList/41');
    expect((await second()).getByText('Ya no se cobra')).toBeTruthy();
    expect((await second()).getByText('Abono aplicado').nextElementSibling?.textContent).toContain('$60.00');
    expect((await second()).queryByText('Saldo')).toBeNull();
  });

  const SURPLUS = {
    id: 1,
    amount: 600.2,
    way: 'cash',
    state: 'owed',
    last4: null,
    payerName: null,
    folio: 'A7K2993110',
    createdAt: '2026-11-20T18:00:00.000Z',
    doneAt: null,
  };

  test('still being paid: what a store took too much is shown with it, above its payments', async () => {
    made.hasRefunds = true;
    refunds = ok([SURPLUS]);
    open('/saleCxcList/41');
    const section = await screen.findByRole('region', { name: 'Tu devolución' });
    expect(within(section).getByText('$600.20 en efectivo')).toBeTruthy();
    expect(within(section).getByText(/El comercio te lo entrega: pídelo en su caja/)).toBeTruthy();
    const payments = screen.getByRole('region', { name: 'Tus pagos' });
    expect(section.compareDocumentPosition(payments) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Canc.Compra' })).toBeTruthy();
  });

  test('what the shop’s own terminal took goes back to that card in the shop, and is not told as cash', async () => {
    const onTerminal = { ...SURPLUS, amount: 600, last4: '4242' };
    made.hasRefunds = true;
    refunds = ok([
      onTerminal,
      { ...onTerminal, id: 2, amount: 50, state: 'done', doneAt: '2026-11-21T18:00:00.000Z' },
    ]);
    open('/saleCxcList/41');
    const section = within(await screen.findByRole('region', { name: 'Tus devoluciones' }));
    expect(section.getByText(/^\$600\.00 en la tienda, a la tarjeta.*4242$/)).toBeTruthy();
    expect(section.getByText(/^Por entregar\. El comercio te lo entrega: pídelo en su caja/)).toBeTruthy();
    expect(section.getByText(/^Devuelta el 21 nov 2026\. Tu banco puede tardar/)).toBeTruthy();
    expect(section.queryByText(/efectivo/)).toBeNull();
  });

  test.each([
    ['till', null, null, '$615.00 en efectivo', /^La caja te regresa ese dinero\. Del pago con folio A7K2/],
    ['till', '4242', null, /^\$615\.00 en la tienda, a la tarjeta.*4242$/, /^La caja te regresa/],
    ['cash', null, null, '$615.00 en efectivo', /^La tienda donde se pagó te regresa ese dinero\./],
    ['cash', null, 'Marta', '$615.00 en efectivo para Marta', /lo regresa a quien te ayudó\./],
    ['card', '4821', null, /^\$615\.00 a tu tarjeta.*4821$/, /^Devuelto\. Tu banco puede tardar/],
  ] as const)(
    'ended as its deposit was taken back (%s, %s, %s): who gives that back, and how much',
    async (method, last4, payerName, title, how) => {
      made.cancelled = true;
      made.endedBy = 'reversal';
      made.takenBack = [applied(10, 615, { method, last4, payerName })];
      open('/saleCxcList/41');
      const section = within(await screen.findByRole('region', { name: 'Tu devolución' }));
      expect(section.getByText(title)).toBeTruthy();
      expect(section.getByText(how)).toBeTruthy();
      expect(screen.queryByText(/no quedó nada por devolver/)).toBeNull();
    },
  );

  test('ended as its deposit was taken back, and nobody says by whom: nothing is claimed of that money', async () => {
    made.cancelled = true;
    made.endedBy = 'reversal';
    open('/saleCxcList/41');
    await screen.findByText(/se quitó lo que se había pagado/);
    expect(screen.queryByRole('region', { name: /^Tus? devoluci/ })).toBeNull();
  });

  test.each(['being paid', 'paid off'] as const)(
    'one that is %s and was seen before is shown whole while nothing answers',
    async (how) => {
      if (how === 'paid off')
        made = purchase(41, 'Radio', [instalment(41, 1, PAID), instalment(41, 2, PAID)]);
      const before = newCache();
      await before.fetchQuery(purchaseQuery(41));
      await before.fetchQuery(refundsQuery(41));
      const queries = newCache();
      // As `seen.ts` brings it back: no answer of this visit.
      for (const { queryKey } of [purchaseQuery(41), refundsQuery(41)])
        queries
          .getQueryCache()
          .build(queries, { queryKey })
          .setState({ data: before.getQueryData(queryKey), dataUpdatedAt: Date.now(), status: 'success' });
      next = () => new Promise(() => {});
      refunds = new Promise(() => {});
      open('/saleCxcList/41', queries);
      expect(await screen.findByRole('heading', { level: 1, name: made.product })).toBeTruthy();
    },
  );

  test('still being paid, with nothing to give back: no refunds are asked for', async () => {
    open('/saleCxcList/41');
    await screen.findByRole('region', { name: 'Tus pagos' });
    expect(screen.queryByRole('region', { name: /^Tus? devoluci/ })).toBeNull();
    expect(calls.some(({ path }) => path === '/v1/Sales/RefundsAsync/41')).toBe(false);
  });

  const MOVED: NonNullable<WireSale['moving']> = {
    movesAllowed: 2,
    movesLeft: 1,
    moveDays: 10,
    movable: [{ number: 2, earliest: day(2), latest: day(9), firstParts: null }],
    planChanges: [
      {
        changeNumber: 1,
        changeKind: 'moved',
        number: 2,
        fromDay: '2026-11-12',
        toDay: day(1),
        amount: 1000,
        firstPart: null,
        at: moment(-1),
      },
    ],
  };

  // Before any other that shows a change: its code comes for the first time.
  test('whoever is not answered when they first change a date reads that in the sheet', async () => {
    made.moving = { ...MOVED, movesLeft: 2, planChanges: [] };
    move = () => {
      made.moving = MOVED;
      // All that is asked for anew is waited for; the purchase comes first, and with it its change.
      next = async () => {
        await screen.findByText('Antes: 12 nov 2026');
        return ok(payable(made));
      };
      return 'no network';
    };
    const { user } = open('/saleCxcList/41');
    await user.click(await screen.findByRole('button', { name: 'Cambiar fecha del pago 2' }));
    const sheet = await screen.findByRole('dialog', { name: 'Cambiar el pago 2' });
    await user.click(within(sheet).getByRole('button', { name: /^Cambiar al/ }));
    expect(await screen.findByRole('heading', { name: 'Cambiaste este plan 1 vez' })).toBeTruthy();
    expect(await within(sheet).findByText(/^No hay conexión/)).toBeTruthy();
  });

  test('offers to change what its shop lets be changed, and says what was', async () => {
    made.moving = MOVED;
    const { user } = open('/saleCxcList/41');
    const line = await screen.findByRole('list', { name: 'Tus pagos' });
    const [deposit, second, last] = within(line).getAllByRole('listitem');
    expect(within(second!).getByText('Antes: 12 nov 2026')).toBeTruthy();
    for (const fixed of [deposit!, last!])
      expect(within(fixed).queryByRole('button', { name: /^Cambiar fecha/ })).toBeNull();
    expect(await screen.findByRole('heading', { name: 'Cambiaste este plan 1 vez' })).toBeTruthy();
    expect(screen.getByText('Te queda 1 cambio.')).toBeTruthy();
    await user.click(within(second!).getByRole('button', { name: 'Cambiar fecha del pago 2' }));
    expect(await screen.findByRole('dialog', { name: 'Cambiar el pago 2' })).toBeTruthy();
  });

  test.each(['/saleCxcList/77', '/saleCxcList/abc'])('%s, which is not theirs or not there', async (at) => {
    open(at);
    expect(await screen.findByRole('heading', { name: 'No encontramos esta compra' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Ver mis compras' }).getAttribute('href')).toBe('/cxcList');
  });
});

describe('cancelling', () => {
  async function openSheet(queries = newCache()) {
    const view = open('/cxcList', queries);
    await view.user.click(await screen.findByRole('button', { name: /^Canc\.Compra/ }));
    const sheet = await screen.findByRole('dialog', { name: '¿Estas seguro de cancelar tu compra?' });
    const act = await within(sheet).findByRole('button', { name: 'Cancelar Venta' });
    return { ...view, sheet, act };
  }

  test('first says what was paid, what it costs, what comes back and how, and which fee stays', async () => {
    const { sheet } = await openSheet();
    const terms = within(sheet)
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(terms).toEqual([
      ['Pagado', expect.stringContaining('$1,000.00')],
      ['Cargo por cancelar', expect.stringContaining('−menos $200.00')],
      ['Te devolvemos', expect.stringContaining('$800.00')],
    ]);
    expect(within(sheet).getByText(/\$800\.00 a tu tarjeta.*4821/)).toBeTruthy();
    expect(within(sheet).getByText('El cargo por servicio de $15.00 no se devuelve.')).toBeTruthy();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  test('of what has an invoice says to accept what SAT may ask', async () => {
    quote = () => ok({ ...QUOTE, invoiced: true });
    const { sheet } = await openSheet();
    expect(within(sheet).getByText(/Si el SAT te pide aceptar la cancelación, acéptala/)).toBeTruthy();
  });

  test('tells apart what goes back to who helped, in cash as by card', async () => {
    const [own] = QUOTE.returns;
    const help = { ...own!, last4: null };
    quote = () =>
      ok({
        ...QUOTE,
        returns: [
          { ...own!, amount: 500 },
          { ...help, amount: 200, payerName: 'Luis' },
          { ...help, amount: 100, way: 'cash', payerName: 'Marta' },
        ],
      });
    const { sheet } = await openSheet();
    expect(within(sheet).getByText('Se devuelve')).toBeTruthy();
    expect(within(sheet).queryByText('Te devolvemos')).toBeNull();
    expect(within(sheet).getByText('$200.00 a la tarjeta de Luis')).toBeTruthy();
    expect(within(sheet).getByText(/^Se lo devuelve su banco/)).toBeTruthy();
    expect(within(sheet).getByText('$100.00 en efectivo para Marta')).toBeTruthy();
    expect(within(sheet).getByText(/^Se lo entrega .* en su caja/)).toBeTruthy();
  });

  test('tells what the shop gives back on its own terminal from what it gives in cash', async () => {
    const [own] = QUOTE.returns;
    const byShop = { ...own!, way: 'cash' as const };
    quote = () =>
      ok({
        ...QUOTE,
        returns: [
          { ...byShop, amount: 500, last4: '4242' },
          { ...byShop, amount: 300, last4: null },
        ],
      });
    const { sheet } = await openSheet();
    expect(within(sheet).getByText(/^\$500\.00 en la tienda, a la tarjeta.*4242$/)).toBeTruthy();
    expect(within(sheet).getByText('$300.00 en efectivo')).toBeTruthy();
  });

  test('sends the reason and the sum that was shown, says success, and the list loads again', async () => {
    const sent: unknown[] = [];
    cancel = (body) => {
      sent.push(body);
      lists = () => page([]);
      return ok({ refunds: [] });
    };
    const { user, sheet, act } = await openSheet();
    await user.type(within(sheet).getByRole('textbox', { name: 'Motivo' }), 'Encontré otra');
    await user.click(act);
    const alert = await screen.findByRole('alertdialog', { name: 'Cancelación exitosa!' });
    expect(within(alert).getByText('Se cancelo el apartado seleccionado!')).toBeTruthy();
    expect(sent).toEqual([{ id: 41, saleStatusId: 2, cancelNotes: 'Encontré otra', refundShown: 800 }]);
    await user.click(within(alert).getByRole('button', { name: 'Aceptar' }));
    expect(await screen.findByText(/Tu listado de compras está vacio!/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  test('another sum now: nothing is cancelled, the new figures are shown, and it asks again', async () => {
    cancel = () => {
      quote = () => ok({ ...QUOTE, penalty: 500, refund: 500 });
      return refuse(409, 'QUOTE_CHANGED', { facts: { refund: 500 } });
    };
    const { user, sheet, act } = await openSheet();
    await user.click(act);
    expect(await within(sheet).findByText('La devolución cambió.')).toBeTruthy();
    expect(within(sheet).getByText(/Antes eran \$800\.00 y ahora son \$500\.00/)).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    let agreed: unknown;
    cancel = (body) => {
      agreed = body;
      return ok({ refunds: [] });
    };
    await user.click(await within(sheet).findByRole('button', { name: 'Cancelar Venta' }));
    await screen.findByRole('alertdialog', { name: 'Cancelación exitosa!' });
    expect(agreed).toMatchObject({ refundShown: 500 });
  });

  test('no network: no success is claimed, and the reason that was typed is still there', async () => {
    cancel = () => {
      quote = () => 'no network';
      return 'no network';
    };
    const { user, sheet, act } = await openSheet();
    const reason = within(sheet).getByRole<HTMLInputElement>('textbox', { name: 'Motivo' });
    await user.type(reason, 'Ya no la quiero');
    await user.click(act);
    // Until the figures have been refetched too.
    await expect.poll(() => act.getAttribute('aria-busy')).toBeNull();
    expect(within(sheet).getAllByText(/No hay conexión/)).toHaveLength(1);
    expect(within(sheet).getByText('Todavía no sabemos si tu compra se canceló.')).toBeTruthy();
    expect(reason.value).toBe('Ya no la quiero');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('a press whose reply was lost cancelled nothing: the buyer reads so once the figures are here', async () => {
    cancel = () => 'no network';
    const { user, sheet, act } = await openSheet();
    await user.click(act);
    expect(await within(sheet).findByText('Hasta ahora tu compra no se ha cancelado.')).toBeTruthy();
    expect(within(sheet).getByText(/No hay conexión/)).toBeTruthy();
  });

  test('figures that came while the press was under way say nothing of what became of it', async () => {
    const reply = Promise.withResolvers<'no network'>();
    cancel = () => reply.promise;
    const queries = newCache();
    const { user, sheet, act: press } = await openSheet(queries);
    await user.click(press);
    await act(() => queries.refetchQueries({ queryKey: ['cancel quote'] }));
    quote = () => 'no network';
    reply.resolve('no network');
    expect(await within(sheet).findByText('Todavía no sabemos si tu compra se canceló.')).toBeTruthy();
  });

  const cancelledButLost = () => {
    lists = () => page([]);
    cancel = () => refuse(409, 'PURCHASE_CANCELLED');
    return 'no network' as const;
  };

  test('cancelled by a press whose reply was lost: it ends as a success does once the figures say so', async () => {
    cancel = () => {
      quote = () => refuse(409, 'PURCHASE_CANCELLED');
      return cancelledButLost();
    };
    const { user, act } = await openSheet();
    await user.click(act);
    const alert = await screen.findByRole('alertdialog', { name: 'Cancelación exitosa!' });
    expect(screen.queryByText(/ya está cancelada/)).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(within(alert).getByRole('button', { name: 'Aceptar' }));
    expect(await screen.findByText(/Tu listado de compras está vacio!/)).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  test('pressed again after a lost reply, which had cancelled it, says success once', async () => {
    cancel = cancelledButLost;
    const { user, act } = await openSheet();
    await user.click(act);
    await expect.poll(() => act.getAttribute('aria-busy')).toBeNull();
    await user.click(act);
    const alert = await screen.findByRole('alertdialog', { name: 'Cancelación exitosa!' });
    await user.click(within(alert).getByRole('button', { name: 'Aceptar' }));
    expect(await screen.findByText(/Tu listado de compras está vacio!/)).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('cancelled elsewhere, without a press here: says that it is so already, and no success', async () => {
    cancel = () => refuse(409, 'PURCHASE_CANCELLED');
    const { user, act } = await openSheet();
    await user.click(act);
    const alert = await screen.findByRole('alertdialog', { name: 'Esta compra ya está cancelada' });
    await user.click(within(alert).getByRole('button', { name: 'Aceptar' }));
    quote = () => refuse(409, 'PURCHASE_CANCELLED');
    await user.click(await screen.findByRole('button', { name: /^Canc\.Compra/ }));
    expect(await screen.findByText(/^Esta compra ya está cancelada\. No se puede pagar/)).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test('Esc again and again does not hide from the buyer what became of it', async () => {
    let answer: ((given: Answer) => void) | undefined;
    cancel = () => new Promise((resolve) => (answer = resolve));
    const { user, sheet, act } = await openSheet();
    await user.click(act);
    await expect.poll(() => answer).toBeDefined();
    // What a browser does that no longer asks.
    (sheet as HTMLDialogElement).close();
    fireEvent(sheet, new Event('close'));
    expect([(sheet as HTMLDialogElement).open, document.activeElement]).toEqual([true, act]);
    answer?.('no network');
    expect(await within(sheet).findByRole('alert')).toBeTruthy();
    (sheet as HTMLDialogElement).close();
    fireEvent(sheet, new Event('close'));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  });

  test('paid off in the meantime: says so instead of success', async () => {
    cancel = () => refuse(409, 'PURCHASE_SETTLED');
    const { user, act } = await openSheet();
    await user.click(act);
    expect(await screen.findByRole('alertdialog', { name: 'Esta compra ya está liquidada' })).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test("'Conservar mi compra' leaves everything as it was", async () => {
    const { user, sheet } = await openSheet();
    await user.click(within(sheet).getByRole('button', { name: 'Conservar mi compra' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });
});

describe('at a glance', () => {
  const late = () =>
    purchase(41, 'Lavadora 18 kg', [
      instalment(41, 1, PAID),
      instalment(41, 2, { visibleAlPago: true, late: true, fechaVencimiento: day(-3) }),
    ]);

  test.each(['/', '/saleCxcList/41'])(
    'a late purchase that ends by its rule says on which day, and the sum that stops it: %s',
    async (path) => {
      made = { ...late(), ending: { endsOn: '2026-12-07', toPay: 1000, moreTime: false } };
      lists = () => page([made]);
      open(path);
      expect(
        await screen.findByText('Se cancela el 7 de diciembre de 2026 si antes no se paga'),
      ).toBeTruthy();
      expect(screen.getByText(/Paga los \$1,000\.00 del abono vencido/)).toBeTruthy();
      if (path !== '/') expect(screen.getByText(/pasa 45 días vencido, la compra se cancela/)).toBeTruthy();
    },
  );

  test.each(['/', '/saleCxcList/41'])(
    'who is told not to pay again while a card payment is reviewed is not asked to pay either, and reads the day: %s',
    async (path) => {
      made = { ...late(), ending: { endsOn: '2026-12-07', toPay: 1000, moreTime: false } };
      lists = () => page([made]);
      next = () => ok(payable(made, { attempt: attempt('held') }));
      open(path);
      expect(await screen.findByText('No vuelvas a pagar hasta que te digamos cómo quedó.')).toBeTruthy();
      expect(screen.getByText('Se cancela el 7 de diciembre de 2026 si antes no se paga')).toBeTruthy();
      expect(screen.queryByText(/Paga los/)).toBeNull();
    },
  );

  test('a buyer whom the shop gives more time reads until when', async () => {
    made = { ...late(), ending: { endsOn: '2026-12-20', toPay: 1000, moreTime: true } };
    open('/saleCxcList/41');
    expect(
      await screen.findByText('La tienda te da más tiempo: hasta el 20 de diciembre de 2026'),
    ).toBeTruthy();
    expect(screen.getByText(/Paga los \$1,000\.00 del abono vencido/)).toBeTruthy();
  });

  test('home shows the late payment first, whatever is newer', async () => {
    made = late();
    lists = () => page([purchase(50, 'Silla'), made]);
    open('/');
    const ticket = await screen.findByRole('region', { name: 'Tu próximo pago' });
    expect(within(ticket).getByText('Venció hace 3 días')).toBeTruthy();
    expect(within(ticket).getByText('Lavadora 18 kg')).toBeTruthy();
    expect(await within(ticket).findByRole('button', { name: 'Realizar pago' })).toBeTruthy();
    expect(within(ticket).getByRole('link', { name: 'Ver compra' }).getAttribute('href')).toBe(
      '/saleCxcList/41',
    );
  });

  test('home says what the shop owes and what can be collected of a purchase that is paid whole, and leads to it', async () => {
    lists = onlyWaiting;
    open('/');
    const waiting = await screen.findByRole('region', { name: 'Lo que tienes por recibir' });
    const link = within(waiting).getByRole('link', { name: /Estufa/ });
    expect(link.getAttribute('href')).toBe('/saleCxcList/39');
    expect(within(link).getByText('La tienda te debe $100.00')).toBeTruthy();
    expect(within(link).getByText('Listo para recoger')).toBeTruthy();
  });

  test('home says what goes back to a card below the next payment, of three purchases at most, and leads to the others', async () => {
    const back = { ...WAITING, toCollect: false, owedAtShop: 0, owedToCard: 800 };
    const waiting = [36, 37, 38, 39].map((ventaId) => ({ ...back, ventaId }));
    lists = () => page([made], { waiting });
    open('/');
    const ticket = await screen.findByRole('region', { name: 'Tu próximo pago' });
    const region = await screen.findByRole('region', { name: 'Lo que tienes por recibir' });
    expect(ticket.compareDocumentPosition(region)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(within(region).getAllByText('En camino a tu tarjeta: $800.00')).toHaveLength(3);
    expect(within(region).queryByText('Listo para recoger')).toBeNull();
    expect(within(region).getByRole('link', { name: 'Ver todas mis compras' })).toBeTruthy();
  });

  test('home keeps its place empty when nothing is owed', async () => {
    lists = () => page([]);
    open('/');
    await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
    expect(screen.queryByRole('region')).toBeNull();
  });

  test('/dashboard greets as the spec says, sums what is owed over all pages, and shows progress per purchase', async () => {
    lists = (search) =>
      search.get('cursor') === null
        ? page([made], { next: '41', total: 2 })
        : page([purchase(40, 'Silla')], { total: null });
    open('/dashboard');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome User!' })).toBeTruthy();
    const owed = await screen.findByRole('region', { name: 'Lo que te falta pagar' });
    expect(within(owed).getByText('$4,000.00')).toBeTruthy();
    const progress = screen.getByRole('region', { name: 'Cómo va cada compra' });
    expect(within(progress).getAllByRole('progressbar')).toHaveLength(2);
  });
});
