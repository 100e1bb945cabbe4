import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { cancelledStory } from '../../../web/test/shop-story.ts';
import { refundPresses } from '../session/press.ts';
import { session } from '../session/session.ts';
import { PurchaseStoryPart } from './purchase-story.tsx';

const POSITION = luisAtCounter.position;
const manager = { ...luisAtCounter, position: { ...luisAtCounter.position, role: 'manager' as const } };

/** How the books have the refund, and who was paid by which presses. */
let state: 'owed' | 'done';
let amount: number;
let payer: string | null;
/** Of the card that the shop's own terminal took, and how it was handed over. */
let last4: string | null;
let methods: (string | undefined)[];
let presses: string[];
let says: 'well' | 'no network';

const refund = () => ({
  id: 12,
  amount,
  method: 'cash',
  state,
  folio: 'A7K299310Z',
  last4: methods.includes('cash') ? null : last4,
  payerName: payer,
  at: '2026-11-20T18:00:00.000Z',
  doneAt: state === 'done' ? '2026-11-21T19:30:00.000Z' : null,
});
const story = () => ({
  ...cancelledStory,
  contact: { name: 'Marisol Ríos', phone: '5512345678' },
  refunds: [refund()],
});

const calls = fakeServer({
  'GET /v1/counter/purchases/41': () => ok(story()),
  'POST /v1/counter/refunds/12/pay': ({ body }) => {
    const press = body as { id: string; amount: number; method?: string };
    if (presses.includes(press.id)) return ok(refund());
    if (state === 'done') return refuse(409, 'REFUND_DONE');
    if (press.amount !== amount) return refuse(409, 'AMOUNT_CHANGED');
    presses.push(press.id);
    methods.push(press.method);
    state = 'done';
    return says === 'no network' ? says : ok(refund());
  },
});

beforeEach(() => {
  state = 'owed';
  amount = 600;
  payer = null;
  last4 = null;
  methods = [];
  presses = [];
  says = 'well';
  session.open(manager);
});

async function open() {
  const shown = show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <PurchaseStoryPart id={41} back="/compras" />
      </QueryClientProvider>
    </Router>,
    '/mostrador/compras/41',
  );
  await screen.findByRole('heading', { name: 'Devoluciones' });
  return shown.user;
}
const button = () => screen.queryByRole('button', { name: 'Entregar $600.00 en efectivo' });
const sheet = () => within(screen.getByRole('dialog'));
const send = () => sheet().getByRole('button', { name: 'Entregar $600.00' });

test('a manager sees what is handed over, to whom and from which drawer, and then that it was', async () => {
  const user = await open();
  await user.click(button()!);
  for (const words of ['Marisol Ríos', 'Tu caja, Centro', '$600.00'])
    expect(sheet().getAllByText(words).length).toBeGreaterThan(0);
  await user.click(send());
  expect(await screen.findByText('Entregada')).toBeTruthy();
  expect(button()).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(sent).toEqual([{ id: presses[0], branchId: 1, amount: 600 }]);
  expect(refundPresses.unfinished(POSITION)).toBeUndefined();
});

test('after a lost reply the same press is sent again, also when the sheet was closed meanwhile', async () => {
  says = 'no network';
  const user = await open();
  await user.click(button()!);
  await user.click(send());
  expect(await screen.findByText(/No sabemos si quedó anotada/)).toBeTruthy();
  await user.keyboard('{Escape}');
  says = 'well';
  await user.click(button()!);
  await user.click(send());
  expect(await screen.findByText('Entregada')).toBeTruthy();
  expect(presses).toHaveLength(1);
  expect(refundPresses.unfinished(POSITION)).toBeUndefined();
});

test('whoever comes second reads that it was handed over, and the row says so', async () => {
  const user = await open();
  await user.click(button()!);
  state = 'done';
  await user.click(send());
  expect(await screen.findByText(/No entregues dinero otra vez/)).toBeTruthy();
  expect(await screen.findByText('Entregada')).toBeTruthy();
  expect(presses).toEqual([]);
});

test('a sum that changed is confirmed anew', async () => {
  const user = await open();
  await user.click(button()!);
  amount = 500;
  await user.click(send());
  expect(await screen.findByText(/La cantidad cambió mientras tanto/)).toBeTruthy();
  await user.click(await sheet().findByRole('button', { name: 'Entregar $500.00' }));
  expect(await screen.findByText('Entregada')).toBeTruthy();
  expect(presses).toHaveLength(1);
});

test('a press whose handover bounced since pays nothing; the next one is new', async () => {
  says = 'no network';
  const user = await open();
  await user.click(button()!);
  await user.click(send());
  await screen.findByText(/No sabemos si quedó anotada/);
  state = 'owed';
  says = 'well';
  await user.click(send());
  expect(await screen.findByText(/se debe otra vez/)).toBeTruthy();
  expect(presses).toHaveLength(1);
  await user.click(send());
  expect(await screen.findByText('Entregada')).toBeTruthy();
  expect(presses).toHaveLength(2);
});

test('money of who helped to pay goes to them', async () => {
  payer = 'Marta T.';
  const user = await open();
  expect(screen.getByText('Para Marta T., que ayudó a pagar')).toBeTruthy();
  await user.click(button()!);
  expect(sheet().getByText('Marta T.')).toBeTruthy();
  expect(sheet().getByText(/el dinero es suyo, no del comprador/)).toBeTruthy();
});

test('what the shop’s terminal took is given back on it unless the manager says otherwise', async () => {
  last4 = '4242';
  const user = await open();
  expect(button()).toBeNull();
  expect(screen.getByText('En tu terminal, a la tarjeta •••• 4242')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Devolver $600.00 en tu terminal' }));
  expect(
    sheet().getByText(/Se pagó con tarjeta en tu terminal: devuélvelo ahí, a la tarjeta •••• 4242/),
  ).toBeTruthy();
  expect(sheet().getByRole<HTMLInputElement>('radio', { name: 'En la terminal' }).checked).toBe(true);
  expect(sheet().queryByText('Tu caja, Centro')).toBeNull();
  await user.click(sheet().getByRole('button', { name: 'Devolver $600.00' }));
  expect(await screen.findByText('Hecha')).toBeTruthy();
  expect(methods).toEqual(['terminal']);
});

test('what the terminal cannot give back leaves the drawer, and is told as cash', async () => {
  last4 = '4242';
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Devolver $600.00 en tu terminal' }));
  await user.click(sheet().getByRole('radio', { name: 'En efectivo' }));
  expect(sheet().getByText('Solo si la terminal no puede devolverlo: sale de tu caja.')).toBeTruthy();
  expect(sheet().getByText('Tu caja, Centro')).toBeTruthy();
  await user.click(send());
  expect(await screen.findByText('Entregada')).toBeTruthy();
  expect(screen.getByText('En efectivo')).toBeTruthy();
  expect(methods).toEqual(['cash']);
});

test('a press by terminal without an answer is not sent again as cash, nor the other way round', async () => {
  last4 = '4242';
  says = 'no network';
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Devolver $600.00 en tu terminal' }));
  await user.click(sheet().getByRole('button', { name: 'Devolver $600.00' }));
  await screen.findByText(/No sabemos si quedó anotada/);
  says = 'well';
  await user.click(sheet().getByRole('radio', { name: 'En efectivo' }));
  await user.click(send());
  expect(await screen.findByText(/No entregues dinero otra vez/)).toBeTruthy();
  expect(methods).toEqual(['terminal']);
});

test('an accountant reads that it is owed, and hands nothing over', async () => {
  session.open({ ...manager, position: { ...manager.position, role: 'accountant' } });
  await open();
  expect(screen.getByText('Por entregar')).toBeTruthy();
  expect(button()).toBeNull();
});
