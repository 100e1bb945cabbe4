import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import RefundsPage from './refunds-page.tsx';

const manager = { ...luisAtCounter, position: { ...luisAtCounter.position, role: 'manager' as const } };
const line = { since: '2026-11-20T18:00:00.000Z', buyer: 'Marisol R.', productName: 'Sala Roma' };
const ofPurchase = { ...line, id: 12, amount: 600, folio: 'A7K299310Z', purchaseId: 41 };
const ofNone = { ...line, id: 13, amount: 500, folio: 'B7K299310Z', purchaseId: null };
let owed: object[];

const calls = fakeServer({
  'GET /v1/counter/refunds': () => ok(owed),
  'POST /v1/counter/refunds/13/pay': () => {
    owed = [ofPurchase];
    const done = { state: 'done', payerName: null, at: line.since, doneAt: line.since };
    return ok({ id: 13, amount: 500, method: 'cash', folio: 'B7K299310Z', ...done });
  },
});

beforeEach(() => {
  owed = [ofPurchase, ofNone];
  session.open(manager);
});

async function open() {
  const shown = show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <RefundsPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/hoy/devoluciones',
  );
  await screen.findAllByText('Sala Roma');
  return shown.user;
}
const button = () => screen.queryByRole('button', { name: 'Entregar $500.00 en efectivo' });

test('cash of no purchase is handed over in the list itself; what is of a purchase leads there', async () => {
  const user = await open();
  expect(screen.getAllByRole('link', { name: /Sala Roma/ })).toHaveLength(1);
  await user.click(button()!);
  const sheet = within(screen.getByRole('dialog'));
  expect(sheet.getByText('Marisol R.')).toBeTruthy();
  await user.click(sheet.getByRole('button', { name: 'Entregar $500.00' }));
  await expect.poll(button).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(sent).toEqual([{ id: expect.any(String), branchId: 1, amount: 500 }]);
});

test('an accountant reads what is owed, and hands nothing over', async () => {
  session.open({ ...manager, position: { ...manager.position, role: 'accountant' } });
  await open();
  expect(button()).toBeNull();
});
