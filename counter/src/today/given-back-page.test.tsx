import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import GivenBackPage from './given-back-page.tsx';

const refund = {
  id: 12,
  at: '2026-11-20T18:00:00.000Z',
  owedAt: '2026-11-18T18:00:00.000Z',
  folio: 'A7K2993110',
  method: 'card',
  last4: null,
  state: 'done',
  storeReversed: false,
  cause: 'cancel',
  endedBy: 'buyer' as string | null,
  amount: 400,
  buyer: 'Marisol R.',
  payerName: null as string | null,
  productName: 'Lavadora',
  purchaseId: 41 as number | null,
  paidBy: null as string | null,
  handedOverBy: null as string | null,
  branch: null as string | null,
};
let refunds: (typeof refund)[];
let open: { amount: number; count: number };

fakeServer({
  'GET /v1/counter/refunds/by-day': () =>
    ok({ refunds, next: null, sums: { done: { amount: 1_000, count: 2 }, open } }),
});

beforeEach(() => {
  open = { amount: 0, count: 0 };
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'accountant' } });
});

async function lines() {
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <GivenBackPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/hoy/devuelto?desde=2026-11-01&hasta=2026-11-30',
  );
  await screen.findByRole('link', { name: 'Pagos cobrados de estos días' });
  return screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
}

test('an accountant reads what was given back, when, how, why and by whom, and what is still owed', async () => {
  refunds = [
    {
      ...refund,
      method: 'cash',
      amount: 600,
      handedOverBy: 'Rosa Luna',
      branch: 'Centro',
      paidBy: 'merchant',
    },
    { ...refund, id: 13 },
    { ...refund, id: 14, method: 'cash', state: 'owed', cause: 'surplus', endedBy: null, amount: 71 },
    {
      ...refund,
      id: 15,
      method: 'cash',
      cause: 'not_applicable',
      endedBy: null,
      payerName: 'Marta T.',
      paidBy: 'operator',
      productName: '',
      purchaseId: null,
    },
    { ...refund, id: 16, method: 'cash', state: 'owed', storeReversed: true },
  ];
  open = { amount: 71, count: 1 };
  const [handedOver, card, owed, ofNone, taken] = await lines();
  expect(handedOver).toMatch(
    /^Lavadora\$600\.00.*Entregada · 20 nov 2026, 12:00 · Marisol R\. · En efectivo · La canceló su comprador · Rosa Luna, Centro · Folio A7K2993110$/,
  );
  expect(card).toMatch(
    /Hecha · 20 nov 2026, 12:00 · Marisol R\. · A su tarjeta · La canceló su comprador · Folio/,
  );
  expect(owed).toMatch(
    /Por entregar · Desde el 20 nov 2026 · Marisol R\. · En efectivo · Se pagó de más · Folio/,
  );
  expect(ofNone).toMatch(
    /^Pago que no se aplicó.*Para Marta T\., que ayudó a pagar · En efectivo · El pago no se aplicó · La entregó el operador/,
  );
  expect(taken).toMatch(/En revisión · Desde el 20 nov 2026/);
  const total = screen.getByRole('region', { name: 'Total' });
  expect(total.textContent).toMatch(/Devuelto · 2 devoluciones\$1,000\.00/);
  expect(total.textContent).toMatch(/Se debe desde estos días · 1 devolución\$71\.00/);
  expect(screen.getByRole('link', { name: /A su tarjeta/ }).getAttribute('href')).toContain('/compras/41');
  expect(screen.getByRole('button', { name: 'Descargar CSV' })).toBeTruthy();
});

test('days without any say so, and save nothing', async () => {
  refunds = [];
  expect(await lines()).toEqual([]);
  expect(screen.getByText('No hay nada aquí.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Descargar CSV' })).toBeNull();
});
