import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { Route, Switch, useSearchParams } from 'wouter';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addDays, lastDayOfMonth, mexicoCityDate } from '@aparta/domain/calendar';
import { fakeServer, marisol, ok } from '../../test/server.ts';
import { session } from '../session/session.ts';
import StatementPage from './statement-page.tsx';
import { STATEMENT, statementLink } from './statement-link.ts';
import { rangeIn, statementAddress } from './statement-range.ts';

const NOTHING = {
  at: '2026-11-02T16:00:00.000Z',
  ventaId: 41 as number | null,
  productName: 'Sala Nórdica',
  tradeName: 'Muebles del Valle',
  endedBy: null as null | 'buyer',
  method: null as null | 'card' | 'counter_cash' | 'till',
  last4: null as string | null,
  branch: null as string | null,
  payerName: null as string | null,
  folio: null as string | null,
  numbers: [] as number[],
  numCxc: 6,
  inReview: false,
  amount: 0,
  fee: 0,
  charge: 0,
  credit: 0,
  balance: 0,
};
const LINES = [
  { ...NOTHING, kind: 'reserved', amount: 3000, charge: 3000, balance: 3000 },
  {
    ...NOTHING,
    kind: 'payment',
    method: 'card',
    last4: '4821',
    payerName: 'Rosa',
    folio: 'A7K2993104',
    numbers: [2, 3, 4],
    amount: 615,
    fee: 15,
    credit: 600,
    balance: 2400,
  },
  { ...NOTHING, kind: 'ended', endedBy: 'buyer', credit: 2400 },
  { ...NOTHING, kind: 'refund_owed', method: 'counter_cash', folio: 'A7K2993104', amount: 400 },
  {
    ...NOTHING,
    kind: 'received',
    method: 'till',
    branch: 'Norte',
    ventaId: null,
    productName: '',
    amount: 50,
    inReview: true,
  },
];
const NOVEMBER = {
  from: '2026-11-01',
  to: '2026-11-30',
  opening: 0,
  sums: { reserved: 3000, reversed: 0, applied: 600, dropped: 2400, fees: 15, penalties: 200, refunded: 0 },
  closing: 0,
  lines: LINES,
  dues: [
    {
      dueOn: '2026-11-20',
      ventaId: 41,
      productName: 'Sala Nórdica',
      tradeName: 'Muebles del Valle',
      number: 2,
      of: 6,
      amount: 500,
      paid: 100,
      state: 'late',
    },
  ],
  isWhole: true,
};

let statement: ReturnType<typeof ok> | 'no network';
let file: ReturnType<typeof ok> | 'no network';
const calls = fakeServer({
  'GET /v1/Statements/GetAsync': () => statement,
  'GET /v1/Statements/FileAsync': () => file,
});
const saved: string[] = [];
vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
  saved.push(this.download);
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T18:00:00Z') }));
afterEach(() => void vi.useRealTimers());
beforeEach(() => {
  session.open({ ...marisol, token: 't' });
  statement = ok(NOVEMBER);
  file = ok({ fileName: 'estado-de-cuenta.csv', contentByteArray: btoa('Fecha') });
  saved.length = 0;
  URL.createObjectURL = () => 'blob:http://localhost/1';
  URL.revokeObjectURL = () => {};
});

function Opened() {
  return <StatementPage of={useSearchParams()[0].get('cuenta') ?? ''} />;
}
const open = (address = statementAddress({ from: '2026-11-01', to: '2026-11-30' })) =>
  show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Switch>
        <Route path="/cxcList">
          <Opened />
        </Route>
      </Switch>
    </QueryClientProvider>,
    address,
  );

test('each line says what happened, how it was paid, by whom, and what is owed after it', async () => {
  open();
  const lines = within(await screen.findByRole('list', { name: 'Movimientos' })).getAllByRole('listitem');
  expect(lines).toHaveLength(5);
  const [reserved, paid, ended, refund, review] = lines.map(({ textContent }) =>
    textContent.replaceAll('\u00a0', ' '),
  );
  expect(reserved).toMatch(
    /^Apartaste\+\$3,000\.00.*Sala Nórdica · Muebles del Valle2 nov 2026, 10:00 h · Compra 41Saldo\$3,000\.00/,
  );
  expect(paid).toMatch(/^Abono a los pagos 2 a 4 de 6−\$600\.00/);
  expect(paid).toMatch(
    /Tarjeta •••• 4821 · Pagó Rosa · Folio A7K2 9931 04 · Incluye \$15\.00 de cargo por servicio/,
  );
  expect(paid).toMatch(/Saldo\$2,400\.00/);
  expect(ended).toMatch(/^Cancelaste la compra−\$2,400\.00/);
  expect(refund).toMatch(/^Devolución pendiente\$400\.00.*En efectivo/);
  expect(review).toMatch(/^Pago en revisión\$50\.00.*Caja del comercio, Sucursal Norte/);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toContain('/recibo/A7K2993104');
  expect(links).toContain('/saleCxcList/41');
});

test.each([
  ['Vence 1 pago en estos días: $500.00', '2026-11-30', [0]],
  ['Venció 1 pago en estos días: $500.00', '2026-12-01', [0]],
  ['Vencieron 2 pagos en estos días: faltan $900.00 de $1,000.00', '2026-12-01', [100, 0]],
])('what fell due in days that are over is not said to fall due: %s', async (heading, today, paid) => {
  vi.setSystemTime(new Date(`${today}T18:00:00Z`));
  const [due] = NOVEMBER.dues;
  statement = ok({ ...NOVEMBER, dues: paid.map((sum, at) => ({ ...due, number: at + 2, paid: sum })) });
  open();
  expect(await screen.findByText(heading)).toBeTruthy();
});

test('sums up the days, and says what was due in them and how that stands', async () => {
  const { user } = open();
  const summary = await screen.findByRole('region', { name: 'Resumen' });
  expect(within(summary).getByText('+$3,000.00')).toBeTruthy();
  expect(within(summary).getByText('−$600.00')).toBeTruthy();
  expect(within(summary).getByText('Cargos por cancelar')).toBeTruthy();
  expect(within(summary).queryByText('Te devolvieron')).toBeNull();
  await user.click(screen.getByText('Vence 1 pago en estos días: faltan $400.00 de $500.00'));
  expect(screen.getByText(/20 nov 2026 · Vencido, faltan \$400\.00/)).toBeTruthy();
  expect(calls[0]!.search.toString()).toBe('from=2026-11-01&to=2026-11-30');
});

test.each([
  ['Vencen 2 pagos en estos días: faltan $900.00 de $1,000.00', [100, 0]],
  ['Vencen 2 pagos en estos días: faltan $500.00 de $1,000.00', [500, 0]],
  ['Vencen 2 pagos en estos días: $1,000.00', [0, 0]],
  ['Vencían 2 pagos en estos días, todos pagados', [500, 500]],
  ['Vencía 1 pago en estos días, ya pagado', [500]],
  ['Vence 1 pago en estos días: $500.00', [0]],
])('what was due says what of it is missing still: %s', async (heading, paid) => {
  const [due] = NOVEMBER.dues;
  const ended = { ...due, number: 9, paid: 100, state: 'cancelled' };
  const dues = paid.map((sum, at) => ({
    ...due,
    number: at + 2,
    paid: sum,
    state: sum === 500 ? 'paid' : 'late',
  }));
  // What an ended purchase did not pay is due no more.
  statement = ok({ ...NOVEMBER, dues: [...dues, ended] });
  open();
  expect(await screen.findByText(heading)).toBeTruthy();
});

test.each([
  ['1 pago de estos días ya no se cobra', 1],
  ['2 pagos de estos días ya no se cobran', 2],
])('where all that was due is of ended purchases nothing is missing: %s', async (heading, count) => {
  const dues = Array.from({ length: count }, (_, at) => ({
    ...NOVEMBER.dues[0],
    number: at + 2,
    state: 'cancelled',
  }));
  statement = ok({ ...NOVEMBER, dues });
  open();
  expect(await screen.findByText(heading)).toBeTruthy();
});

test('what went back to who helped is a row of its own; an older server says nothing of it', async () => {
  statement = ok({ ...NOVEMBER, sums: { ...NOVEMBER.sums, refunded: 615, refundedToHelpers: 515 } });
  const { unmount } = open();
  const back = async () =>
    within(await screen.findByRole('region', { name: 'Resumen' }))
      .getAllByRole('definition')
      .map((value) => `${value.previousElementSibling?.textContent} ${value.textContent}`)
      .filter((row) => /evol|evuelto/.test(row));
  expect(await back()).toEqual([
    'Te devolvieron $615.00615 pesos',
    'Devuelto a quienes te ayudaron $515.00515 pesos',
  ]);
  unmount();
  statement = ok({ ...NOVEMBER, sums: { ...NOVEMBER.sums, refunded: 615 } });
  open();
  expect(await back()).toEqual(['Te devolvieron $615.00615 pesos']);
});

test('days without anything, and nothing owed, say so', async () => {
  statement = ok({ ...NOVEMBER, lines: [], dues: [] });
  open();
  expect(await screen.findByText('No hubo movimientos en estos días, y no debes nada.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Guardar PDF' })).toBeNull();
});

test('a statement that does not come is said, and asked for again', async () => {
  statement = 'no network';
  const { user } = open();
  await screen.findByText('No pudimos cargar tu estado de cuenta');
  statement = ok({ ...NOVEMBER, isWhole: false });
  await user.click(screen.getByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('Son más de los que caben aquí')).toBeTruthy();
});

test('is saved under the name that the server gives it, and a file that does not come is said', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Guardar CSV' }));
  expect(await screen.findByText('Guardamos estado-de-cuenta.csv en tus descargas.')).toBeTruthy();
  expect(saved).toEqual(['estado-de-cuenta.csv']);
  file = 'no network';
  await user.click(screen.getByRole('button', { name: 'Guardar PDF' }));
  expect(await screen.findByText('No pudimos guardar el archivo. Vuelve a intentarlo.')).toBeTruthy();
  expect(saved).toHaveLength(1);
});

test('other days are asked for when they can be; wrong ones are said at the field', async () => {
  const { user } = open();
  const [from, to] = [screen.getByLabelText('Desde'), screen.getByLabelText('Hasta')];
  await user.clear(to);
  await user.type(to, '2026-10-31');
  await user.click(screen.getByRole('button', { name: 'Ver estos días' }));
  expect(screen.getByText(/^Elige hasta 400 días/)).toBeTruthy();
  await user.clear(from);
  await user.type(from, '2026-10-01');
  await user.click(screen.getByRole('button', { name: 'Ver estos días' }));
  expect(await screen.findByText('Del 1 oct 2026 al 31 oct 2026')).toBeTruthy();
});

test('the list of purchases leads to this month', () => {
  expect(statementLink).toBe(statementAddress('este-mes'));
  expect(statementLink).toContain(`?${STATEMENT}=`);
});

test('days with a name follow the calendar; an address that means none is this month', () => {
  expect(rangeIn('mes-pasado', '2026-03-31').range).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(rangeIn('mes-pasado', '2026-01-15').range).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(rangeIn('este-anio', '2026-03-31').range).toEqual({ from: '2026-01-01', to: '2026-12-31' });
  const today = mexicoCityDate(new Date());
  for (const word of ['', 'x', '2026-02-30_2026-03-05', '2026-03-05_2026-03-01', '2020-01-01_2026-03-01'])
    expect(rangeIn(word, today)).toEqual({
      name: 'este-mes',
      range: {
        from: addDays(lastDayOfMonth(addDays(`${today.slice(0, 7)}-01`, -1)), 1),
        to: lastDayOfMonth(today),
      },
    });
});
