import { AlertHost } from '@aparta/ui/alert.tsx';
import { show } from '@aparta/ui/testing/show.tsx';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { session } from '../session/session.ts';
import YourData from './your-data.tsx';

let answer: ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
const calls = fakeServer({ 'POST /v1/SecurityBuyer/ExportAsync': () => answer });
beforeEach(() => session.open({ ...marisol, token: 't' }));

test('a buyer’s data is downloaded for their password; a wrong one is said at its field and ends no session', async () => {
  const { user } = show(
    <AlertHost>
      <YourData />
    </AlertHost>,
  );
  expect(screen.getByRole('link', { name: 'Ver mi actividad' }).getAttribute('href')).toBe('/actividad');
  await user.click(screen.getByRole('button', { name: 'Descargar mis datos' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Tu contraseña'));
  answer = refuse(422, 'WRONG_PASSWORD');
  await user.type(screen.getByLabelText('Tu contraseña'), 'una-clave');
  await user.click(screen.getByRole('button', { name: 'Descargar' }));
  expect(await screen.findByText(/Esa no es tu contraseña/)).toBeDefined();
  expect(session.user()).toBeDefined();
  answer = refuse(429, 'TOO_MANY', {}, { 'Retry-After': '1200' });
  await user.click(screen.getByRole('button', { name: 'Descargar' }));
  expect(await screen.findByText(/20 minutos/)).toBeDefined();
  answer = ok({ fileName: 'mis-datos-2026-11-25.zip', contentByteArray: btoa('PK') });
  await user.click(screen.getByRole('button', { name: 'Descargar' }));
  await expect.poll(() => screen.getByRole('status').textContent).toBe('Listo: mis-datos-2026-11-25.zip');
  expect(calls.at(-1)?.body).toEqual({ password: 'una-clave' });
  expect(screen.queryByLabelText('Tu contraseña')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Descargar mis datos' }));
});
