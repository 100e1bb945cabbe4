import '@aparta/ui/testing/show.tsx';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { fakeServer, marisol, ok } from '../../test/server.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import { App } from './routes.tsx';

const calls = fakeServer({ 'POST /v1/TokenBuyer/Logout': ok(null) });

function open(path: string) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <App />
    </MemoryRouter>,
  );
  return userEvent.setup();
}

test.each(['/', '/apartado', '/cxcList', '/clientEdit', '/dashboard', '/home', '/anything/else'])(
  'nobody signed in: %s leads to login',
  async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { name: 'Bienvenido/a' })).toBeTruthy();
  },
);

test.each(['/buyerRegister', '/BuyerRegister'])(
  '%s is the sign-up screen in either spelling',
  async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { name: 'Crear mi cuenta' })).toBeTruthy();
  },
);

test('home greets the buyer, offers both actions, and the four entries are there', async () => {
  session.open({ ...marisol, token: 't' });
  open('/home');
  expect(await screen.findByRole('heading', { name: 'Hola, Marisol' })).toBeTruthy();
  expect(screen.getByRole('link', { name: /Realizar Apartados/ }).getAttribute('href')).toBe('/apartado');
  expect(screen.getByRole('link', { name: /Realizar Abono/ }).getAttribute('href')).toBe('/cxcList');
  for (const [name, href] of [
    ['Inicio', '/'],
    ['Perfil', '/clientEdit'],
    ['Apartados', '/apartado'],
    ['Pagos pendientes', '/cxcList'],
  ] as const) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  }
  expect(screen.queryByText('Tienes un apartado sin terminar')).toBeNull();
});

test('home offers to finish a kept reference, until it is dropped', async () => {
  session.open({ ...marisol, token: 't' });
  reference.save('1|1|1|0|3000.00|3|600.00|0', true);
  const user = open('/');
  const go = await screen.findByRole('link', { name: 'Continuar mi apartado' });
  expect(go.getAttribute('href')).toBe('/apartado');
  await user.click(screen.getByRole('button', { name: 'Descartar' }));
  expect(screen.queryByRole('link', { name: 'Continuar mi apartado' })).toBeNull();
  expect(localStorage.getItem('refApartado')).toBeNull();
});

test('a QR that cannot be read is told once, over whatever screen it leads to', async () => {
  render(
    <MemoryRouter>
      <App problem="malformed" />
    </MemoryRouter>,
  );
  const alert = await screen.findByRole('alertdialog', { name: 'La referencia está incompleta' });
  await userEvent.click(within(alert).getByRole('button', { name: 'Aceptar' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('Logout calls the server with the token, clears the session, and leads to login', async () => {
  session.open({ ...marisol, token: 'secret' });
  const user = open('/');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('heading', { name: 'Bienvenido/a' })).toBeTruthy();
  expect(calls[0]?.authorization).toBe('Bearer secret');
  expect(sessionStorage.length).toBe(0);
});
