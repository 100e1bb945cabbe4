import type { CounterReceipt } from '@aparta/contract/counter-payments';
import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { counterReceipt } from '../../../web/test/counter-receipt.ts';
import { fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { keepPress, refundPresses, reversalPresses } from '../session/press.ts';
import { session } from '../session/session.ts';
import CutsPage from './cuts-page.tsx';

/** A payment whose answer never came. */
const PRESS = {
  id: '6f0f5c1e-0000-4000-8000-000000000008',
  branchId: 1,
  reference: '21000482101',
  amount: 100,
  method: 'cash',
  productName: 'Lavadora',
  buyer: 'Marisol R.',
} as const;

const OTHER_PRESS = '6f0f5c1e-0000-4000-8000-000000000018';
const REVERSAL = { id: '6f0f5c1e-0000-4000-8000-0000000000a1', folio: 'A7K299310Z' };
const REVERSED = { at: '2026-11-20T18:00:00.000Z', by: 'Luis', reason: 'Se cobró dos veces' };
const REFUND = { id: '6f0f5c1e-0000-4000-8000-0000000000b1', refundId: 12, branchId: 1, amount: 600 };
const REFUNDED = {
  id: 12,
  amount: 600,
  method: 'cash',
  state: 'done',
  folio: 'A7K299310Z',
  last4: null,
  payerName: null,
  at: '2026-11-20T18:00:00.000Z',
  doneAt: '2026-11-20T18:05:00.000Z',
};
const DRAWER = {
  branchId: 1,
  branch: 'Centro',
  positionId: luisAtCounter.position.positionId,
  name: 'Luis',
  cashTaken: 600,
  cashReturned: 0,
  terminalTaken: 0,
  terminalReturned: 0,
  movements: 1,
  since: null,
  list: [],
};

/** A payment of the counter, and what the server knows of presses that paid refund 12. */
let receipt: CounterReceipt;
let paid: string[] | 'no network';
let isDone: boolean;
let isTooOften: boolean;
/** Presses that were given up. */
let dropped: string[];
let drop: 'no network' | 'older server' | undefined;

const dropsIt = ({ body }: { body?: unknown }) => {
  if (drop === 'no network') return drop;
  if (drop === 'older server') return refuse(404, 'NOT_FOUND');
  dropped.push((body as { id: string }).id);
  return ok(null);
};

fakeServer({
  'GET /v1/counter/closed-branches': () => ok([]),
  'GET /v1/counter/shifts': () => ok([DRAWER]),
  'GET /v1/counter/cuts': { body: { isSuccess: true, message: '', data: [], next: null, total: 0 } },
  [`GET /v1/counter/payments/${PRESS.id}`]: () => refuse(404, 'NOT_FOUND'),
  [`POST /v1/counter/payments/${PRESS.id}/drop`]: () => ok(null),
  [`GET /v1/counter/payments/${OTHER_PRESS}`]: () => refuse(404, 'NOT_FOUND'),
  [`POST /v1/counter/payments/${OTHER_PRESS}/drop`]: () => ok(null),
  'GET /v1/counter/receipts/A7K299310Z': () => ok(receipt),
  [`GET /v1/counter/refunds/paid/${REFUND.id}`]: () =>
    paid === 'no network' ? paid : ok(paid.includes(REFUND.id) ? REFUNDED : null),
  'POST /v1/counter/receipts/A7K299310Z/reverse/drop': dropsIt,
  'POST /v1/counter/refunds/12/pay/drop': dropsIt,
  'POST /v1/counter/refunds/12/pay': ({ body }) => {
    if (isDone) return refuse(409, 'REFUND_DONE');
    if (isTooOften) return refuse(429, 'TOO_MANY');
    if (paid !== 'no network') paid.push((body as { id: string }).id);
    return ok(REFUNDED);
  },
});

beforeEach(() => {
  receipt = counterReceipt;
  paid = [];
  isDone = false;
  isTooOften = false;
  dropped = [];
  drop = undefined;
  localStorage.clear();
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'manager' } });
});

const open = () =>
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <CutsPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/corte',
  );
const cardOf = async (name: string) => within(await screen.findByRole('region', { name }));

test('every payment of one’s own without an answer is asked about before the drawer is counted', async () => {
  const another = { ...PRESS, id: OTHER_PRESS, amount: 250 };
  for (const each of [PRESS, another]) keepPress(luisAtCounter.position, each);
  const { user } = open();
  for (const amount of ['$100.00', '$250.00']) {
    const asked = await cardOf(`El cobro de ${amount} no se registró`);
    expect(screen.queryByRole('region', { name: 'Tu caja' })).toBeNull();
    await user.click(asked.getByRole('button', { name: 'No lo recibí' }));
  }
  expect(await cardOf('Tu caja')).toBeTruthy();
});

const notReversed = 'La devolución del cobro A7K2 9931 0Z no se anotó';

test('a payment that a press without an answer took back is shown before the drawer is counted: its money may not have been handed over', async () => {
  receipt = { ...receipt, reversal: { ...REVERSED, id: REVERSAL.id } };
  reversalPresses.keep(luisAtCounter.position, REVERSAL);
  const { here } = open();
  await waitFor(() => expect(here()).toBe('/mostrador/recibo/A7K299310Z'));
  expect(reversalPresses.unfinished(luisAtCounter.position)).toEqual(REVERSAL);
});

test('one that was not booked is taken back first, or was not given back at all', async () => {
  reversalPresses.keep(luisAtCounter.position, REVERSAL);
  const { user } = open();
  const asked = await cardOf(notReversed);
  expect(screen.queryByRole('region', { name: 'Tu caja' })).toBeNull();
  expect(asked.getByRole('link', { name: 'Abrir el recibo' }).getAttribute('href')).toBe(
    '/mostrador/recibo/A7K299310Z',
  );
  await user.click(asked.getByRole('button', { name: 'No devolví nada' }));
  expect(await cardOf('Tu caja')).toBeTruthy();
  expect([dropped, reversalPresses.unfinished(luisAtCounter.position)]).toEqual([[REVERSAL.id], undefined]);
});

test('a press that the server could not be told to drop is kept, and waits; one of a server before is only asked about', async () => {
  reversalPresses.keep(luisAtCounter.position, REVERSAL);
  drop = 'no network';
  const { user } = open();
  const press = async () => user.click(await screen.findByRole('button', { name: 'No devolví nada' }));
  await press();
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(reversalPresses.unfinished(luisAtCounter.position)).toEqual(REVERSAL);
  drop = 'older server';
  await press();
  expect(await cardOf('Tu caja')).toBeTruthy();
  expect([dropped, reversalPresses.unfinished(luisAtCounter.position)]).toEqual([[], undefined]);
});

test('one that came after all, while its person said that it did not, is shown', async () => {
  reversalPresses.keep(luisAtCounter.position, REVERSAL);
  const { user, here } = open();
  const asked = await cardOf(notReversed);
  receipt = { ...receipt, reversal: { ...REVERSED, id: REVERSAL.id } };
  await user.click(asked.getByRole('button', { name: 'No devolví nada' }));
  await waitFor(() => expect(here()).toBe('/mostrador/recibo/A7K299310Z'));
});

test('nobody hands money over again that another press took back', async () => {
  receipt = { ...receipt, reversal: { ...REVERSED, id: PRESS.id } };
  reversalPresses.keep(luisAtCounter.position, REVERSAL);
  const { user } = open();
  const asked = await cardOf(notReversed);
  expect(asked.getByText(/No entregues dinero otra vez/)).toBeTruthy();
  await user.click(asked.getByRole('button', { name: 'Seguir con el corte' }));
  expect(await cardOf('Tu caja')).toBeTruthy();
});

test('a reversal whose screen told already to hand the money over waits for nothing', async () => {
  reversalPresses.keep(luisAtCounter.position, { ...REVERSAL, isTold: true });
  open();
  expect(await cardOf('Tu caja')).toBeTruthy();
});

test.each([
  ['cash', {}, /Está en tu caja como dinero que salió/, 'Ya la entregué'],
  ['the terminal', { method: 'terminal' }, /hazla ahora/, 'Ya la hice'],
] as const)(
  'a refund by %s whose answer never came is known before the drawer is counted',
  async (_how, more, words, done) => {
    paid = [REFUND.id];
    refundPresses.keep(luisAtCounter.position, { ...REFUND, ...more });
    const { user } = open();
    const asked = await cardOf('La devolución de $600.00 sí quedó anotada');
    expect(asked.getByText(words)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Tu caja' })).toBeNull();
    await user.click(asked.getByRole('button', { name: done }));
    expect(await cardOf('Tu caja')).toBeTruthy();
    expect(refundPresses.unfinished(luisAtCounter.position)).toBeUndefined();
  },
);

test('one that was not booked is, once, where it was handed over; else it is forgotten', async () => {
  refundPresses.keep(luisAtCounter.position, REFUND);
  const { user, unmount } = open();
  const notBooked = 'La devolución de $600.00 no se anotó';
  await user.click((await cardOf(notBooked)).getByRole('button', { name: 'Sí, anotarla' }));
  expect(await cardOf('La devolución de $600.00 sí quedó anotada')).toBeTruthy();
  expect(paid).toEqual([REFUND.id]);
  unmount();
  paid = [];
  open();
  await user.click((await cardOf(notBooked)).getByRole('button', { name: 'No devolví nada' }));
  expect(await cardOf('Tu caja')).toBeTruthy();
  expect([paid, dropped, refundPresses.unfinished(luisAtCounter.position)]).toEqual([
    [],
    [REFUND.id],
    undefined,
  ]);
});

test('while nobody can say whether a refund was booked its drawer is not counted', async () => {
  paid = 'no network';
  refundPresses.keep(luisAtCounter.position, REFUND);
  open();
  expect(await cardOf('¿Quedó anotada la devolución de $600.00?')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Tu caja' })).toBeNull();
  paid = [REFUND.id];
  await act(async () => {
    for (const each of ['offline', 'online']) dispatchEvent(new Event(each));
  });
  expect(await cardOf('La devolución de $600.00 sí quedó anotada')).toBeTruthy();
});

test('a refund that somebody else handed over meanwhile is not handed over again', async () => {
  refundPresses.keep(luisAtCounter.position, REFUND);
  const { user } = open();
  const asked = await cardOf('La devolución de $600.00 no se anotó');
  isDone = true;
  await user.click(asked.getByRole('button', { name: 'Sí, anotarla' }));
  expect(await screen.findByText(/No entregues dinero otra vez/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Seguir con el corte' }));
  expect(await cardOf('Tu caja')).toBeTruthy();
});

test('a refund that was handed over and is refused for being asked too often is written down later, not forgotten', async () => {
  refundPresses.keep(luisAtCounter.position, REFUND);
  const { user } = open();
  isTooOften = true;
  const book = async () => user.click(await screen.findByRole('button', { name: 'Sí, anotarla' }));
  await book();
  expect(await screen.findByText(/Demasiados intentos/)).toBeTruthy();
  isTooOften = false;
  await book();
  expect(await cardOf('La devolución de $600.00 sí quedó anotada')).toBeTruthy();
});
