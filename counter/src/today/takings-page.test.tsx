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
let takings: (typeof taking & { fee?: number })[];

fakeServer({
  'GET /v1/counter/takings': () =>
    ok({ takings, next: null, days: [{ day: '2026-11-20', amount: 615, count: 1 }] }),
});

beforeEach(() => {
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'accountant' } });
});

async function row() {
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <TakingsPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/hoy/cobros?desde=2026-11-20&hasta=2026-11-20',
  );
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
