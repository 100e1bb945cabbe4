import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import text from '@aparta/ui/text.module.css';
import type { CounterReceipt } from '@aparta/contract/counter-payments';
import type { RefusalCode } from '@aparta/contract/refusals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { Route, Router, Switch } from 'wouter';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { counterReceipt } from '../../../web/test/counter-receipt.ts';
import { evaAtCounter, fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { forgetPress, keepPress, type Press, unfinishedPress } from '../session/press.ts';
import { session } from '../session/session.ts';
import ChargePage from './charge-page.tsx';
import ReceiptPage from './receipt-page.tsx';

const POSITION = luisAtCounter.position;
const PRESS = '6f0f5c1e-0000-4000-8000-000000000008';

/** A purchase of two instalments of $1,200, as the server's books have it. */
let paid: number;
let booked: string[];
/** What was given up. */
let dropped: string[];
/** How it ended, if it did. */
let ended: 'cancelled' | 'expired' | 'sold_out' | undefined;
/** What a press is refused with, whatever it is. */
let refusal: RefusalCode | undefined;
/** Its newest payment. */
let lastPaid: { amount: number; at: string } | null;
/** What is owed back of it. */
let owedBack: number;
/** Whether calls arrive, and whether their answers do. */
let arrives: boolean;
let answers: boolean;
/** By which presses money was asked to be taken back, and whether the server is of the version before. */
let reversing: string[];
let isOlder: boolean;
/** What a look-up and the answer to a press wait for. */
let lookUp: PromiseWithResolvers<void> | undefined;
let answer: PromiseWithResolvers<void> | undefined;

function owed() {
  const left = 2400 - paid;
  const one = (amount: number) => (left === 0 ? null : { amount, fills: [] });
  return {
    reference: '21000482101',
    kind: 'instalments',
    state: ended ?? (left === 0 ? 'paid_off' : 'open'),
    productName: 'Lavadora',
    pictures: null,
    buyer: 'Marisol R.',
    balance: left,
    fee: 0,
    late: false,
    expiresAt: null,
    nextDueOn: left === 0 ? null : '2026-12-20',
    instalments: [2, 3]
      .map((number) => ({ number, dueOn: `2026-1${number - 1}-20`, amount: 1200, balance: 1200 }))
      .slice(paid / 1200),
    next: one(1200),
    all: one(left),
    minimum: left === 0 ? null : 1,
    asked: null,
    purchaseId: 10004,
    owedBack,
    lastPaid,
  };
}

async function take({ body }: { body: unknown }) {
  const { id, amount, tendered = null, balanceShown } = body as Press;
  if (arrives && !booked.includes(id)) {
    if (refusal) return refuse(409, refusal);
    if ((balanceShown ?? 2400 - paid) !== 2400 - paid) return refuse(409, 'AMOUNT_CHANGED');
    booked.push(id);
    paid += amount;
  }
  await answer?.promise;
  if (!arrives || !answers) return 'no network';
  const change = tendered === null ? null : tendered - amount;
  return ok({ ...receipt, id, amount, tendered, change, balance: 2400 - paid });
}

/** Of a deposit of $600. */
let receipt: CounterReceipt;

const DEPOSIT: CounterReceipt = { ...counterReceipt, id: PRESS };
const GIVE_CHANGE = 'Cambio que entregas';

fakeServer({
  'GET /v1/counter/references/21000482101': async () => {
    await lookUp?.promise;
    return arrives ? ok(owed()) : 'no network';
  },
  'POST /v1/counter/payments': take,
  'GET /v1/counter/receipts/A7K299310Z': () => ok(receipt),
  // The purchase ends with its deposit: what stays in its books is due on no day.
  'POST /v1/counter/receipts/A7K299310Z/reverse': ({ body }) => {
    const { id, reason } = body as { id: string; reason: string };
    reversing.push(id);
    receipt = {
      ...receipt,
      balance: 3000,
      nextDueOn: null,
      // As a colleague did it before, if one did.
      reversal: receipt.reversal ?? {
        at: receipt.takenAt,
        by: POSITION.name,
        reason,
        ...(isOlder ? {} : { id }),
      },
    };
    return answers ? ok(receipt) : 'no network';
  },
  [`POST /v1/counter/payments/${PRESS}/drop`]: () => {
    if (!arrives) return 'no network';
    if (booked.includes(PRESS)) return ok(receipt);
    dropped.push(PRESS);
    return ok(null);
  },
  [`GET /v1/counter/payments/${PRESS}`]: () => (arrives ? refuse(404, 'NOT_FOUND') : 'no network'),
});

beforeEach(() => {
  // The day of the receipt.
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-20T18:05:00.000Z') });
  paid = 0;
  booked = [];
  dropped = [];
  ended = undefined;
  refusal = undefined;
  owedBack = 0;
  lastPaid = null;
  receipt = DEPOSIT;
  arrives = true;
  answers = true;
  reversing = [];
  isOlder = false;
  lookUp = undefined;
  answer = undefined;
  localStorage.clear();
  session.open(luisAtCounter);
});
afterEach(() => {
  vi.useRealTimers();
});

function open(at = '/cobro/21000482101') {
  return show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <Switch>
          <Route path="/cobro/:code">{({ code }) => <ChargePage code={code} />}</Route>
          <Route path="/recibo/:folio">{({ folio }) => <ReceiptPage folio={folio} />}</Route>
        </Switch>
      </QueryClientProvider>
    </Router>,
    `/mostrador${at}`,
  );
}

const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

/** The device finds its network again, and whoever holds it comes back to the screen. */
async function comeBack() {
  await act(async () => {
    dispatchEvent(new Event('offline'));
    dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await pass(5);
}

test('a cashier who goes through the sums by the arrows stays among them', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('radio', { name: /^Todo/ }));
  await user.keyboard('{ArrowDown}');
  screen.getByLabelText('Monto');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Otro monto' }));
});

test.each([
  ['with more to pay', 'Lo que sigue: $1,200.00', '1500', 'Cobrar $1,200.00', '$300.00'],
  ['paid off', 'Todo: $2,400.00', '2500', 'Cobrar $2,400.00', '$100.00'],
])(
  'a press without an answer stays the question when the network is back, never the next sum, and ends with its change (%s)',
  async (_what, sum, tendered, label, change) => {
    const { user, here } = open();
    await user.click(await screen.findByRole('radio', { name: sum }));
    await user.type(screen.getByLabelText('Recibes'), tendered);
    answers = false;
    await user.click(await button(label));
    await pass(13);
    expect(screen.getByText(/Seguimos sin respuesta/)).toBeTruthy();
    await comeBack();
    expect(screen.getByText(/Seguimos sin respuesta/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Cobrar/ })).toBeNull();
    answers = true;
    answer = Promise.withResolvers();
    await user.click(await button('Preguntar otra vez'));
    expect(screen.queryByRole('button', { name: /Cobrar/ })).toBeNull();
    answer.resolve();
    expect((await screen.findByText(GIVE_CHANGE)).textContent).toContain(change);
    expect([here(), booked.length, unfinishedPress(POSITION)]).toEqual([
      '/mostrador/recibo/A7K299310Z',
      1,
      undefined,
    ]);
  },
);

/** The words of a row of the receipt. */
const row = async (label: string) => (await screen.findByText(label)).parentElement?.textContent;

test('change is told to be handed over once, by the press that took the money; whoever opens the receipt later reads how much it was', async () => {
  const { user, unmount } = open();
  const press = await button('Cobrar $1,200.00');
  await user.type(screen.getByLabelText('Recibes'), '1500');
  await user.click(press);
  // Announced, though the focus is on the heading above it.
  expect((await screen.findByRole('alert')).textContent).toContain(`${GIVE_CHANGE} $300.00`);
  unmount();
  receipt = { ...DEPOSIT, amount: 1200, tendered: 1500, change: 300 };
  open('/recibo/A7K299310Z');
  expect(await row('Recibido')).toContain('$1,500.00');
  expect(await row('Cambio')).toContain('$300.00');
  expect(screen.queryByText(GIVE_CHANGE)).toBeNull();
});

test('the paper that a buyer takes home has whose shop it is, the change and the number for the next payment, and no words or buttons for the cashier', async () => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  await user.type(screen.getByLabelText('Recibes'), '1500');
  await user.click(press);
  const printed = [
    await row('Comercio'),
    await row('Dirección'),
    await row('Teléfono'),
    await row('Número para pagarlo'),
  ];
  expect(printed).toEqual([
    'ComercioMuebles del Valle',
    'DirecciónAv. Juárez 12, Puebla',
    'Teléfono222 555 0311',
    'Número para pagarlo3123 4567 905',
  ]);
  expect(await row('Cambio')).toContain('$300.00');
  const ofCashier = [screen.getByText(GIVE_CHANGE), ...screen.getAllByRole('button')];
  ofCashier.push(screen.getByRole('link', { name: 'Cobrar otro' }));
  for (const one of ofCashier) expect(one.closest(`.${text.notPrinted}`)).not.toBeNull();
  expect(screen.getByText('Número para pagarlo').closest(`.${text.notPrinted}`)).toBeNull();
});

test.each([
  ['today', '2026-11-20T17:40:00.000Z', true],
  ['before today', '2026-11-20T05:59:00.000Z', false],
])(
  'a number that is scanned again after it was paid %s says so, or takes the next payment as ever',
  async (_when, at, isSaid) => {
    lastPaid = { amount: 600, at };
    open();
    await button('Cobrar $1,200.00');
    expect(screen.queryByText('Hoy ya pagó $600.00.') !== null).toBe(isSaid);
  },
);

test('a note with a digit too many is not taken, and what change it would be is said', async () => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  const note = screen.getByLabelText('Recibes');
  await user.type(note, '15000');
  await user.click(press);
  expect(screen.getByText(/Darías \$13,800\.00 de cambio/)).toBeTruthy();
  expect(booked).toEqual([]);
  await user.clear(note);
  await user.type(note, '2199');
  await user.click(press);
  expect((await screen.findByText(GIVE_CHANGE)).textContent).toContain('$999.00');
});

test('what somebody else took meanwhile is said before anything is taken, with what is left', async () => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  await user.click(screen.getByRole('radio', { name: 'Lo que sigue: $1,200.00' }));
  paid = 1200;
  await user.click(press);
  expect(await screen.findByText(/Alguien pagó mientras tanto/)).toBeTruthy();
  expect(booked).toEqual([]);
  await user.click(await button('Cobrar $1,200.00'));
  expect(await screen.findByText('Cobrado')).toBeTruthy();
  expect(booked).toHaveLength(1);
});

/** The cashier types the slip of a card that the shop's terminal has charged. */
async function typeSlip(user: User) {
  await user.click(screen.getByRole('radio', { name: 'Tu terminal' }));
  await user.type(screen.getByLabelText('Últimos 4 dígitos de la tarjeta'), '4242');
  await user.type(screen.getByLabelText('Autorización'), 'A1B2C3');
}

test('of a card that was charged before its press was refused nobody reads that nothing was, and its slip stays typed in', async () => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  await typeSlip(user);
  paid = 1200;
  await user.click(press);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'La cantidad cambió. Aquí no se registró. Si tu terminal ya cobró, cancélalo en ella, o cobra otro monto.',
  );
  expect(await screen.findByRole('radio', { name: 'Lo que sigue: $1,200.00' })).toBeTruthy();
  expect(screen.queryByRole('radio', { name: 'Todo: $2,400.00' })).toBeNull();
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Tu terminal' }).checked).toBe(true);
  expect(value('Últimos 4 dígitos de la tarjeta')).toBe('4242');
  expect(value('Autorización')).toBe('A1B2C3');
});

test.each([
  ['terminal', 'Aquí no se registró. Si tu terminal ya cobró, cancélalo en ella.'],
  ['cash', 'No cobres: la última ya está apartada. Devuelve el efectivo.'],
])('money for what sold out meanwhile goes back as it came: %s', async (method, words) => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  if (method === 'terminal') await typeSlip(user);
  [refusal, ended] = ['SOLD_OUT', 'sold_out'];
  await user.click(press);
  expect(await screen.findByText('Se agotó.')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe(`Ya no hay piezas de este producto. ${words}`);
});

test('a slip whose press is refused after a reload is cancelled on the terminal', async () => {
  const slip = { method: 'terminal', last4: '4242', authorisation: '1' } as const;
  keepPress(POSITION, { id: PRESS, branchId: 1, reference: '21000482101', amount: 1200, ...slip });
  refusal = 'PURCHASE_CANCELLED';
  const { user } = open();
  await user.click(await button('Sí, registrar $1,200.00'));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Esta compra se canceló. Aquí no se registró. Si tu terminal ya cobró, cancélalo en ella.',
  );
});

test('what was being looked up when it was pressed shows no other sum to take while the answer is awaited', async () => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  lookUp = Promise.withResolvers();
  answer = Promise.withResolvers();
  await pass(31);
  await comeBack();
  await user.click(press);
  lookUp.resolve();
  await pass(5);
  expect(screen.getAllByRole('button', { name: /Cobrar \$/ })).toEqual([press]);
  expect([press.isConnected, press.getAttribute('aria-busy')]).toEqual([true, 'true']);
  answer.resolve();
  expect(await screen.findByText('Cobrado')).toBeTruthy();
  expect(booked.length).toBe(1);
});

test('a press that still has no answer when somebody else signs in is not sent in their name, and waits for whoever pressed', async () => {
  const { user, here } = open();
  const press = await button('Cobrar $1,200.00');
  arrives = false;
  await user.click(press);
  await pass(1);
  act(() => session.open(evaAtCounter));
  arrives = true;
  await pass(13);
  expect(booked).toEqual([]);
  expect(here()).toBe('/mostrador/cobro/21000482101');
  expect(unfinishedPress(POSITION)).toMatchObject({ amount: 1200 });
});

test('a press that was dropped on another screen is not sent on behind it', async () => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  arrives = false;
  await user.click(press);
  await pass(1);
  forgetPress(unfinishedPress(POSITION)!.id);
  arrives = true;
  await pass(13);
  expect(booked).toEqual([]);
});

test('the receipt of a press whose answer comes when somebody else has signed in is shown to whoever pressed, when they are back', async () => {
  const { user, here } = open();
  const press = await button('Cobrar $1,200.00');
  answer = Promise.withResolvers();
  await user.click(press);
  act(() => session.open(evaAtCounter));
  answer.resolve();
  await pass(1);
  expect(booked).toHaveLength(1);
  expect(here()).toBe('/mostrador/cobro/21000482101');
  expect(unfinishedPress(POSITION)).toMatchObject({ id: booked[0] });
});

test('a comma for the centavos of what was received takes nothing and shows no change to give', async () => {
  const { user } = open();
  const press = await button('Cobrar $1,200.00');
  await user.type(screen.getByLabelText('Recibes'), '1500,00');
  expect(screen.queryByText(/Cambio/)).toBeNull();
  await user.click(press);
  expect(screen.getByText('Tiene que ser $1,200.00 o más. Los centavos van con punto.')).toBeTruthy();
  expect(booked).toEqual([]);
});

test('after a reload, money that is said to be received and finds no network is asked about, and booked once', async () => {
  keepPress(POSITION, { id: PRESS, branchId: 1, reference: '21000482101', amount: 1200, method: 'cash' });
  const { user, here } = open();
  const yes = await button('Sí, registrar $1,200.00');
  arrives = false;
  await user.click(yes);
  await pass(13);
  expect(screen.getByText(/Seguimos sin respuesta/)).toBeTruthy();
  expect(screen.queryByText(/no se registró/)).toBeNull();
  arrives = true;
  await user.click(await button('Preguntar otra vez'));
  expect(await screen.findByText('Cobrado')).toBeTruthy();
  expect([here(), booked]).toEqual(['/mostrador/recibo/A7K299310Z', [PRESS]]);
});

test('money that is said to be received and is refused for asking too often stays asked about, and is booked once', async () => {
  keepPress(POSITION, { id: PRESS, branchId: 1, reference: '21000482101', amount: 1200, method: 'cash' });
  refusal = 'TOO_MANY';
  const { user } = open();
  await user.click(await button('Sí, registrar $1,200.00'));
  expect((await screen.findByRole('alert')).textContent).toMatch(/Demasiados intentos/);
  expect(unfinishedPress(POSITION)).toMatchObject({ id: PRESS });
  refusal = undefined;
  await user.click(await button('Sí, registrar $1,200.00'));
  expect(await screen.findByText('Cobrado')).toBeTruthy();
  expect([booked, unfinishedPress(POSITION)]).toEqual([[PRESS], undefined]);
});

test('a payment that is asked about, at once and after a reload, says of what and whose it was; one kept by a version before is asked about too', async () => {
  const { user, unmount } = open();
  const press = await button('Cobrar $1,200.00');
  arrives = false;
  await user.click(press);
  await pass(1);
  expect(screen.getByRole('region', { name: '¿Se registró el cobro de $1,200.00?' }).textContent).toMatch(
    'Lavadora, de Marisol R.',
  );
  const { productName: _product, buyer: _buyer, ...before } = unfinishedPress(POSITION)!;
  unmount();
  const again = open();
  expect(await screen.findByText('Lavadora, de Marisol R.')).toBeTruthy();
  again.unmount();
  keepPress(POSITION, before);
  open();
  expect(await screen.findByText('¿Se registró el cobro de $1,200.00?')).toBeTruthy();
  expect(screen.queryByText(/Marisol/)).toBeNull();
});

test('money that is said not to be received is given up at the server too, whose call may still be under way', async () => {
  keepPress(POSITION, { id: PRESS, branchId: 1, reference: '21000482101', amount: 1200, method: 'cash' });
  const { user } = open();
  const no = await button('No lo recibí');
  arrives = false;
  await user.click(no);
  expect((await screen.findByRole('alert')).textContent).toMatch(/internet|conexión/);
  expect(unfinishedPress(POSITION)).toMatchObject({ id: PRESS });
  arrives = true;
  await user.click(await button('No lo recibí'));
  expect(await button('Cobrar $1,200.00')).toBeTruthy();
  expect([dropped, unfinishedPress(POSITION)]).toEqual([[PRESS], undefined]);
});

test('a press without an answer of a cashier who is the manager by now comes before anything else is taken', async () => {
  keepPress(POSITION, { id: PRESS, branchId: 1, reference: '21000482101', amount: 1200, method: 'cash' });
  session.open({
    ...evaAtCounter,
    position: { ...evaAtCounter.position, formerIds: [POSITION.positionId], role: 'manager' },
  });
  const { user } = open();
  await user.click(await button('Sí, registrar $1,200.00'));
  expect(await screen.findByText('Cobrado')).toBeTruthy();
  expect([booked, unfinishedPress(POSITION)]).toEqual([[PRESS], undefined]);
});

test('money that was booked after all before it was given up shows its receipt', async () => {
  keepPress(POSITION, { id: PRESS, branchId: 1, reference: '21000482101', amount: 1200, method: 'cash' });
  const { user, here } = open();
  const no = await button('No lo recibí');
  booked = [PRESS];
  await user.click(no);
  expect(await screen.findByText('Cobrado')).toBeTruthy();
  expect([here(), unfinishedPress(POSITION)]).toEqual(['/mostrador/recibo/A7K299310Z', undefined]);
});

test.each([
  ['cancelled', 'Está cancelado.'],
  ['expired', 'Este apartado venció.'],
] as const)('of a purchase that is %s the cashier reads no sum that would be owed', async (state, title) => {
  ended = state;
  open();
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Lavadora' })).toBeTruthy();
  expect(screen.queryByText(/\$2,400/)).toBeNull();
  expect(screen.queryByText('Debe en total')).toBeNull();
});

test('of a cancelled purchase that is owed back a cashier reads what, and who hands it over', async () => {
  [ended, owedBack] = ['cancelled', 600];
  open();
  expect(await screen.findByText('Está cancelado: se deben $600.00 en caja.')).toBeTruthy();
  expect(screen.getByText(/La devolución la entrega tu encargado/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Entregar la devolución' })).toBeNull();
});

test('a manager goes on from it to where it is handed over', async () => {
  [ended, owedBack] = ['cancelled', 600];
  beManager();
  open();
  const link = await screen.findByRole('link', { name: 'Entregar la devolución' });
  expect(link.getAttribute('href')).toBe('/mostrador/compras/10004?ver=canceladas');
});

test.each([
  [null, 'De este pago no se devuelve nada.'],
  [{ amount: 600, doneAt: null }, 'De este pago se deben $600.00 en caja.'],
  [
    { amount: 600, doneAt: '2026-11-21T18:00:00.000Z' },
    'De este pago se devolvieron $600.00 el 21 nov 2026.',
  ],
])(
  'the receipt of a purchase that was cancelled says what became of its money, and offers it no second time',
  async (refund, words) => {
    receipt = { ...DEPOSIT, cancelled: true, refund };
    beManager();
    open('/recibo/A7K299310Z');
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Ver la compra' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Devolver este cobro' })).toBeNull();
  },
);

test.each([
  ['until midnight in Mexico City', '2026-11-21T05:59:00.000Z', true],
  ['not on another day', '2026-11-21T06:00:00.000Z', false],
])(
  'taking money back is offered on its day alone, and later what remains instead: %s',
  async (_when, now, offered) => {
    vi.setSystemTime(new Date(now));
    beManager();
    open('/recibo/A7K299310Z');
    expect(await screen.findByText('Cobrado')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Devolver este cobro' }) !== null).toBe(offered);
    expect(screen.queryByText(/el comprador puede cancelar su compra.*o un dueño terminarla/) === null).toBe(
      offered,
    );
  },
);

test('a cashier, who takes nothing back, reads nothing of it on another day', async () => {
  vi.setSystemTime(new Date('2026-11-21T18:00:00.000Z'));
  open('/recibo/A7K299310Z');
  expect(await screen.findByText('Cobrado')).toBeTruthy();
  expect(screen.queryByText(/o un dueño terminarla/)).toBeNull();
});

const beManager = (branches = luisAtCounter.branches) =>
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'manager' }, branches });

type User = ReturnType<typeof show>['user'];

/** A manager presses that the money of the open receipt goes back. */
async function pressBack(user: User) {
  await user.click(await button('Devolver este cobro'));
  await user.type(screen.getByLabelText('Motivo'), 'Se equivocó de producto');
  await user.click(await button('Devolver $600.00'));
}

/** The same, until it is booked. */
async function giveBack(user: User) {
  beManager();
  await pressBack(user);
  expect(await screen.findByText(/Se equivocó de producto/)).toBeTruthy();
}

test('the receipt of a deposit that was given back names no rest to pay: the purchase ended with it', async () => {
  const { user } = open('/recibo/A7K299310Z');
  expect(await screen.findByText('Quedó por pagar tras este pago')).toBeTruthy();
  await giveBack(user);
  expect(screen.queryByText('Quedó por pagar tras este pago')).toBeNull();
});

test('a receipt that is printed again after a later payment does not say that its rest is still owed', async () => {
  receipt = { ...DEPOSIT, nextDueOn: '2027-01-20' };
  open('/recibo/A7K299310Z');
  expect(await screen.findByText('Quedó por pagar tras este pago')).toBeTruthy();
  expect(screen.queryByText(/Queda por pagar/)).toBeNull();
});

test('after giving money back a manager goes on from the heading of the receipt, above what became of it', async () => {
  const { user } = open('/recibo/A7K299310Z');
  await giveBack(user);
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Recibo' }));
});

test.each([
  ['cash', {}, 'Entrega ahora $600.00 en efectivo al comprador.'],
  [
    'a terminal',
    { method: 'terminal', last4: '4242', authorisation: '1' },
    'Devuelve ahora $600.00 en tu terminal, a la tarjeta 4242.',
  ],
] as const)(
  'money that came by %s is handed back by it once it is booked, after a reload too, until the manager says that they did it',
  async (_how, more, words) => {
    receipt = { ...DEPOSIT, ...more };
    const { user, unmount } = open('/recibo/A7K299310Z');
    expect(await screen.findByText('Cobrado')).toBeTruthy();
    expect(screen.queryByText(words)).toBeNull();
    await giveBack(user);
    expect(screen.getByText(words)).toBeTruthy();
    unmount();
    const reloaded = open('/recibo/A7K299310Z');
    expect(await screen.findByText(words)).toBeTruthy();
    await user.click(await button('Ya lo devolví'));
    expect(screen.queryByText(words)).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Recibo' }));
    reloaded.unmount();
    open('/recibo/A7K299310Z');
    expect(await screen.findByText(/Se equivocó de producto/)).toBeTruthy();
    expect(screen.queryByText(words)).toBeNull();
  },
);

test.each([
  [
    'cash',
    {},
    'Sale deTu caja, Centro',
    'Tienes abierta Angelópolis: los billetes salen de tu caja de Centro.',
  ],
  [
    'a terminal',
    { method: 'terminal', last4: '4242', authorisation: '1' },
    'Sale deTu terminal, Centro',
    'Tienes abierta Angelópolis: esto se anota en tu caja de Centro.',
  ],
] as const)(
  'before money that came by %s is taken back a manager reads of which branch it is, and that another one is open',
  async (_how, more, from, elsewhere) => {
    receipt = { ...DEPOSIT, ...more };
    beManager([...luisAtCounter.branches, { ...luisAtCounter.branches[0]!, id: 2, name: 'Angelópolis' }]);
    const { user } = open('/recibo/A7K299310Z');
    await user.click(await button('Devolver este cobro'));
    const sheet = await screen.findByRole('dialog');
    expect(sheet.textContent).toContain(from);
    expect(sheet.textContent).not.toContain('Tienes abierta');
    act(() => session.chooseBranch(2));
    expect(sheet.textContent).toContain(from);
    expect(sheet.textContent).toContain(elsewhere);
  },
);

test('who has to hand banknotes over is told from which drawer they go', async () => {
  const { user } = open('/recibo/A7K299310Z');
  await giveBack(user);
  expect((await screen.findByRole('alert')).textContent).toBe(`${GIVE} Sale de: Tu caja, Centro`);
});

const GIVE = 'Entrega ahora $600.00 en efectivo al comprador.';
const GIVEN_BEFORE = 'Este cobro ya se devolvió. No entregues dinero otra vez.';

test('money whose taking back lost its reply is pressed for again, and the same press tells to hand it over', async () => {
  beManager();
  const { user } = open('/recibo/A7K299310Z');
  answers = false;
  await pressBack(user);
  expect(await screen.findByText(/No sabemos si quedó anotada. Toca otra vez/)).toBeTruthy();
  expect(screen.queryByText(GIVE)).toBeNull();
  answers = true;
  await user.click(await button('Devolver $600.00'));
  expect(await screen.findByText(GIVE)).toBeTruthy();
  expect([reversing.length, new Set(reversing).size]).toEqual([2, 1]);
});

test('a receipt that is opened again after a lost reply tells to hand over what was taken back, and to nobody else', async () => {
  beManager();
  const { user, unmount } = open('/recibo/A7K299310Z');
  answers = false;
  await pressBack(user);
  await screen.findByText(/No sabemos si quedó anotada/);
  unmount();
  const theirs = luisAtCounter.position;
  session.open({
    ...evaAtCounter,
    position: { ...evaAtCounter.position, name: theirs.name, role: 'manager' },
  });
  const other = open('/recibo/A7K299310Z');
  expect(await screen.findByText(/Se equivocó de producto/)).toBeTruthy();
  expect(screen.queryByText(GIVE)).toBeNull();
  other.unmount();
  beManager();
  open('/recibo/A7K299310Z');
  expect(await screen.findByText(GIVE)).toBeTruthy();
});

test('money that is taken back once is handed over once: the second tab with the same reason is told that it was done', async () => {
  beManager();
  open('/recibo/A7K299310Z');
  const { user } = open('/recibo/A7K299310Z');
  expect(await screen.findAllByText('Cobrado')).toHaveLength(2);
  for (const tab of [0, 1]) {
    await user.click(screen.getAllByRole('button', { name: 'Devolver este cobro' })[0]!);
    await user.type(screen.getByLabelText('Motivo'), 'Se cobró dos veces');
    await user.click(await button('Devolver $600.00'));
    expect(await screen.findByText(tab === 0 ? GIVE : GIVEN_BEFORE)).toBeTruthy();
  }
  expect(screen.getAllByText(GIVE)).toHaveLength(1);
});

test('of a server of the version before, which names no press, whoever took money back is still told to hand it over', async () => {
  isOlder = true;
  const { user } = open('/recibo/A7K299310Z');
  await giveBack(user);
  expect(screen.getByText(GIVE)).toBeTruthy();
});

test.each([
  { by: 'Eva', reason: 'Error de caja' },
  { by: POSITION.name, reason: 'Se cobró dos veces' },
])(
  'who finds that a colleague gave the money back before them is not told to give it too: $by, $reason',
  async (colleague) => {
    const { user } = open('/recibo/A7K299310Z');
    beManager();
    await user.click(await button('Devolver este cobro'));
    await user.type(screen.getByLabelText('Motivo'), 'Se cobró dos veces');
    receipt = { ...receipt, reversal: { at: receipt.takenAt, id: PRESS, ...colleague } };
    await user.click(await button('Devolver $600.00'));
    expect(await screen.findByText(GIVEN_BEFORE)).toBeTruthy();
    expect(screen.queryByText(/Entrega ahora/)).toBeNull();
  },
);
