import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import TakingsPage from './takings-page.tsx';

const taking = {
  id: 12,
  folio: 'A7K2993110',
  at: '2026-11-20T18:00:00.000Z',
  method: 'card',
  amount: 615,
  buyer: 'Marisol R.',
  productName: 'Lavadora',
  purchaseId: 41,
  takenBy: null,
  branch: null,
};
let takings: (typeof taking & { fee?: number; withdrawn?: number })[];
let days: { day: string; amount: number; count: number; withdrawn?: number }[];

fakeServer({
  'GET /v1/counter/takings': () => ok({ takings, next: null, days }),
});

beforeEach(() => {
  days = [{ day: '2026-11-20', amount: 615, count: 1 }];
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'accountant' } });
});

function open() {
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <TakingsPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/hoy/cobros?desde=2026-11-20&hasta=2026-11-20',
  );
}
async function row() {
  open();
  return (await screen.findByRole('link', { name: /Lavadora/ })).textContent;
}

test('the accountant reads in the list of payments what service fee is in one', async () => {
  takings = [{ ...taking, fee: 15 }];
  expect(await row()).toMatch(/\$615\.00.*Folio A7K2993110 · Incluye \$15\.00 de cargo por servicio$/);
});

test.each([
  ['no fee', { fee: 0 }],
  ['a server of the version before, which names none', {}],
])('of a payment with %s it says nothing', async (_, of) => {
  takings = [{ ...taking, ...of }];
  expect(await row()).toMatch(/Folio A7K2993110$/);
});

test('what was taken back of an earlier day stands below zero on its own, and is off the sum', async () => {
  takings = [
    { ...taking, id: 13, amount: 0, withdrawn: 815, fee: 15 },
    { ...taking, fee: 15 },
    { ...taking, id: 13 },
  ];
  days = [{ day: '2026-11-20', amount: 1_230, withdrawn: 815, count: 2 }];
  open();
  const [back, ...others] = await screen.findAllByRole('link', { name: /Lavadora/ });
  expect(back?.textContent).toMatch(/menos -\$815\.00815 pesos/);
  expect(back?.textContent).toMatch(/Revertido, de un pago de antes · Marisol R\..*Folio A7K2993110$/);
  for (const other of others) expect(other.textContent).not.toMatch(/Revertido|-\$/);
  const total = screen.getByRole('region', { name: 'Total' });
  expect(total.textContent).toMatch(/2 pagos · \$815\.00 revertidos de pagos de antes\$415\.00/);
});

test('days on which more was taken back than came in have a sum below zero', async () => {
  takings = [{ ...taking, amount: 0, withdrawn: 815 }];
  days = [{ day: '2026-11-20', amount: 0, withdrawn: 815, count: 0 }];
  open();
  const total = await screen.findByRole('region', { name: 'Total' });
  expect(total.textContent).toMatch(/^\$815\.00 revertidos de pagos de antesmenos -\$815\.00815 pesos$/);
});
