import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import OwedRefunds from './refunds-page.tsx';

const manager = { ...luisAtCounter, position: { ...luisAtCounter.position, role: 'manager' as const } };

/** Cash that a store took too late for a deposit: it made no purchase. */
const late = {
  id: 12,
  since: '2026-11-20T18:00:00.000Z',
  amount: 600,
  folio: 'A7K299310Z',
  buyer: 'Marisol R.',
  payerName: null as string | null,
  storeReversed: false,
  productName: '',
  purchaseId: null as number | null,
};
let owed: (Omit<typeof late, 'payerName' | 'storeReversed'> & Partial<typeof late>)[];
let isDone: boolean;

const calls = fakeServer({
  'GET /v1/counter/refunds': () => ok(owed),
  'POST /v1/counter/refunds/12/pay': () => {
    owed = [];
    if (isDone) return refuse(409, 'REFUND_DONE');
    const { id, amount, folio, payerName, since: at } = late;
    return ok({ id, amount, method: 'cash', state: 'done', folio, payerName, at, doneAt: at });
  },
});

beforeEach(() => {
  owed = [late];
  isDone = false;
  session.open(manager);
});

async function open() {
  const shown = show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <OwedRefunds />
      </QueryClientProvider>
    </Router>,
    '/mostrador/hoy/devoluciones',
  );
  await screen.findByRole('list');
  return shown.user;
}
const button = () => screen.queryByRole('button', { name: 'Entregar $600.00 en efectivo' });
const send = () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Entregar $600.00' });

test('money that no purchase got is handed over from the list, and is gone from it', async () => {
  const user = await open();
  expect(screen.getByText('Pago que no se aplicó')).toBeTruthy();
  await user.click(button()!);
  expect(within(screen.getByRole('dialog')).getByText('Marisol R.')).toBeTruthy();
  await user.click(send());
  expect(await screen.findByText('No hay nada aquí.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(sent).toEqual([{ id: expect.any(String), branchId: 1, amount: 600 }]);
});

test('a server of the version before, which names no helper, is read too', async () => {
  const { payerName: _, storeReversed: _storeReversed, ...before } = late;
  owed = [before];
  await open();
  expect(screen.getByText(/Marisol R\./)).toBeTruthy();
});

test('whoever comes second reads that it was handed over, before its row goes', async () => {
  isDone = true;
  const user = await open();
  await user.click(button()!);
  await user.click(send());
  expect(await screen.findByText(/No entregues dinero otra vez\.$/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cerrar' }));
  expect(await screen.findByText('No hay nada aquí.')).toBeTruthy();
});

test('what a purchase names is handed over on its page, and a row says whose money it is', async () => {
  owed = [{ ...late, purchaseId: 41, productName: 'Lavadora', payerName: 'Marta T.' }];
  await open();
  expect(screen.getByRole('link', { name: /Lavadora/ }).getAttribute('href')).toMatch(/compras\/41/);
  expect(screen.getByText(/Para Marta T., que ayudó a pagar/)).toBeTruthy();
  expect(button()).toBeNull();
});

test('what the store network took back is not handed over: its row says that it is in review', async () => {
  owed = [{ ...late, storeReversed: true }];
  await open();
  expect(screen.getByText(/En revisión/, { selector: 'span, p' })).toBeTruthy();
  expect(screen.getByText(/^No la entregues: el dinero de este pago/)).toBeTruthy();
  expect(button()).toBeNull();
});

test('an accountant reads that it is owed, and hands nothing over', async () => {
  session.open({ ...manager, position: { ...manager.position, role: 'accountant' } });
  await open();
  expect(button()).toBeNull();
});
