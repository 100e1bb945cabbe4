import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test, vi } from 'vitest';
import { evaAtCounter, fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
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
/** Until then no tick has an answer. */
let answered: Promise<void> | undefined;
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
  'POST /v1/counter/shelf': async ({ body }) => {
    await answered;
    if (!navigator.onLine) return 'no network';
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
  answered = undefined;
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
  const handOver = screen.getByRole('link', { name: 'Entregar', description: /Horno/ });
  expect(handOver.getAttribute('href')).toBe('/mostrador/entrega/21000482101');
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

test('numbers that are scanned while one has no answer wait their turn, and each that is not taken is said', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  answered = promise;
  keeper = 'Sur';
  const { user } = open();
  const field = await screen.findByLabelText<HTMLInputElement>(/número o folio/);
  await user.type(field, '21000482101{Enter}');
  await screen.findByText('Anotando…');
  await user.keyboard('21000482205{Enter}');
  await user.keyboard('21000482309{Enter}');
  await screen.findByText('Anotando 3…');
  resolve();
  for (const named of ['21000482101:', 'Cama:', '21000482309:'])
    expect((await screen.findByText(named)).parentElement?.textContent).toContain('Eso se guarda en Sur.');
  expect(screen.queryByText(/Anotando/)).toBeNull();
  keeper = undefined;
  await user.keyboard('21000482101{Enter}');
  await expect.poll(() => screen.queryByText('21000482101:')).toBeNull();
  expect(ticked).toMatchObject([{ code: '21000482101' }]);
  const [aside] = screen.getAllByRole('button', { name: 'Cerrar aviso' });
  await user.click(aside as HTMLElement);
  expect(screen.queryByText('Cama:')).toBeNull();
  screen.getByText('21000482309:');
});

test('what waits when its person leaves is not said by the next', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  answered = promise;
  const { user } = open();
  await user.type(await screen.findByLabelText(/número o folio/), '21000482101{Enter}');
  await user.keyboard('21000482205{Enter}');
  await screen.findByText('Anotando 2…');
  act(() => session.open(evaAtCounter));
  resolve();
  await screen.findByText('Cama:');
  expect(ticked).toMatchObject([{ code: '21000482101' }]);
});

test('a number that is typed without internet is said not to have been taken', async () => {
  const { user } = open();
  const field = await screen.findByLabelText(/número o folio/);
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  try {
    act(() => void dispatchEvent(new Event('offline')));
    await user.type(field, '21000482101{Enter}');
    expect((await screen.findByText('21000482101:')).parentElement?.textContent).toContain('No hay conexión');
  } finally {
    onLine.mockRestore();
    // While somebody still listens: the tests after it have a network.
    act(() => void dispatchEvent(new Event('online')));
  }
});

test('a tick of what another branch keeps is answered with the name of that branch', async () => {
  keeper = 'Sur';
  const { user } = open();
  await user.click(within(await screen.findByRole('listitem')).getByRole('button', { name: 'Ahí está' }));
  expect(
    await screen.findByText('Eso se guarda en Sur. Aquí no se espera. Avisa a esa sucursal si lo tienes tú.'),
  ).toBeTruthy();
});
