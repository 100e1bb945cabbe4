import { openCache } from '@aparta/browser/query-cache.ts';
import type { CancelQuote } from '@aparta/contract/cancellations';
import type { ShopPurchaseStory } from '@aparta/contract/counter-purchases';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { cancelledStory } from '../../../web/test/shop-story.ts';
import { session } from '../session/session.ts';
import { PurchaseStoryPart } from './purchase-story.tsx';

let story: ShopPurchaseStory;

/** How often its end was asked for; the first reply is lost. */
let ended: number;
let quote: CancelQuote;
const QUOTE: CancelQuote = {
  paid: 600,
  penalty: 0,
  penaltyFreeUntil: '2026-11-20T18:00:00.000Z',
  feesReturned: 0,
  feesKept: 0,
  refund: 600,
  returns: [],
  invoiced: false,
};

fakeServer({
  'GET /v1/counter/purchases/41': () => ok(story),
  'GET /v1/counter/purchases/41/end-quote': () => ok(quote),
  'POST /v1/counter/purchases/41/end': () => {
    ended += 1;
    story = cancelledStory;
    return ended === 1 ? 'no network' : ok({ refunds: [] });
  },
});

beforeEach(() => {
  story = cancelledStory;
  quote = QUOTE;
  ended = 0;
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'manager' } });
});

function open() {
  return show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <PurchaseStoryPart id={41} back="/compras" />
      </QueryClientProvider>
    </Router>,
    '/mostrador/compras/41',
  );
}

test('whoever comes to a purchase from another screen is at its name once it is read', async () => {
  const before = open();
  await screen.findByRole('heading', { level: 1 });
  before.unmount();
  open();
  const name = await screen.findByRole('heading', { level: 1 });
  await expect.poll(() => document.activeElement).toBe(name);
});

test('an owner whose ending of a plan lost its reply reads that it may be done, and that pressing again gives no money back twice', async () => {
  story = { ...cancelledStory, state: 'active', cancelledAt: null, endedBy: null, mayEnd: true };
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'owner' } });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'No podemos entregarlo' }));
  await user.type(await screen.findByLabelText('Motivo'), 'Se acabó');
  const press = screen.getByRole('button', { name: 'Terminar y devolver $600.00' });
  await user.click(press);
  expect(await screen.findByText(/No sabemos si se terminó. Toca otra vez/)).toBeTruthy();
  await user.click(press);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([ended, screen.queryByRole('button', { name: 'No podemos entregarlo' })]).toEqual([2, null]);
});

test('before a plan is ended it says what the drawer gives back, and what the shop’s terminal does', async () => {
  story = { ...cancelledStory, state: 'active', mayEnd: true, cancelledAt: null, endedBy: null };
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'owner' } });
  const part = { folio: 'A7K2993110', payerName: null, paidAt: cancelledStory.madeAt, way: 'cash' as const };
  quote = {
    ...QUOTE,
    returns: [
      { ...part, amount: 400, last4: '4242' },
      { ...part, folio: 'A7K2993111', amount: 200, last4: null },
    ],
  };
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'No podemos entregarlo' }));
  expect(await screen.findByText('En tu terminal, a la tarjeta •••• 4242')).toBeTruthy();
  expect(screen.getByText('Los $400.00 que cobró tu terminal los devuelves tú, en ella.')).toBeTruthy();
  expect(screen.getByText('Los $200.00 en efectivo los entregas tú.')).toBeTruthy();
});

test('of a cancelled purchase the owner reads that the rest of a half paid payment is no longer taken, not that it is missing', async () => {
  open();
  const plan = within(await screen.findByRole('list', { name: 'Plan de pagos' }));
  expect(plan.getAllByText('Ya no se cobra')).toHaveLength(2);
  expect(plan.queryByText('Falta')).toBeNull();
  expect(plan.queryByText('$1,100.00')).toBeNull();
});

test('of a running purchase the owner reads what is missing of a half paid payment', async () => {
  story = { ...cancelledStory, state: 'active', balance: 2300, cancelledAt: null, endedBy: null };
  open();
  const plan = within(await screen.findByRole('list', { name: 'Plan de pagos' }));
  expect(plan.getByText('Falta')).toBeTruthy();
  expect(plan.getByText('$1,100.00')).toBeTruthy();
});

test('of a payment the accountant reads what service fee is in it, and of one without a fee nothing', async () => {
  const payment = {
    at: cancelledStory.madeAt,
    method: 'card' as const,
    withdrawn: 0,
    numbers: [1],
    takenBy: null,
    branch: null,
  };
  story = {
    ...cancelledStory,
    payments: [
      { ...payment, folio: 'A7K2993110', amount: 615, fee: 15 },
      { ...payment, folio: 'A7K2993111', amount: 100, fee: 0 },
    ],
  };
  open();
  const paid = async (folio: string) =>
    (await screen.findByText(`Folio ${folio}`)).closest('li')?.textContent;
  expect(await paid('A7K2993110')).toMatch(/\$615\.00.*Incluye \$15\.00 de cargo por servicio/);
  expect(await paid('A7K2993111')).not.toContain('cargo por servicio');
});

test.each([
  ['card', null, 'A su tarjeta', 'En camino'],
  ['cash', null, 'En efectivo', 'Por entregar'],
  ['cash', '4242', 'En tu terminal, a la tarjeta •••• 4242', 'Por entregar'],
] as const)(
  'the owner reads of a %s refund (terminal: %s) who has to act: staff hand over cash, and what their terminal took',
  async (method, last4, title, state) => {
    story = {
      ...cancelledStory,
      refunds: [
        {
          id: 1,
          amount: 700,
          method,
          state: 'owed',
          folio: 'A7K2993110',
          last4,
          storeReversed: false,
          payerName: null,
          at: cancelledStory.madeAt,
          doneAt: null,
        },
      ],
    };
    open();
    const refund = (await screen.findByText(title)).closest('li');
    expect(refund?.textContent).toContain(state);
  },
);

test('who is asked what a cancel of this purchase costs, and when it is handed over, reads what froze with it', async () => {
  const frozen = { penalty: 350, penaltyFreeUntil: '2026-11-28T05:59:59.000Z', deliveryDays: 9 };
  story = { ...cancelledStory, state: 'active', cancelledAt: null, endedBy: null, frozen };
  open();
  expect((await screen.findByText('Cancela sin costo hasta')).parentElement?.textContent).toContain('27 nov');
  expect(screen.getByText('Después, cargo por cancelar').parentElement?.textContent).toContain('$350.00');
  expect(screen.getByText('Hasta 9 días después del último pago')).toBeTruthy();
});
