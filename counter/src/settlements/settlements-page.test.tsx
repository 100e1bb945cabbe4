import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import SettlementsPage from './settlements-page.tsx';

const deposit = {
  id: 7,
  kind: 'deposit',
  channel: 'till' as string | null,
  chain: 'ELEKTRA' as string | null,
  from: '2026-11-20' as string | null,
  to: '2026-11-20' as string | null,
  party: 'merchant' as string | null,
  amount: 1_176.8,
  commission: 23.2,
  missing: 0,
  over: 0,
  happenedOn: '2026-11-21',
  evidence: 'SPEI 8846',
  voided: false,
  ofId: null as number | null,
};
const plain = { ...deposit, channel: null, chain: null, from: null, to: null, commission: 0 };
let settlements: (typeof deposit)[];
fakeServer({ 'GET /v1/counter/settlements': () => ok(settlements) });
beforeEach(() =>
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'accountant' } }),
);

async function lines() {
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <SettlementsPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/facturas/liquidaciones',
  );
  await screen.findByRole('link', { name: 'Facturas' });
  return screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
}

test('an accountant reads what came of deposits, what was paid, and what is still to be explained', async () => {
  settlements = [
    { ...plain, id: 12, kind: 'void', party: null, amount: 90, ofId: 11, evidence: '' },
    { ...plain, id: 11, kind: 'payout', amount: 90, voided: true },
    { ...plain, id: 10, kind: 'explanation', party: 'provider', amount: 5, ofId: 7, evidence: 'Factura 118' },
    { ...deposit, id: 8, channel: 'card', chain: null, from: null, to: null, over: 2.5 },
    { ...deposit, to: '2026-11-22', missing: 10 },
  ];
  const [voiding, payout, explanation, cards, tills] = await lines();
  expect(voiding).toMatch(/^Cancelación del movimiento 11\$90\.00.*Movimiento 12 · 21 nov 2026$/);
  expect(payout).toMatch(
    /^Pago del operador a tu comercio.*Movimiento 11 · 21 nov 2026 · SPEI 8846Cancelado$/,
  );
  expect(explanation).toMatch(/^Explicación del movimiento 7.*Lo tiene quien deposita · Factura 118$/);
  expect(cards).toMatch(/^Depósito de tarjetas\$.*Comisión \$23\.20 · SPEI 8846Sobran \$2\.50 por explicar$/);
  expect(tills).toMatch(
    /^Depósito de cajas ELEKTRA\$1,176\.80.*Paga del 20 nov 2026 al 22 nov 2026 · Lo recibió el comercio · Comisión \$23\.20 · SPEI 8846Faltan \$10\.00 por explicar$/,
  );
});

test('who has more than the screen lists reads that, and saves them all', async () => {
  settlements = Array.from({ length: 500 }, (_, n) => ({ ...deposit, id: 600 - n }));
  expect(await lines()).toHaveLength(500);
  expect(screen.getByText(/los 500 movimientos más recientes\. El CSV los trae todos/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Descargar CSV' })).toBeTruthy();
});

test('a shop of which nothing was noted reads that', async () => {
  settlements = [];
  expect(await lines()).toEqual([]);
  expect(screen.getByText('No se ha anotado ninguna.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Descargar CSV' })).toBeNull();
});
