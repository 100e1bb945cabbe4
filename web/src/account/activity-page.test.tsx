import { ACTIVITY_KINDS } from '@aparta/domain/activity';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, marisol, refuse } from '../../test/server.ts';
import { session } from '../session/session.ts';
import ActivityPage from './activity-page.tsx';

type Answer = ReturnType<typeof page> | ReturnType<typeof refuse> | 'no network';

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';
let given = 0;
const happened = (activityKind: (typeof ACTIVITY_KINDS)[number], more: object = {}) => ({
  activityId: `a:${(given += 1)}`,
  activityKind,
  at: '2026-03-20T19:42:00Z',
  actor: 'buyer',
  personName: null,
  device: '',
  ventaId: null,
  productName: '',
  tradeName: '',
  amount: null,
  number: null,
  fromDay: null,
  toDay: null,
  method: null,
  last4: null,
  folio: null,
  endedBy: null,
  legalKind: null,
  operated: null,
  ...more,
});
const page = (data: object[], next: string | null = null) => ({
  body: { isSuccess: true, message: '', data, next },
});
const sala = { ventaId: 12, productName: 'Sala Nórdica', tradeName: 'Muebles del Centro' };

let answer: Answer;
let second: Answer;
const calls = fakeServer({
  'GET /v1/SecurityBuyer/ActivityAsync': ({ search }) => (search.has('cursor') ? second : answer),
});
beforeEach(() => session.open({ ...marisol, token: 't' }));

function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <ActivityPage />
    </QueryClientProvider>,
    '/actividad',
  );
}

test('says by day what happened, with the device or the purchase, and leads to receipt and purchase', async () => {
  answer = page([
    happened('sign_in_failed', { actor: 'unknown', device: ANDROID }),
    happened('paid', { ...sala, amount: 415, method: 'card', last4: '7669', folio: 'FOLIO1' }),
    happened('paid', {
      ...sala,
      actor: 'helper',
      personName: 'Rosa',
      amount: 100,
      method: 'card',
      folio: 'FOLIO2',
    }),
    happened('date_moved', {
      ...sala,
      at: '2026-03-19T18:00:00Z',
      number: 3,
      fromDay: '2026-04-01',
      toDay: '2026-04-05',
    }),
    happened('operator_act', { at: '2026-03-19T17:00:00Z', actor: 'operator', operated: 'export' }),
  ]);
  open();
  const first = await screen.findByRole('region', { name: '20 de marzo de 2026' });
  expect(within(first).getByText('Alguien intentó entrar con otra contraseña')).toBeDefined();
  expect(within(first).getByText('13:42 · Chrome en Android')).toBeDefined();
  const paid = within(first).getByRole('link', { name: /^Pagaste \$415\.00/ });
  expect(paid.getAttribute('href')).toBe('/recibo/FOLIO1');
  expect(paid.textContent).toContain('con tarjeta · •••• 7669 · Sala Nórdica, de Muebles del Centro');
  expect(within(first).getByRole('link', { name: /^Rosa pagó \$100\.00 por ti/ })).toBeDefined();
  const before = screen.getByRole('region', { name: '19 de marzo de 2026' });
  const moved = within(before).getByRole('link', { name: /^Moviste el pago 3 del 1 abr 2026 al 5 abr 2026/ });
  expect(moved.getAttribute('href')).toBe('/saleCxcList/12');
  expect(within(before).getByText('Nuestro equipo reunió tus datos')).toBeDefined();
});

test('has a sentence for whatever may happen', async () => {
  answer = page(ACTIVITY_KINDS.map((kind) => happened(kind, { amount: 1, number: 2, folio: 'F' })));
  open();
  const rows = within(await screen.findByRole('list')).getAllByRole('listitem');
  expect(rows).toHaveLength(ACTIVITY_KINDS.length);
  for (const row of rows) expect(row.textContent).toMatch(/^[A-ZÁÉ].{8,}13:42/);
});

test('loads what is older at a press, and says when that failed', async () => {
  answer = page([happened('signed_in')], '17.act:1');
  second = refuse(503, 'UNAVAILABLE');
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Ver más' }));
  await screen.findByText('No pudimos cargar lo que sigue.');
  second = page([happened('signed_up', { at: '2026-03-01T18:00:00Z' })]);
  await user.click(screen.getByRole('button', { name: 'Ver más' }));
  await screen.findByText('Creaste tu cuenta');
  expect(screen.queryByRole('button', { name: 'Ver más' })).toBeNull();
  expect(calls.at(-1)?.search.get('cursor')).toBe('17.act:1');
});

test('without a network it offers to try again, and says when there is nothing', async () => {
  answer = 'no network';
  const { user } = open();
  await screen.findByText('No pudimos cargar tu actividad');
  answer = page([]);
  await user.click(screen.getByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('Todavía no hay nada aquí.')).toBeDefined();
});
