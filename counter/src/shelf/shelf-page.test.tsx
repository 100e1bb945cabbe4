import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import ShelfPage from './shelf-page.tsx';

const unit = (reference: string, productName: string, isPaidOff: boolean) => ({
  reference,
  productName,
  pictures: null,
  buyer: 'Marisol R.',
  purchaseId: 10_004,
  isPaidOff,
  since: '2026-11-02T18:00:00.000Z',
  checkedAt: null,
  missingSince: null,
});
const [oven, bed] = [unit('21000482101', 'Horno', true), unit('21000482205', 'Cama', false)];

let kept: Record<string, (typeof oven)[]>;
let ticked: unknown[];
let keeper: string | undefined;
fakeServer({
  'GET /v1/counter/closed-branches': () =>
    ok([
      { id: 7, name: 'Sur', hasDrawer: false, hasUnits: true },
      { id: 8, name: 'Norte', hasDrawer: true, hasUnits: false },
    ]),
  'GET /v1/counter/shelf': ({ search }) => {
    const units = kept[new URLSearchParams(search).get('branchId') ?? ''] ?? [];
    return ok({ units, total: units.length });
  },
  'POST /v1/counter/shelf': ({ body }) => {
    if (keeper !== undefined) return refuse(409, 'KEPT_ELSEWHERE', { facts: { branch: keeper } });
    ticked.push(body);
    kept = { '1': [bed, oven], '7': [] };
    return ok(oven);
  },
});

beforeEach(() => {
  kept = { '1': [bed], '7': [oven] };
  ticked = [];
  keeper = undefined;
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'owner' } });
});

const open = () =>
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <ShelfPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/guardado',
  );

test('what a closed branch keeps is named with it, and handed over, ticked, or moved to where its owner stands', async () => {
  const { user } = open();
  await screen.findByText('Cama');
  expect(screen.queryByRole('link', { name: 'Entregar' })).toBeNull();
  const where = screen.getByRole('combobox', { name: 'Sucursal' });
  expect(
    within(where)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Centro', 'Sur (cerrada)']);
  await user.selectOptions(where, 'Sur (cerrada)');
  await screen.findByText('Horno');
  expect(screen.getByRole('link', { name: 'Entregar' }).getAttribute('href')).toBe(
    '/mostrador/entrega/21000482101',
  );
  await user.click(screen.getByRole('button', { name: 'Ya está en Centro' }));
  await screen.findByText('Horno, de Marisol R.: ahora se guarda en Centro.');
  expect(ticked).toEqual([{ branchId: 1, code: '21000482101', isThere: true }]);
  await screen.findByText('Ya no guarda nada.');
  await user.selectOptions(where, 'Centro');
  expect(await screen.findByText('Horno')).toBeTruthy();
});

test('one number after another is typed as a scanner types them, also over one that was not found', async () => {
  const { user } = open();
  const field = await screen.findByLabelText<HTMLInputElement>(/número o folio/);
  await user.type(field, '21000482101{Enter}');
  await expect.poll(() => field.value).toBe('');
  keeper = 'Sur';
  await user.keyboard('21000482205{Enter}');
  expect(await screen.findByText(/Eso se guarda en Sur/)).toBeTruthy();
  expect(field.value).toBe('21000482205');
  keeper = undefined;
  await user.keyboard('21000482309{Enter}');
  await expect.poll(() => field.value).toBe('');
  expect(ticked).toMatchObject([{ code: '21000482101' }, { code: '21000482309' }]);
});

test('a tick of what another branch keeps is answered with the name of that branch', async () => {
  keeper = 'Sur';
  const { user } = open();
  await user.click(within(await screen.findByRole('listitem')).getByRole('button', { name: 'Ahí está' }));
  expect(
    await screen.findByText('Eso se guarda en Sur. Aquí no se espera. Avisa a esa sucursal si lo tienes tú.'),
  ).toBeTruthy();
});
