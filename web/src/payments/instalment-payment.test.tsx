import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Switch } from 'wouter';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BANK } from '../../test/bank.ts';
import {
  attemptThat,
  cardStage,
  EARLIER,
  merchant,
  PAYMENT,
  type WireAttempt,
  type WireInstalmentToPay,
  type WirePlannedInstalment,
} from '../../test/card-stage.ts';
import { receiptThat } from '../../test/receipt.ts';
import { fakeServer, ok, refuse } from '../../test/server.ts';
import { patterns } from '../app/paths.ts';
import { attempt as kept } from '../session/attempt.ts';
import InstalmentPaymentPage from './instalment-payment-page.tsx';

const SALE = 501;
const ID = 902;
const REFERENCE = '21234567905';
const FOLIO = 'A7K299310Z';

function numbered(number: number, given: Partial<WirePlannedInstalment> = {}): WirePlannedInstalment {
  return {
    id: 900 + number,
    ventaId: SALE,
    identificador: number,
    fechaVencimiento: ['2026-11-20', '2026-12-20', '2027-01-19'][number - 1] ?? '',
    numfactura: null,
    valor: number === 1 ? 600 : 1200,
    pagos: 0,
    saldo: number === 1 ? 600 : 1200,
    notasCxc: '',
    visibleAlPago: false,
    paymentReference: `${number}1234567905`,
    late: false,
    cashReferenceExpiresAt: null,
    cxcPagos: [],
    invoice: null,
    cancelledInvoice: null,
    mayBeInvoiced: false,
    invoiceUntil: null,
    feePaid: false,
    ...given,
  };
}

const paid = (number: number) => {
  const { valor } = numbered(number);
  return numbered(number, { saldo: 0, pagos: valor });
};
const payment = (folio: string, monto: number) => ({
  cxcPagoId: 1,
  fechaExpedicion: '2026-12-15T20:00:00Z',
  monto,
  folio,
  method: 'card' as const,
  last4: null,
  payerName: null,
});

const due = [paid(1), numbered(2, { visibleAlPago: true }), numbered(3)];
const afterPaying = [
  paid(1),
  { ...paid(2), cxcPagos: [payment(FOLIO, 1200)] },
  numbered(3, { visibleAlPago: true }),
];

const attemptAt = (state: WireAttempt['state'], given: Partial<WireAttempt> = {}) =>
  attemptThat(state, { amount: 1215, referencia: REFERENCE, ...given });
const applied = (intentoId = EARLIER) =>
  attemptAt('applied', {
    intentoId,
    ventaId: SALE,
    folio: FOLIO,
    paidAt: '2026-12-15T20:00:00Z',
    card: { type: 'debit', last4: '4821' },
    plan: { count: 3, paid: 2, left: 1200, nextDueOn: '2027-01-19' },
  });

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
type Sent = { amount: number; intentoId: string; referencia: string };

/** The server's answers; each test changes what it needs. */
const server = {
  plan: due,
  /** What the plan is once it was read. */
  planNext: undefined as typeof due | undefined,
  id: ID,
  isCancelled: false,
  acceptsCards: true,
  attempt: null as WireAttempt | null,
  /** At its merchant. */
  late: [] as unknown[],
  receipt: receiptThat({ folio: FOLIO }),
  create: (_sent: Sent): Answer => 'no network',
  verify: (): Answer => refuse(404, 'NOT_FOUND'),
};
const fresh = { ...server };

function instalment(): WireInstalmentToPay {
  const own = server.plan.find(({ id }) => id === server.id) ?? numbered(2, { id: server.id, ventaId: 777 });
  return {
    ...own,
    estatusVentaId: server.isCancelled ? 2 : 1,
    numCxc: 3,
    numCxcPagadas: server.plan.filter(({ saldo }) => saldo === 0).length,
    businessId: 4,
    productId: 9,
    tradeName: 'Muebles del Centro',
    productName: 'Sala Nórdica',
    logofileName: '',
    cardFee: 15,
    cashFee: 0,
    cardTotal: own.saldo + 15,
    cashTotal: own.saldo,
    acceptsCards: server.acceptsCards,
    tillFee: null,
    planReference: '31234567905',
    cardKey: server.acceptsCards ? 'public-key' : '',
    attempt: server.attempt,
  };
}

const calls = fakeServer({
  [`GET /v1/Cxc/ByIdWithBalance/${ID}`]: () => ok(instalment()),
  'GET /v1/Cxc/ByIdWithBalance/903': () => ok(instalment()),
  [`GET /v1/Cxc/ByBusinesidVentaidDateD/${SALE}`]: () => {
    const plan = ok(server.plan);
    server.plan = server.planNext ?? server.plan;
    return plan;
  },
  'GET /v1/Cxc/ByBusinesidVentaidDateD/502': refuse(404, 'NOT_FOUND'),
  'GET /v1/Cxc/ByIdWithBalance/0': refuse(400, 'INVALID_INPUT'),
  'GET /v1/Cxc/ByBusinesidVentaidDateD/0': refuse(400, 'INVALID_INPUT'),
  [`GET /v1/Cxc/GetLateWithAsync/${SALE}`]: () => ok(server.late),
  'GET /v1/Business/GetAsync/4': ok(merchant),
  [`GET /v1/Receipts/GetAsync/${FOLIO}`]: () => ok(server.receipt),
  [`GET /v1/Sales/RefundsAsync/${SALE}`]: ok([]),
  'POST /v1/Clib/CreatePaymentsAsync': ({ body }) => server.create(body as Sent),
  [`GET /v1/Clib/GetPaymentsAsync/${PAYMENT}/4`]: () => server.verify(),
  [`GET /v1/Clib/GetAttemptAsync/${EARLIER}`]: () => ok(server.attempt),
});

const { assign, frame } = cardStage();
beforeEach(() => void Object.assign(server, fresh));

function open(at = `/paymentByClib/${SALE}/${ID}`) {
  return show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Switch>
        <Route path={patterns.payInstalment}>
          <InstalmentPaymentPage step="pay" />
        </Route>
        <Route path={patterns.threeDsInstalment}>
          <InstalmentPaymentPage step="threeDs" />
        </Route>
      </Switch>
    </QueryClientProvider>,
    at,
  );
}

/** Noon of a day in Mexico City. */
function itIs(day: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T18:00:00Z`) });
  onTestFinished(() => void vi.useRealTimers());
}

const heading = (name: string) => screen.findByRole('heading', { name });
const payButton = (sum = '$1,215.00') => screen.findByRole('button', { name: `Pagar ${sum}` });
const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const sentPayments = () =>
  calls.filter(({ path }) => path.endsWith('CreatePaymentsAsync')).map(({ body }) => body as Sent);

describe('paying an instalment', () => {
  test('the buyer sees which one it is, when it is due, and the fee inside the total', async () => {
    open();
    await payButton();
    const ticket = within(screen.getByRole('region', { name: 'Lo que pagas' }));
    expect(ticket.getByText('Pago 2 de 3 · vence el 20 dic 2026')).toBeTruthy();
    expect(ticket.getByText('1,200 pesos')).toBeTruthy();
    expect(ticket.getByText('15 pesos')).toBeTruthy();
    expect(screen.getByText('1,215 pesos')).toBeTruthy();
  });

  test('of one that was partly paid only what is left is charged', async () => {
    const part = { saldo: 700, pagos: 500, visibleAlPago: true, late: true };
    server.plan = [paid(1), numbered(2, part), numbered(3)];
    const { user } = open();
    expect(await screen.findByText('Pago 2 de 3 · venció el 20 dic 2026')).toBeTruthy();
    await user.click(await payButton('$715.00'));
    await heading('Estamos confirmando tu pago');
    expect(sentPayments()[0]).toMatchObject({ amount: 715, referencia: REFERENCE });
  });

  test('approved: the answer is the receipt, with what is left and when', async () => {
    itIs('2026-12-15');
    server.create = ({ intentoId }) => ok(applied(intentoId));
    const { user } = open();
    const button = await payButton();
    const before = calls.length;
    await user.click(button);
    await heading('Transacción realizada!');
    expect(sentPayments()[0]).toMatchObject({
      amount: 1215,
      apartaBusinnessId: 4,
      referencia: REFERENCE,
      description: 'Pago 2 de 3: Sala Nórdica',
    });
    const wire = calls.map(({ method, path }) => `${method} ${path}`);
    expect(wire.slice(before)).toEqual(['POST /v1/Clib/CreatePaymentsAsync']);
    const receipt = within(screen.getByRole('region', { name: 'Recibo' }));
    expect(receipt.getByText('1,215 pesos')).toBeTruthy();
    expect(receipt.getByText('A7K2 9931 0Z')).toBeTruthy();
    expect(receipt.getByText('Débito •••• 4821')).toBeTruthy();
    // The sum just paid and the last one left are equal; their labels tell them apart.
    expect(receipt.getAllByText('1,200 pesos')).toHaveLength(2);
    expect(receipt.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Pagados 2 de 3');
    expect(receipt.getByText('19 ene 2027')).toBeTruthy();
    expect(link('Ver recibo')).toBe(`/recibo/${FOLIO}`);
    expect(link('Ver mi compra')).toBe(`/saleCxcList/${SALE}`);
    await expect.poll(() => kept.sent(REFERENCE)).toBeUndefined();
  });

  test('a part of a late one: what comes next is still said to be late', async () => {
    itIs('2027-01-29');
    server.plan = afterPaying;
    server.attempt = applied();
    open();
    await heading('Transacción realizada!');
    const receipt = within(screen.getByRole('region', { name: 'Recibo' }));
    expect(receipt.getByText('Venció el 19 ene 2027')).toBeTruthy();
  });

  test('the last one paid says that nothing is left', async () => {
    server.plan = [paid(1), afterPaying[1] ?? paid(2), paid(3)];
    server.attempt = { ...applied(), plan: { count: 3, paid: 3, left: 0, nextDueOn: null } };
    open();
    await heading('Transacción realizada!');
    expect(screen.getByText('Liquidaste tu compra.')).toBeTruthy();
    const receipt = within(screen.getByRole('region', { name: 'Recibo' }));
    expect(receipt.getByText('¡Ya es tuyo!')).toBeTruthy();
    expect(receipt.getByText('Sala Nórdica')).toBeTruthy();
    expect(receipt.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Pagados 3 de 3');
    expect(receipt.getByText('Recógelo en Muebles del Centro')).toBeTruthy();
    expect(await receipt.findByText('Av. Juárez 5, Puebla')).toBeTruthy();
    expect(receipt.getByRole('link', { name: 'Tel. 222 123 4567' }).getAttribute('href')).toBe(
      'tel:2221234567',
    );
    expect(screen.queryByText(/Siguiente pago|Te falta$/)).toBeNull();
  });

  test('rejected: a store is offered beside another try', async () => {
    server.attempt = attemptAt('rejected', { advice: 'other_card' });
    const { user } = open();
    await heading('Transacción rechazada!');
    expect(screen.getByText('Sala Nórdica · Pago 2 de 3: vence el 20 dic 2026.')).toBeTruthy();
    expect(link('Pago presencialEn efectivo, en una tienda cerca de ti.')).toBe(
      `/onSitePaymentByTapi/${SALE}/${ID}`,
    );
    await user.click(screen.getByRole('button', { name: 'Reintentar pago' }));
    expect(await payButton()).toBeTruthy();
  });

  test.each([
    ['comes, the buyer pays what they pressed', { id: 'tok_1' }],
    ['fails, the buyer sees the new sum', undefined],
  ])('a plan that changes while the card is read: once its token %s', async (_, token) => {
    let answer: ((token: unknown) => void) | undefined;
    frame.token = () => new Promise((resolve) => (answer = resolve));
    const { user } = open();
    await user.click(await payButton());
    await waitFor(() => expect(answer).toBeDefined());
    const before = calls.length;
    server.plan = [paid(1), numbered(2, { visibleAlPago: true, valor: 2000, saldo: 2000 }), numbered(3)];
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(calls.length).toBeGreaterThan(before));
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(screen.getByText('1,215 pesos')).toBeTruthy();
    act(() => answer?.(token));
    if (token === undefined) {
      await user.click(await screen.findByRole('button', { name: 'Aceptar' }));
      expect(await payButton('$2,015.00')).toBeTruthy();
    } else await waitFor(() => expect(sentPayments()[0]?.amount).toBe(1215));
  });

  test('3DS: the buyer is led to its own document, by the server’s figures', async () => {
    server.create = ({ intentoId }) => ok(attemptAt('pending_3ds', { intentoId }));
    const { user } = open();
    await user.click(await payButton());
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`/threeDSByclib/${SALE}/${ID}/4/1200.00`));
  });
});

test('3DS shows the instalment’s own four figures, whatever balance the address says', async () => {
  server.plan = [paid(1), numbered(2, { saldo: 700, pagos: 500, visibleAlPago: true }), numbered(3)];
  server.attempt = attemptAt('pending_3ds', { amount: 715, pending_action: { url: `${BANK}/challenge/1` } });
  open(`/threeDSByclib/${SALE}/${ID}/4/1.00`);
  expect(await screen.findByTitle('Ventana de tu banco')).toBeTruthy();
  const rows = [...document.querySelectorAll('dl > div')].map(
    (row) =>
      `${row.querySelector('dt')?.textContent}: ${(row.querySelector('[aria-hidden]') ?? row.querySelector('dd'))?.textContent}`,
  );
  expect(rows).toEqual(['Vencimiento: 20 dic 2026', 'Valor: $1,200.00', 'Pagos: $500.00', 'Saldo: $700.00']);
  expect(screen.getByText('Tu banco cobrará $715.00, con $15.00 de cargo por servicio.')).toBeTruthy();
});

describe('arriving', () => {
  /** Of this purchase and another of the same product. */
  const compras = [
    { ventaId: 500, producto: 'Sala Nórdica', monto: 3000, saldo: 3000 },
    { ventaId: SALE, producto: 'Sala Nórdica', monto: 1200, saldo: 2400 },
  ];
  const atSeveral = { amount: 4215, compras };

  test.each([
    ['waits for the bank', 'pending_3ds'],
    ['is being confirmed', 'unknown'],
    ['is under review', 'held'],
  ] as const)(
    'a payment for several purchases that %s names them all on the screen of each',
    async (_, state) => {
      server.attempt = attemptAt(state, atSeveral);
      open();
      const ticket = within(await screen.findByRole('region', { name: 'Pago por confirmar' }));
      expect(ticket.getByText('2 compras · Lo atrasado de cada una')).toBeTruthy();
      expect(ticket.getByText('3,000 pesos')).toBeTruthy();
      expect(ticket.getByText('1,200 pesos')).toBeTruthy();
      expect(ticket.getByText('15 pesos')).toBeTruthy();
      expect(ticket.queryByText(/Pago 2 de 3/)).toBeNull();
    },
  );

  test('one for several purchases that the bank has just answered names them all too', async () => {
    server.attempt = attemptAt('pending_3ds', {
      ...atSeveral,
      pending_action: { url: `${BANK}/challenge/1` },
    });
    open(`/threeDSByclib/${SALE}/${ID}/4/1200.00`);
    const bank: HTMLIFrameElement = await screen.findByTitle('Ventana de tu banco');
    const asked = within(screen.getByRole('region', { name: 'Lo que pagas' }));
    expect(asked.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('3,000 pesos'),
      expect.stringContaining('1,200 pesos'),
    ]);
    expect(asked.getByText('Tu banco cobrará $4,215.00, con $15.00 de cargo por servicio.')).toBeTruthy();
    const waiting = server.attempt;
    server.verify = () => ok(waiting);
    const said = { data: { paymentId: PAYMENT }, origin: BANK, source: bank.contentWindow };
    act(() => void window.dispatchEvent(new MessageEvent('message', said)));
    const ticket = within(await screen.findByRole('region', { name: 'Pago que estamos aplicando' }));
    expect(ticket.getByText('2 compras')).toBeTruthy();
    expect(ticket.queryByText(/Pago 2 de 3/)).toBeNull();
  });

  test.each([
    [
      'one purchase',
      {},
      'Tu banco aprobó el cobro, pero no se pudo aplicar. Regresa completo y puedes pagar otra vez.',
    ],
    [
      'one purchase, of another sum than agreed,',
      { refund: { amount: 1216, done: false, otherSum: true } },
      'Tu banco cobró otro monto que el acordado. Tu pago sigue pendiente.',
    ],
    [
      'several purchases, of another sum than agreed,',
      { ...atSeveral, refund: { amount: 4216, done: false, otherSum: true } },
      'Tu banco cobró otro monto que el acordado.',
    ],
    [
      'several purchases',
      atSeveral,
      'Tu banco aprobó el cobro, pero ya no se podía aplicar a todas tus compras. Por eso regresa completo.',
    ],
  ])(
    'money for %s that comes back is said to have been approved, where it can be paid again',
    async (_, given, why) => {
      const amount = 'amount' in given ? given.amount : 1215;
      server.attempt = attemptAt('returned', { refund: { amount, done: false }, ...given });
      open();
      await heading('Abono no aplicado en Aparta!');
      expect(screen.getByText(why)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Reintentar pago' })).toBeTruthy();
      expect(screen.queryByText(/se canceló antes/)).toBeNull();
    },
  );

  test('of several purchases, on the screen of the one that was cancelled, the buyer is not told that nothing is to pay', async () => {
    server.isCancelled = true;
    server.attempt = attemptAt('returned', { ...atSeveral, refund: { amount: 4215, done: true } });
    open();
    await heading('Abono no aplicado en Aparta!');
    expect(screen.getByText('Te devolvimos $4,215.00')).toBeTruthy();
    expect(screen.queryByText(/No hace falta que pagues/)).toBeNull();
  });

  const arrivals: [string, Partial<typeof server>, string][] = [
    ['an unknown attempt', { attempt: attemptAt('unknown') }, 'Estamos confirmando tu pago'],
    ['one that waits for 3DS', { attempt: attemptAt('pending_3ds') }, 'Termina la autenticación'],
    ['one under review', { attempt: attemptAt('held') }, 'Tu pago está en revisión'],
    ['a paid one', { plan: afterPaying, attempt: applied() }, 'Transacción realizada!'],
    ['one that goes back', { attempt: attemptAt('returned') }, 'Abono no aplicado en Aparta!'],
    ['one that was not charged', { attempt: attemptAt('not_charged') }, 'Transaccion rechazada!'],
    ['an abandoned one', { attempt: attemptAt('abandoned') }, 'Transaccion rechazada!'],
    ['an instalment paid in a store', { plan: afterPaying }, 'Ya está pagado'],
    [
      'one paid elsewhere after a rejection',
      { plan: afterPaying, attempt: attemptAt('rejected') },
      'Ya está pagado',
    ],
    ['a cancelled purchase', { isCancelled: true }, 'Esta compra se canceló'],
  ];
  test.each(arrivals)(
    '%s is shown from the server’s state, and no card is asked for',
    async (_, given, title) => {
      Object.assign(server, given);
      open();
      expect(await heading(title)).toBeTruthy();
      expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
      expect(document.querySelector('iframe')).toBeNull();
    },
  );

  describe('an instalment that was paid otherwise while the buyer was about to pay more than it', () => {
    const others = { ventaId: 500, producto: 'Estufa', referencia: '21234567913', cardFee: 15 };

    test.each([
      ['all that is left', '?monto=2400.00', []],
      ['what is late of several purchases', '?con=500', [{ ...others, abonos: [] }]],
    ])('%s: they are not told that nothing is left to pay', async (_, search, lateNow) => {
      server.plan = afterPaying;
      server.late = lateNow;
      open(`/paymentByClib/${SALE}/${ID}${search}`);
      await heading('Ese pago ya está hecho');
      expect(screen.getByText('Se hizo de otra forma, no con lo que ibas a pagar aquí.')).toBeTruthy();
      expect(screen.queryByText(/No hace falta que pagues/)).toBeNull();
      expect(link('Ver mi compra')).toBe(`/saleCxcList/${SALE}`);
    });

    test.each(['?monto=2400.00', '?con=500'])('nothing is left (%s): they are told so', async (search) => {
      server.plan = [paid(1), paid(2), paid(3)];
      open(`/paymentByClib/${SALE}/${ID}${search}`);
      await heading('Ya está pagado');
      expect(screen.getByText('No hace falta que pagues otra vez.')).toBeTruthy();
    });
  });

  test('an instalment whose turn has not come is not paid before the others', async () => {
    server.id = 903;
    open(`/paymentByClib/${SALE}/903`);
    expect(await heading('Primero paga el abono anterior')).toBeTruthy();
    expect(link('Ver mi compra')).toBe(`/saleCxcList/${SALE}`);
    expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
  });

  test('a payment of a purchase that was cancelled later says nothing of what would be left', async () => {
    Object.assign(server, { plan: afterPaying, attempt: { ...applied(), plan: null }, isCancelled: true });
    server.receipt = receiptThat({ folio: FOLIO, cancelled: true, refunded: 1000 });
    open();
    await heading('Esta compra se canceló');
    expect(screen.getByText('Devolución').nextElementSibling?.textContent).toContain('$1,000.00');
    expect(screen.queryByText('Te falta')).toBeNull();
    expect(screen.queryByText('Siguiente pago')).toBeNull();
  });

  test('what a till took back after the card had paid the rest can be paid again', async () => {
    const open500 = { saldo: 500, pagos: 700, visibleAlPago: true, cxcPagos: [payment(FOLIO, 700)] };
    server.plan = [paid(1), numbered(2, open500), numbered(3)];
    server.attempt = applied();
    open();
    expect(await payButton('$515.00')).toBeTruthy();
  });

  test('what the card’s provider took back can be paid again', async () => {
    server.attempt = applied();
    open();
    expect(await payButton()).toBeTruthy();
  });

  test('money that arrived while the plan was being read is never asked for twice', async () => {
    Object.assign(server, { planNext: afterPaying, attempt: applied() });
    open();
    expect(await heading('Transacción realizada!')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
  });

  test.each([
    ['another purchase’s instalment', `/paymentByClib/502/${ID}`],
    ['an address without ids', '/paymentByClib/null/undefined'],
  ])('%s is not found, and nothing about it shows', async (_, address) => {
    open(address);
    expect(await heading('No encontramos este pago')).toBeTruthy();
    expect(screen.queryByText('Sala Nórdica')).toBeNull();
    expect(link('Ver mis compras')).toBe('/cxcList');
  });

  test('an instalment under the buyer’s other purchase is not found either', async () => {
    server.plan = [paid(1), numbered(3)];
    open();
    expect(await heading('No encontramos este pago')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Ayuda' })).toBeTruthy();
  });

  test('a merchant that takes no cards any more: the alert, then home', async () => {
    server.acceptsCards = false;
    const { user } = open();
    const alert = within(await screen.findByRole('alertdialog', { name: 'Falta de configuración!' }));
    await user.click(alert.getByRole('button', { name: 'Aceptar' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'));
  });
});
