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

test.each(['MRZFHBBQQR', '1141 1324 536'])(
  'a folio and a number are looked up by everybody: %s',
  async (typed) => {
    expect(await find('manager', typed)).toBe(`/mostrador/cobro/${typed.replaceAll(' ', '')}`);
  },
);

test('a wrong digit is still one', async () => {
  expect(await find('cashier', '21000482102')).toBe('/mostrador/');
  expect(screen.getByText(/hay un dígito de más, de menos o cambiado/)).toBeTruthy();
});
