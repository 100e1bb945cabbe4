import { centavos } from '@aparta/domain/money';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeServer, ok, refuse } from '../../test/server.ts';
import type { Movable, Moving } from '../data/read-moving.ts';
import MoveSheet from './move-sheet.tsx';
import PlanChanges from './plan-changes.tsx';

const DONE = { movesAllowed: 2, movesLeft: 1, moveDays: 10, movable: [], planChanges: [] };
type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
let answer: Answer;
const calls = fakeServer({
  'PUT /v1/Sales/MoveInstalmentAsync/41': () => answer,
  'PUT /v1/Sales/SplitInstalmentAsync/41': () => answer,
});
beforeEach(() => {
  answer = ok(DONE);
});

const MOVING: Moving = { left: 2, days: 10, movable: [], changes: [] };
const MOVABLE: Movable = {
  number: 2,
  earliest: '2031-05-13',
  latest: '2031-05-22',
  firstParts: { least: centavos(5_000), most: centavos(35_000) },
};

const INSTALMENT = { number: 2, dueOn: '2031-05-12', amount: centavos(40_000), state: 'upcoming' } as const;

function open(
  movable: Partial<Movable> = {},
  moving: Partial<Moving> = {},
  instalment: Partial<ComponentProps<typeof MoveSheet>['instalment']> = {},
) {
  const onClose = vi.fn<() => void>();
  const { user } = show(
    <QueryClientProvider client={new QueryClient()}>
      <MoveSheet
        purchaseId={41}
        instalment={{ ...INSTALMENT, ...instalment }}
        movable={{ ...MOVABLE, ...movable }}
        moving={{ ...MOVING, ...moving }}
        onClose={onClose}
      />
    </QueryClientProvider>,
  );
  return { user, onClose };
}
const preview = () => screen.getByText(/^Antes: /).parentElement?.textContent;

test('a buyer moves a date with two presses, and reads before what was and what will be', async () => {
  const { user, onClose } = open();
  screen.getByText('Te quedan 2 cambios en esta compra.');
  await user.click(screen.getByLabelText('19 may 2031, 7 días después'));
  expect(preview()).toBe('Antes: $400.00 el 12 may 2031Así queda: $400.00 el 19 may 2031');
  await user.click(screen.getByRole('button', { name: 'Cambiar al 19 may 2031' }));
  await screen.findByText('Tu pago 2 ahora vence el 19 de mayo de 2031.');
  expect(onClose).toHaveBeenCalled();
  expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { changeNumber: 1, number: 2, fromDay: '2031-05-12', toDay: '2031-05-19', amount: 400 },
  ]);
});

test('a day of one’s own is one that the shop allows', async () => {
  const { user } = open();
  await user.click(screen.getByLabelText('Otro día'));
  const field = screen.getByLabelText<HTMLInputElement>('Día');
  expect([field.min, field.max]).toEqual(['2031-05-13', '2031-05-22']);
  fireEvent.change(field, { target: { value: '2031-05-23' } });
  await user.click(screen.getByRole('button', { name: 'Cambiar la fecha' }));
  await screen.findByText('Elige un día del 13 may 2031 al 22 may 2031.');
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  fireEvent.change(field, { target: { value: '2031-05-14' } });
  await user.click(screen.getByRole('button', { name: 'Cambiar al 14 may 2031' }));
  await screen.findByText('Tu pago 2 ahora vence el 14 de mayo de 2031.');
});

test('a buyer splits an instalment: half of it at first, or what they type', async () => {
  const { user } = open({}, { left: 1, changes: [CHANGES[0]!] });
  screen.getByText('Es el último cambio que te queda en esta compra.');
  await user.click(screen.getByLabelText('En 2 pagos'));
  const field = screen.getByLabelText<HTMLInputElement>('¿Cuánto pagas el 12 may 2031?');
  expect(field.value).toBe('200');
  await user.clear(field);
  await user.type(field, '49.99');
  await user.click(screen.getByRole('button', { name: 'Partir en dos pagos' }));
  await screen.findByText('Escribe una cantidad de $50.00 a $350.00. Los centavos van con punto.');
  await user.clear(field);
  await user.type(field, '150');
  await user.click(screen.getByLabelText('22 may 2031, 10 días después'));
  expect(preview()).toBe(
    'Antes: $400.00 el 12 may 2031Así queda: $150.00 el 12 may 2031 y $250.00 el 22 may 2031',
  );
  await user.click(screen.getByRole('button', { name: 'Partir en dos pagos' }));
  await screen.findByText('$150.00 el 12 may 2031 y $250.00 el 22 may 2031.');
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    changeNumber: 2,
    number: 2,
    fromDay: '2031-05-12',
    toDay: '2031-05-22',
    amount: 400,
    firstPart: 150,
  });
});

test('of a late instalment the first part is due already: no day that has passed is offered to pay it', async () => {
  const { user } = open({}, {}, { state: 'late' });
  await user.click(screen.getByLabelText('En 2 pagos'));
  const field = screen.getByLabelText<HTMLInputElement>('¿Cuánto pagas ya?');
  screen.getByText('Esta parte sigue vencida desde el 12 may 2031. De $50.00 a $350.00.');
  await user.clear(field);
  await user.type(field, '100');
  expect(preview()).toBe(
    'Antes: $400.00 el 12 may 2031Así queda: $100.00 que ya vencieron y $300.00 el 19 may 2031',
  );
  await user.click(screen.getByRole('button', { name: 'Partir en dos pagos' }));
  expect(await screen.findByText('$100.00 que ya vencieron y $300.00 el 19 may 2031.')).toBeTruthy();
});

test('where both parts can only be the least, the sum is given', async () => {
  const least = centavos(5_000);
  const { user } = open({ firstParts: { least, most: least } }, {}, { amount: centavos(10_000) });
  await user.click(screen.getByLabelText('En 2 pagos'));
  screen.getByText('Solo $50.00.');
  const field = screen.getByLabelText<HTMLInputElement>('¿Cuánto pagas el 12 may 2031?');
  await user.type(field, '1');
  expect(field.value).toBe('50');
  await user.click(screen.getByRole('button', { name: 'Partir en dos pagos' }));
  expect(await screen.findByText('$50.00 el 12 may 2031 y $50.00 el 19 may 2031.')).toBeTruthy();
});

test('what is too little to be split is only moved', () => {
  open({ firstParts: undefined });
  expect(screen.queryByText('En 2 pagos')).toBeNull();
});

test.each([
  ['PLAN_CHANGED', 'Tu plan cambió', true],
  ['NOT_MOVABLE', 'Este pago no se puede cambiar así', true],
  ['ATTEMPT_OPEN', 'Ya hay un pago en curso', false],
])('refused with %s, the sheet says so, and closes where the plan is another', async (code, said, closes) => {
  answer = refuse(409, code);
  const { user, onClose } = open();
  await user.click(screen.getByRole('button', { name: /^Cambiar al / }));
  await screen.findByText(new RegExp(said));
  if (closes) await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(closes ? 1 : 0));
});

test('without a network nothing is changed, and the same press asks for the same again', async () => {
  answer = 'no network';
  const { user, onClose } = open();
  await user.click(screen.getByRole('button', { name: /^Cambiar al / }));
  await screen.findByRole('alert');
  expect(onClose).not.toHaveBeenCalled();
  answer = ok(DONE);
  await user.click(screen.getByRole('button', { name: /^Cambiar al / }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const [first, second] = calls.filter(({ method }) => method === 'PUT');
  expect(first?.body).toEqual(second?.body);
});

const CHANGES: Moving['changes'] = [
  {
    sequence: 1,
    kind: 'moved',
    number: 3,
    fromDay: '2031-05-20',
    toDay: '2031-05-25',
    amount: centavos(40_000),
    first: undefined,
    on: '2031-05-01',
  },
  {
    sequence: 2,
    kind: 'split',
    number: 2,
    fromDay: '2031-05-12',
    toDay: '2031-05-16',
    amount: centavos(40_000),
    first: centavos(15_000),
    on: '2031-05-02',
  },
];

test('what was changed stays readable, the newest first, and how many changes are left', () => {
  show(<PlanChanges moving={{ ...MOVING, left: 0, changes: CHANGES }} />);
  screen.getByRole('heading', { name: 'Cambiaste este plan 2 veces' });
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'El pago 2 de $400.00 se partió: $150.00 el 12 may 2031 y $250.00 el 16 may 2031Lo cambiaste el 2 may 2031.',
    'El pago 3 pasó del 20 may 2031 al 25 may 2031Lo cambiaste el 1 may 2031.',
  ]);
  screen.getByText('No te quedan cambios en esta compra.');
});
