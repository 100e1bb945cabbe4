import { show } from '@aparta/ui/testing/show.tsx';
import { screen } from '@testing-library/react';
import { Route, Router } from 'wouter';
import { expect, test } from 'vitest';
import { luisAtCounter } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import FindPage from './find-page.tsx';

async function find(role: 'cashier' | 'manager', typed: string) {
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role } });
  const { user, here } = show(
    <Router base="/mostrador">
      <Route path="/" component={FindPage} />
    </Router>,
    '/mostrador/',
  );
  await user.type(screen.getByLabelText('Número o folio'), `${typed}{Enter}`);
  return decodeURI(here());
}

test.each(['Marisol', 'José Ángel Núñez', 'ana@correo.mx'])(
  'a cashier whose buyer forgot their number is told who finds them: %s',
  async (typed) => {
    expect(await find('cashier', typed)).toBe('/mostrador/');
    expect(screen.getByText(/lo busca el encargado, en Compras/)).toBeTruthy();
  },
);

test('who may find buyers by name is led to their purchases', async () => {
  expect(await find('manager', 'José Ángel')).toBe('/mostrador/compras?ver=todas&buscar=José+Ángel');
});

test('of a telephone a cashier is told what goes there and who finds by it', async () => {
  expect(await find('cashier', '222 555 0311')).toBe('/mostrador/');
  expect(
    screen.getByText(/falta un dígito, o es un teléfono.*lo busca el encargado, en Compras/),
  ).toBeTruthy();
  expect(screen.queryByRole('link', { name: /Buscar el teléfono/ })).toBeNull();
});

test.each(['2225550311', '222-555-0311', '+52 222 555 0311'])(
  'of a telephone who may find buyers is offered those whose ends like it: %s',
  async (typed) => {
    expect(await find('manager', typed)).toBe('/mostrador/');
    expect(screen.getByText(/falta un dígito, o es un teléfono/)).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Buscar el teléfono que termina en 0311' });
    expect(link.getAttribute('href')).toBe('/mostrador/compras?ver=todas&buscar=0311');
  },
);

test.each(['MRZFHBBQQR', '1141 1324 536'])(
  'a folio and a number are looked up by everybody: %s',
  async (typed) => {
    expect(await find('manager', typed)).toBe(`/mostrador/cobro/${typed.replaceAll(' ', '')}`);
  },
);

test('the short code of a product is no telephone', async () => {
  expect(await find('manager', '1-12-0-900-3-10')).toBe('/mostrador/');
  expect(screen.getByText(/Ese es el código del producto/)).toBeTruthy();
});

test('a wrong digit is still one', async () => {
  expect(await find('cashier', '21000482102')).toBe('/mostrador/');
  expect(screen.getByText(/hay un dígito de más, de menos o cambiado/)).toBeTruthy();
});
