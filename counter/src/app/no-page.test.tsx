import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { Router } from 'wouter';
import { fakeServer, luisAtCounter as luis, ok } from '../../../web/test/server.ts';
import PurchasesPage from '../purchases/purchases-page.tsx';
import { session } from '../session/session.ts';
import { App } from './routes.tsx';

const AT = '2026-11-20T18:00:00.000Z';
const reserved = {
  kind: 'reservation',
  id: 7,
  reference: '21000482101',
  state: 'waiting',
  productName: 'Lavadora',
  buyer: 'Marisol R.',
  madeAt: AT,
  price: 3000,
  paid: 0,
  balance: 600,
  listed: 600,
  nextDueOn: null,
  lateDays: 0,
  expiresAt: AT,
  settledAt: null,
  keptIn: null,
  handedOverAt: null,
  ends: null,
};
const calls = fakeServer({
  'GET /v1/counter/purchases': ok({ purchases: [reserved], next: null }),
});

type Role = (typeof luis)['position']['role'];
const as = (role: Role, isShared = false) => ({ ...luis, isShared, position: { ...luis.position, role } });
const open = (path: string) => show(<App />, `/mostrador${path}`);

beforeEach(() => session.close());

test.each<[Role, string, string]>([
  ['accountant', 'Ir a Hoy', '/personal'],
  ['accountant', 'Ir a Hoy', '/productos'],
  ['accountant', 'Ir a Hoy', '/productos/nuevo'],
  ['accountant', 'Ir a Hoy', '/cobro/21000482101'],
  ['accountant', 'Ir a Hoy', '/recibo/A7K299310Z'],
  ['accountant', 'Ir a Hoy', '/entrega'],
  ['accountant', 'Ir a Hoy', '/guardado'],
  ['accountant', 'Ir a Hoy', '/equipos'],
  ['cashier', 'Ir a Cobrar', '/hoy'],
  ['cashier', 'Ir a Cobrar', '/compras/10004'],
  ['manager', 'Ir a Cobrar', '/facturas/liquidaciones'],
  ['manager', 'Ir a Cobrar', '/avisos'],
])(
  'a(n) %s reads that a page is not theirs, asks for nothing, and is led on by "%s": %s',
  async (role, link, path) => {
    session.open(as(role));
    open(path);
    await screen.findByRole('heading', { name: 'Tu cuenta no tiene esta página' });
    expect(screen.getByRole('link', { name: link })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reintentar' })).toBeNull();
    expect(calls).toEqual([]);
  },
);

test('what asks for more than a PIN says so at a shared device', async () => {
  session.open(as('owner', true));
  open('/personal');
  await screen.findByRole('heading', { name: 'Esta página no se abre aquí' });
  expect(screen.getByRole('link', { name: 'Ir a Cobrar' })).toBeTruthy();
});

test('who enters at a shared device where somebody else stood begins with their own work', async () => {
  const { here } = open('/facturas');
  await screen.findByLabelText('Correo');
  act(() => session.open(as('cashier', true)));
  await waitFor(() => expect(here()).toBe('/mostrador/'));
});

test.each<[Role, string | null]>([
  ['manager', '/mostrador/cobro/21000482101'],
  ['accountant', null],
])('a reservation in the list leads a(n) %s to %s', async (role, to) => {
  session.open(as(role));
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <PurchasesPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/compras',
  );
  const product = await screen.findByText('Lavadora');
  expect(product.closest('a')?.getAttribute('href') ?? null).toBe(to);
});
