import type { CutSummary, Shift } from '@aparta/contract/counter-cuts';
import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { evaAtCounter, fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { keepPress, unfinishedPress } from '../session/press.ts';
import { session } from '../session/session.ts';
import ClosedCutPage from './closed-cut-page.tsx';
import CutsPage from './cuts-page.tsx';

const CENTRO = { branchId: 1, branch: 'Centro' };
const EMPTY = {
  floatBefore: null,
  cashTaken: 0,
  cashReturned: 0,
  terminalTaken: 0,
  terminalReturned: 0,
  movements: 0,
};

/** A payment whose answer never came. */
const PRESS = {
  id: '6f0f5c1e-0000-4000-8000-000000000008',
  branchId: 1,
  reference: '21000482101',
  amount: 100,
  method: 'cash',
  productName: 'Lavadora',
  buyer: 'Marisol R.',
} as const;

const CLOSED = '6f0f5c1e-0000-4000-8000-0000000000c1';
const SILENT = { reason: null, floatReason: null };

type Drawer = Omit<Shift, 'since' | 'list'>;
const drawerOf = ({ position }: typeof luisAtCounter): Drawer => ({
  ...CENTRO,
  positionId: position.positionId,
  name: position.name,
  ...EMPTY,
  cashTaken: 600,
  movements: 1,
});

/** What the server has, and what becomes of the answer when a cut is sent. */
let drawers: Drawer[];
let cuts: CutSummary[];
let list: object[];
let closed: { id: number; name: string; hasDrawer: boolean; hasUnits: boolean }[];
let reply: 'comes' | 'is lost' | 'never left' | 'is TOO_SLOW' | 'is TOO_MANY' | 'is unexplained';

/** Recognises a repeat, and only what was seen is closed. */
function closeCut({ body }: { body: unknown }) {
  const sent = body as Drawer & { id: string; float: number; counted: number; reason?: string };
  const drawer = drawers.find(({ positionId }) => positionId === sent.positionId);
  if (reply === 'never left') return 'no network';
  if (reply === 'is TOO_MANY') return refuse(429, 'TOO_MANY');
  if (reply === 'is unexplained') return refuse(422, 'INVALID_INPUT', { fields: { reason: 'missing' } });
  if (!cuts.some(({ id }) => id === sent.id)) {
    if (drawer?.cashTaken !== sent.cashTaken) return refuse(409, 'CUT_CHANGED');
    const at = '2026-11-20T18:00:00.000Z';
    const { id, float, counted, reason = null } = sent;
    const said = { reason, floatReason: null };
    cuts.push({ ...drawer, id, float, counted, ...said, number: 1, closedBy: 'Luis', from: at, until: at });
    drawers = drawers.flatMap((one) => {
      if (one !== drawer) return [one];
      return one.positionId === luisAtCounter.position.positionId ? [{ ...one, ...EMPTY }] : [];
    });
    closed = closed.filter(({ id }) => drawers.some(({ branchId }) => branchId === id));
  }
  if (reply === 'is lost') return 'no network';
  if (reply === 'is TOO_SLOW') return refuse(503, 'TOO_SLOW');
  return ok({ ...cuts.find(({ id }) => id === sent.id), list: [] });
}

const calls = fakeServer({
  'GET /v1/counter/closed-branches': () => ok(closed),
  'GET /v1/counter/shifts': ({ search }) =>
    ok(
      drawers
        .filter(({ branchId }) => String(branchId) === search.get('branchId'))
        .map((drawer) => ({ ...drawer, since: null, list: [] })),
    ),
  'GET /v1/counter/cuts': () => ({
    body: { isSuccess: true, message: '', data: cuts, next: null, total: cuts.length },
  }),
  [`GET /v1/counter/cuts/${CLOSED}`]: () => ok({ ...cuts[0], movements: list.length, list }),
  'POST /v1/counter/cuts': closeCut,
  [`GET /v1/counter/payments/${PRESS.id}`]: () => refuse(404, 'NOT_FOUND'),
  [`POST /v1/counter/payments/${PRESS.id}/drop`]: () => ok(null),
});

beforeEach(() => {
  drawers = [drawerOf(luisAtCounter)];
  list = [];
  cuts = [];
  closed = [];
  reply = 'comes';
  localStorage.clear();
  session.open(luisAtCounter);
});

const asManager = () =>
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'manager' } });

const open = () =>
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <CutsPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/corte',
  );
type User = ReturnType<typeof open>['user'];

const UNANSWERED = 'No sabemos si se cerró. Toca otra vez: es un solo corte.';

const cardOf = async (name: string) => within(await screen.findByRole('region', { name }));
const press = (user: User) => user.click(screen.getByRole('button', { name: 'Cerrar corte' }));
const cutsSent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);

/** With 500 at the start. */
async function count(user: User, name: string, counted: string) {
  await user.click((await cardOf(name)).getByRole('button', { name: 'Contar y cerrar' }));
  await user.type(screen.getByLabelText('Fondo de caja'), '500');
  await user.type(screen.getByLabelText('¿Cuánto efectivo contaste?'), counted);
}

/** The device finds its network again, and whoever holds it comes back to the screen. */
async function comeBack() {
  const asked = calls.length;
  await act(async () => {
    dispatchEvent(new Event('offline'));
    dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  await waitFor(() => expect(calls.length).toBeGreaterThan(asked));
  // What was asked is shown by then.
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
}

test.each(['click', 'Enter'])(
  'who begins to count their drawer, by %s, types at once what was in it at the start',
  async (how) => {
    const { user } = open();
    const begin = await screen.findByRole('button', { name: 'Contar y cerrar' });
    begin.focus();
    await (how === 'click' ? user.click(begin) : user.keyboard('{Enter}'));
    expect(document.activeElement).toBe(screen.getByLabelText('Fondo de caja'));
  },
);

test.each(['is lost', 'is TOO_SLOW'] as const)(
  'a cut whose answer %s stays as it was sent, and is the same cut when it is pressed again',
  async (unanswered) => {
    const { user, here } = open();
    await count(user, 'Tu caja', '1100');
    reply = unanswered;
    await press(user);
    expect(await screen.findByText(UNANSWERED)).toBeTruthy();
    await comeBack();
    const card = await cardOf('Tu caja');
    expect(card.getAllByText('$600.00')).toHaveLength(2);
    expect(card.getByText('Sin diferencia')).toBeTruthy();
    // Another sum under the same id would be refused.
    await user.type(screen.getByLabelText('¿Cuánto efectivo contaste?'), '9');
    await user.type(screen.getByLabelText('Fondo de caja'), '9');
    reply = 'comes';
    await press(user);
    await waitFor(() => expect(here()).toBe(`/mostrador/corte/${cuts[0]?.id}`));
    const [first, second] = cutsSent();
    expect(second).toEqual(first);
    expect(cuts).toMatchObject([{ float: 500, counted: 1100, reason: null }]);
  },
);

test('a reason is sent again with the cut that had no answer, which is then among those before', async () => {
  const { user, here } = open();
  await count(user, 'Tu caja', '1099');
  await user.type(screen.getByLabelText('Motivo de la diferencia'), 'Cambio mal dado');
  reply = 'is lost';
  await press(user);
  await screen.findByText(UNANSWERED);
  await user.type(screen.getByLabelText('Motivo de la diferencia'), ' otra vez');
  reply = 'comes';
  await press(user);
  await waitFor(() => expect(here()).toBe(`/mostrador/corte/${cuts[0]?.id}`));
  expect(cutsSent()).toMatchObject([{ reason: 'Cambio mal dado' }, { reason: 'Cambio mal dado' }]);
  expect(await screen.findByRole('link', { name: /^Corte 1/ })).toBeTruthy();
});

test("a colleague's drawer stays in its place until it is known whether its cut was closed", async () => {
  const tere = {
    ...drawerOf(evaAtCounter),
    positionId: '6f0f5c1e-0000-4000-8000-000000000011',
    name: 'Tere',
  };
  drawers.push(drawerOf(evaAtCounter), tere);
  asManager();
  const { user, here } = open();
  await count(user, 'Caja de Eva', '1100');
  reply = 'is lost';
  await press(user);
  await screen.findByText(UNANSWERED);
  await comeBack();
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Tu caja',
    'Caja de Eva',
    'Caja de Tere',
    'Cortes anteriores',
  ]);
  expect((await cardOf('Caja de Eva')).getByText('Sin diferencia')).toBeTruthy();
  reply = 'comes';
  await press(user);
  await waitFor(() => expect(here()).toBe(`/mostrador/corte/${cuts[0]?.id}`));
});

test('so does the last drawer of a branch that closed', async () => {
  drawers.push({ ...drawerOf(evaAtCounter), branchId: 2, branch: 'Norte' });
  closed = [{ id: 2, name: 'Norte', hasDrawer: true, hasUnits: false }];
  asManager();
  const { user } = open();
  await user.selectOptions(await screen.findByLabelText('Sucursal'), '2');
  await count(user, 'Caja de Eva', '1100');
  reply = 'is lost';
  await press(user);
  await screen.findByText(UNANSWERED);
  await comeBack();
  expect((await cardOf('Caja de Eva')).getByText(UNANSWERED)).toBeTruthy();
});

test.each(['comes', 'never left'] as const)(
  'a drawer that changed while it was counted is shown as it is now, where the first answer %s',
  async (first) => {
    const { user } = open();
    await count(user, 'Tu caja', '1100');
    drawers = [{ ...drawerOf(luisAtCounter), cashTaken: 700, movements: 2 }];
    reply = first;
    await press(user);
    if (first === 'never left') {
      await screen.findByText(UNANSWERED);
      reply = 'comes';
      await press(user);
    }
    expect(await screen.findByText('Faltan $100.00')).toBeTruthy();
    expect(screen.getByText(/La caja cambió mientras contabas/)).toBeTruthy();
    await user.clear(screen.getByLabelText('¿Cuánto efectivo contaste?'));
    await user.type(screen.getByLabelText('¿Cuánto efectivo contaste?'), '1200');
    expect(await screen.findByText('Sin diferencia')).toBeTruthy();
  },
);

test('what a drawer is short of is announced while it is counted, in a status that stood before', async () => {
  const { user } = open();
  const card = await cardOf('Tu caja');
  await user.click(card.getByRole('button', { name: 'Contar y cerrar' }));
  const status = card.getByRole('status');
  expect(status.textContent).toBe('');
  await user.type(card.getByLabelText('¿Cuánto efectivo contaste?'), '1');
  expect(status.textContent).toContain('Faltan');
});

test('that there were too many calls says nothing of a cut that had no answer', async () => {
  const { user } = open();
  await count(user, 'Tu caja', '1100');
  reply = 'is lost';
  await press(user);
  await screen.findByText(UNANSWERED);
  reply = 'is TOO_MANY';
  await press(user);
  await waitFor(() => expect(screen.queryByText(UNANSWERED)).toBeNull());
  await comeBack();
  expect(screen.getByText('Sin diferencia')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('¿Cuánto efectivo contaste?').readOnly).toBe(true);
});

test('a payment of one’s own without an answer is asked about before the drawer that its money lies in is counted', async () => {
  drawers.push(drawerOf(evaAtCounter));
  asManager();
  keepPress(luisAtCounter.position, PRESS);
  const { user } = open();
  const asked = await cardOf('El cobro de $100.00 no se registró');
  expect(asked.getByText('Lavadora, de Marisol R.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Tu caja' })).toBeNull();
  expect((await cardOf('Caja de Eva')).getByRole('button', { name: 'Contar y cerrar' })).toBeTruthy();
  await user.click(asked.getByRole('button', { name: 'No lo recibí' }));
  expect((await cardOf('Tu caja')).getByRole('button', { name: 'Contar y cerrar' })).toBeTruthy();
  expect(unfinishedPress(luisAtCounter.position)).toBeUndefined();
});

test('among the cuts before, one whose money does not tally says what is missing or too much, and no other does', async () => {
  const at = '2026-11-20T18:00:00.000Z';
  const cut = { ...drawerOf(luisAtCounter), float: 500, closedBy: 'Luis', from: at, until: at, ...SILENT };
  const ids = [1, 2, 3].map((number) => `6f0f5c1e-0000-4000-8000-00000000002${number}`);
  cuts = [1100, 1050, 1100.5].map((counted, i) => ({ ...cut, id: ids[i]!, number: i + 1, counted }));
  open();
  const row = async (number: number) =>
    (await screen.findByRole('link', { name: new RegExp(`^Corte ${number}`) })).textContent;
  expect(await row(1)).not.toMatch(/Faltan|Sobran|diferencia/);
  expect(await row(2)).toMatch('Faltan $50.00');
  expect(await row(3)).toMatch('Sobran $0.50');
});

test('what went out of a drawer and what must be in it are heard as they are seen', async () => {
  drawers = [{ ...drawerOf(luisAtCounter), cashReturned: 200 }];
  open();
  const own = await cardOf('Tu caja');
  const heard = (term: string) => own.getByText(term).nextElementSibling?.textContent;
  expect(heard('Devuelto en efectivo')).toBe('menos -$200.00200 pesos');
  expect(heard('Debe haber, sin el fondo')).toBe('$400.00400 pesos');
});

test('no cut is offered of a drawer that nothing moved in', async () => {
  drawers = [{ ...drawerOf(luisAtCounter), ...EMPTY }, drawerOf(evaAtCounter)];
  asManager();
  open();
  expect((await cardOf('Caja de Eva')).getByRole('button', { name: 'Contar y cerrar' })).toBeTruthy();
  const own = await cardOf('Tu caja');
  expect(own.getByText('Sin movimientos.')).toBeTruthy();
  expect(own.queryByRole('button')).toBeNull();
});

test('a drawer that does not fit is not made to fit by another float without saying why', async () => {
  drawers = [{ ...drawerOf(luisAtCounter), floatBefore: 500 }];
  const { user, here } = open();
  await user.click(await screen.findByRole('button', { name: 'Contar y cerrar' }));
  const float = await screen.findByLabelText<HTMLInputElement>('Fondo de caja');
  expect(float.value).toBe('500');
  // What is left to type is what was counted.
  expect(document.activeElement).toBe(screen.getByLabelText('¿Cuánto efectivo contaste?'));
  await user.keyboard('600');
  expect(screen.getByText('Faltan $500.00')).toBeTruthy();
  await user.clear(float);
  expect(screen.getByText('Sin diferencia')).toBeTruthy();
  await press(user);
  expect(screen.getByText('Escribe por qué el fondo no es el del corte anterior.')).toBeTruthy();
  expect(cutsSent()).toEqual([]);
  await user.type(screen.getByLabelText('Motivo del otro fondo'), 'Hoy empecé sin cambio');
  await press(user);
  await waitFor(() => expect(here()).toBe(`/mostrador/corte/${cuts.at(-1)?.id}`));
  expect(cutsSent()).toMatchObject([{ float: 0, counted: 600, reason: 'Hoy empecé sin cambio' }]);
});

test('who begins with the float of the cut before closes without a word, whatever a colleague began with', async () => {
  drawers = [
    { ...drawerOf(luisAtCounter), floatBefore: 500 },
    { ...drawerOf(evaAtCounter), floatBefore: 800 },
  ];
  asManager();
  const { user } = open();
  await user.click((await cardOf('Tu caja')).getByRole('button', { name: 'Contar y cerrar' }));
  await user.keyboard('1100');
  expect(await screen.findByText('Sin diferencia')).toBeTruthy();
  await press(user);
  await waitFor(() => expect(cutsSent()).toHaveLength(1));
  expect(cutsSent()[0]).toMatchObject({ float: 500, floatBefore: 500, counted: 1100 });
  expect(cutsSent()[0]).not.toHaveProperty('reason');
});

test('whose cut the server asks to explain reads what to write', async () => {
  const { user } = open();
  await count(user, 'Tu caja', '1100');
  reply = 'is unexplained';
  await press(user);
  expect(
    await screen.findByText(/No se cerró nada.*el fondo no es el del corte anterior, escribe por qué/),
  ).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Fondo de caja').readOnly).toBe(false);
});

test('a drawer that somebody emptied while it was counted makes no cut of nothing', async () => {
  const { user } = open();
  await count(user, 'Tu caja', '1100');
  drawers = [{ ...drawerOf(luisAtCounter), ...EMPTY }];
  await press(user);
  expect(await screen.findByText('Sin movimientos.')).toBeTruthy();
  await press(user);
  expect(await screen.findByText(/No hay nada que cerrar/)).toBeTruthy();
  expect(cutsSent()).toHaveLength(1);
});

const openClosed = () =>
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <ClosedCutPage id={CLOSED} />
      </QueryClientProvider>
    </Router>,
    `/mostrador/corte/${CLOSED}`,
  );

test.each(['cashier', 'accountant'] as const)(
  'the folios of a cut lead to the receipts of whoever has them: a(n) %s',
  async (role) => {
    const at = '2026-11-20T18:00:00.000Z';
    list = [
      {
        kind: 'taken',
        folio: 'A7K299310Z',
        refundId: null,
        at,
        amount: 600,
        method: 'cash',
        reversed: false,
      },
    ];
    const whole = { float: 0, counted: 600, closedBy: 'Luis', from: at, until: at };
    cuts = [{ ...drawerOf(luisAtCounter), id: CLOSED, number: 2, ...whole, ...SILENT }];
    session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role } });
    openClosed();
    const folio = await screen.findByText('A7K2 9931 0Z');
    expect(folio.closest('a') !== null).toBe(role === 'cashier');
  },
);

test('whoever reads a closed cut reads why its float was another, and which', async () => {
  const at = '2026-11-20T18:00:00.000Z';
  const said = { reason: null, floatReason: 'Hoy empecé sin cambio' };
  const whole = { float: 0, counted: 600, closedBy: 'Luis', from: at, until: at };
  cuts = [{ ...drawerOf(luisAtCounter), id: CLOSED, number: 2, ...whole, ...said }];
  openClosed();
  const cut = await cardOf('Corte 2');
  expect(cut.getByText('Hoy empecé sin cambio')).toBeTruthy();
  expect(cut.getByText('Motivo del otro fondo')).toBeTruthy();
  expect(cut.getByText('Fondo de caja')).toBeTruthy();
});
