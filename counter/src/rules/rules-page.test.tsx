import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import RulesPage from './rules-page.tsx';

const usual = {
  depositPercent: 20,
  everyDays: 30,
  payments: 3,
  penalty: 200,
  deliveryDays: 15,
  endDaysLate: 60 as number | null,
  movesAllowed: 2,
  moveDays: 15,
  acceptsCards: true,
  cardFee: 15,
  tillFee: 0,
  cashFee: 12.5,
};
let rules: typeof usual;
fakeServer({ 'GET /v1/counter/rules': () => ok(rules) });

beforeEach(() => session.open(luisAtCounter));

const open = () =>
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <RulesPage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/reglas',
  );

/** What is said in a card, line by line, as it is read aloud. */
const linesOf = async (name: string) =>
  [...(await screen.findByRole('region', { name })).querySelectorAll('dl > div')].map((row) =>
    [...row.children].map((part) => (part.querySelector('[aria-hidden] + *') ?? part).textContent).join(': '),
  );

test('who is asked at the counter what a cancel costs reads it, with the plan, the delivery and the fees', async () => {
  rules = usual;
  open();
  expect(await linesOf('Si el comprador cancela')).toEqual([
    'Hasta el quinto día hábil: Sin costo',
    'Después, cargo por cancelar: 200 pesos',
  ]);
  expect(await linesOf('El plan')).toEqual([
    'Para apartar: 20 % del precio',
    'Pagos en total: 3, con el apartado',
    'Uno cada: 30 días',
    'Cambios de fecha: Hasta 2, de 15 días cada uno',
  ]);
  expect(await linesOf('Entrega y atrasos')).toEqual([
    'Entregas: Hasta 15 días después del último pago',
    'Termina por atraso: A los 60 días, con dos avisos',
  ]);
  expect(await linesOf('Cargo por servicio en cada pago')).toEqual([
    'Con tarjeta en línea: 15 pesos',
    'En tu caja o mostrador: Sin cargo',
    'En tiendas, en efectivo: 12 pesos con 50 centavos',
  ]);
  // They are no frozen term.
  expect(screen.getByText(/^Los cambios de fecha son los de hoy también/)).toBeTruthy();
  expect(screen.getByText(/Lo ya apartado conserva las suyas/)).toBeTruthy();
  expect(screen.getByText(/^Para cambiarlas, escribe a Aparta/)).toBeTruthy();
});

test('a shop reads as much of what it does not offer: cards, changes of date, an end by lateness', async () => {
  rules = { ...usual, acceptsCards: false, movesAllowed: 0, endDaysLate: null, deliveryDays: 0 };
  open();
  expect(await linesOf('Cargo por servicio en cada pago')).toContain('Con tarjeta en línea: No se acepta');
  expect(await linesOf('El plan')).toContain('Cambios de fecha: No se permiten');
  expect(await linesOf('Entrega y atrasos')).toEqual([
    'Entregas: El día del último pago',
    'Termina por atraso: Nunca por sí sola',
  ]);
});
