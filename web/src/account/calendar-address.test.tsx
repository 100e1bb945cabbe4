import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { session } from '../session/session.ts';
import CalendarAddress from './calendar-address.tsx';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
const address = (code: string) =>
  ok({ calendarUrl: `https://aparta.mx/calendario/${code}.ics`, madeAt: '2026-11-20T16:32:00Z' });

let read: Answer;
let made: Answer;
const calls = fakeServer({
  'GET /v1/Calendar': () => read,
  'POST /v1/Calendar': () => made,
  'POST /v1/Calendar/End': ok(null),
});
beforeEach(() => {
  read = ok(null);
  made = address('uno');
  session.open({ ...marisol, token: 't' });
});

function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <CalendarAddress />
    </QueryClientProvider>,
  );
}
const shown = () => (screen.getByLabelText('Tu dirección privada') as HTMLInputElement).value;
const press = (name: string) => screen.findByRole('button', { name });

test('makes an address that phones open in their calendar, replaces it at a press, and removes it at another', async () => {
  const { user } = open();
  await user.click(await press('Crear mi dirección'));
  const link = await screen.findByRole('link', { name: 'Agregar a mi calendario' });
  const title = screen.getByRole('heading', { name: 'Tus pagos en tu calendario' });
  expect(document.activeElement).toBe(title);
  expect(link.getAttribute('href')).toBe('webcal://aparta.mx/calendario/uno.ics');
  expect(shown()).toBe('https://aparta.mx/calendario/uno.ics');
  made = address('dos');
  await user.click(await press('Cambiar dirección'));
  await expect.poll(shown).toBe('https://aparta.mx/calendario/dos.ics');
  const told = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  expect(told()).toContainEqual(expect.stringContaining('La anterior ya no sirve'));
  await user.click(await press('Quitar dirección'));
  await press('Crear mi dirección');
  expect(document.activeElement).toBe(title);
  expect(told()).toEqual([expect.stringContaining('ya no sirve')]);
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/Calendar',
    'POST /v1/Calendar',
    'POST /v1/Calendar',
    'POST /v1/Calendar/End',
  ]);
});

test('what cannot be read offers to try again, and a press that was refused leaves the address as it is', async () => {
  read = 'no network';
  const { user } = open();
  await screen.findByText('No pudimos cargar tu dirección');
  read = address('uno');
  await user.click(await press('Reintentar'));
  await screen.findByLabelText('Tu dirección privada');
  made = refuse(429, 'TOO_MANY', {}, { 'Retry-After': '1200' });
  await user.click(await press('Cambiar dirección'));
  expect((await screen.findByRole('alert')).textContent).toContain('20 minutos');
  expect(shown()).toBe('https://aparta.mx/calendario/uno.ics');
});
