import { show } from '@aparta/ui/testing/show.tsx';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fakeServer, marisol, refuse } from '../../test/server.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import SignInPage from './sign-in-page.tsx';

const AUTHENTICATE = 'POST /v1/TokenBuyer/Authenticate';
const welcome = {
  body: { isSuccess: true, message: '', status: 200, data: { ...marisol, token: 'secret' } },
};

async function signIn(at = '/login') {
  const shown = show(<SignInPage />, at);
  await shown.user.type(screen.getByLabelText('Correo'), 'marisol@correo.mx');
  await shown.user.type(screen.getByLabelText('Password'), 'clave');
  await shown.user.click(screen.getByRole('button', { name: 'Login' }));
  return shown;
}

describe('signing in', () => {
  const calls = fakeServer({ [AUTHENTICATE]: welcome });

  test('the buyer lands at home, with token and user in the session', async () => {
    const { here } = await signIn();
    await expect.poll(here).toBe('/');
    expect(calls[0]?.body).toEqual({ user: 'marisol@correo.mx', password: 'clave' });
    expect(sessionStorage.getItem('token')).toBe('secret');
    expect(JSON.parse(sessionStorage.getItem('user') ?? '')).toEqual(marisol);
  });

  test('names this browser alike each time, so that others’ wrong passwords do not keep its buyer out', async () => {
    const first = await signIn();
    await expect.poll(first.here).toBe('/');
    session.close();
    first.unmount();
    await signIn();
    await expect.poll(() => calls.length).toBe(2);
    const [one, two] = calls.map(({ headers }) => headers.get('X-Device-Id'));
    expect(one).toMatch(/^[\w-]{36}$/);
    expect(two).toBe(one);
  });

  test('a buyer who asks for it stays signed in on this phone; nobody else does', async () => {
    const { user } = show(<SignInPage />, '/login');
    const keep = screen.getByRole('checkbox', { name: 'Mantener mi sesión en este teléfono' });
    expect(keep).toHaveProperty('checked', false);
    await user.click(keep);
    await user.type(screen.getByLabelText('Password'), 'clave{Enter}');
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.body).toEqual({ user: '', password: 'clave', keep: true });
  });

  test('a reference scanned before is copied into the session', async () => {
    reference.save('1|1|1|0|3000.00|3|600.00|0', false);
    expect(sessionStorage.getItem('refApartado')).toBeNull();
    const { here } = await signIn();
    await expect.poll(here).toBe('/');
    expect(sessionStorage.getItem('refApartado')).toBe('1|1|1|0|3000.00|3|600.00|0');
  });

  test('after a dead session the buyer comes back to where it died', async () => {
    session.died('/apartado?paso=2');
    const { here } = await signIn();
    await expect.poll(here).toBe('/apartado?paso=2');
  });

  test('after a dead session the buyer reads why they are here; once they are in, nobody does', async () => {
    session.died('/cxcList');
    const { user, here } = show(<SignInPage />, '/login');
    expect(screen.getByText('Tu sesión terminó. Entra para seguir donde estabas.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await expect.poll(here).toBe('/cxcList');
    expect(session.hasDied()).toBe(false);
  });

  test('from sign-up the e-mail stands there and the password has the focus', async () => {
    const { user } = show(<SignInPage />, { pathname: '/login', state: { email: 'marisol@correo.mx' } });
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    await user.keyboard('clave{Enter}');
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.body).toEqual({ user: 'marisol@correo.mx', password: 'clave' });
  });

  test('a foreign URL is never used to return to', async () => {
    session.died('//example.com/');
    const { here } = await signIn();
    await expect.poll(here).toBe('/');
  });

  test('empty fields are sent as they are', async () => {
    const { user } = show(<SignInPage />, '/login');
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.body).toEqual({ user: '', password: '' });
  });
});

describe('a sign-in that fails', () => {
  let answer: ReturnType<typeof refuse> | 'no network' = 'no network';
  fakeServer({ [AUTHENTICATE]: () => answer });

  test('a wrong password shows the banner, keeps what was typed, and can be dismissed', async () => {
    answer = refuse(401, 'WRONG_CREDENTIALS');
    const { user, here } = await signIn();
    expect((await screen.findByRole('alert')).textContent).toBe('Correo o Password Incorrecto!');
    expect(screen.getByLabelText('Correo')).toHaveProperty('value', 'marisol@correo.mx');
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    await user.click(screen.getByRole('button', { name: 'Cerrar aviso' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(here()).toBe('/login');
    expect(sessionStorage.getItem('token')).toBeNull();
  });

  test('input that the server refuses shows the same banner', async () => {
    answer = refuse(422, 'INVALID_INPUT', { fields: { user: 'too long' } });
    await signIn();
    expect((await screen.findByRole('alert')).textContent).toBe('Correo o Password Incorrecto!');
  });

  test('after too many tries it says how long to wait instead of blaming the password', async () => {
    answer = refuse(429, 'TOO_MANY', {}, { 'Retry-After': '90' });
    await signIn();
    const said = (await screen.findByRole('alert')).textContent;
    expect(said).toContain('Demasiados intentos');
    expect(said).toContain('2 minutos');
  });

  test('a failing server and a lost network get their own text', async () => {
    answer = refuse(503, 'UNAVAILABLE');
    await signIn();
    expect((await screen.findByRole('alert')).textContent).toContain('no está disponible');
    answer = 'no network';
    screen.getByRole('button', { name: 'Login' }).click();
    await expect.poll(() => screen.queryByRole('alert')?.textContent).toContain('No hay conexión');
  });
});
