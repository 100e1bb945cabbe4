import { show } from '@aparta/ui/testing/show.tsx';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { passwordReset } from '../session/password-reset.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import ChangePasswordPage from './change-password-page.tsx';
import ForgotPasswordPage from './forgot-password-page.tsx';
import SignInPage from './sign-in-page.tsx';

const SEND = 'POST /v1/Notifications/SendResetPasswordBuyerEmail';
const RECORD = 'GET /v1/SecurityBuyer/GetByEmailAsync/marisol%40correo.mx';
const CHANGE = 'PUT /v1/SecurityBuyer/UpdateAsync/7';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';

describe('a buyer who forgot their password', () => {
  let answer: Answer | Promise<Answer>;
  const calls = fakeServer({ [SEND]: () => answer });

  async function send(at: Parameters<typeof show>[1] = '/resetyourpassword') {
    const shown = show(<ForgotPasswordPage />, at);
    await shown.user.type(screen.getByLabelText('Correo'), 'marisol@correo.mx');
    await shown.user.click(screen.getByRole('button', { name: 'Enviar' }));
    return shown;
  }

  test('is told that the email is on its way, and led to login', async () => {
    answer = ok(null);
    const { user, here } = await send();
    const alert = await screen.findByRole('alertdialog', { name: 'Correo enviado!' });
    expect(alert.textContent).toContain('Se envio el correo con el link de cambio de password!');
    expect(here()).toBe('/resetyourpassword');
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    await expect.poll(here).toBe('/login');
    expect(calls.map(({ body }) => body)).toEqual([
      {
        email: 'marisol@correo.mx',
        link: `${location.origin}?refChangePass=${btoa('marisol@correo.mx')}`,
        dateHourCreate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
  });

  test('is told so, and led to login, while the answer is outstanding; a failure after that is not hidden', async () => {
    const slow = Promise.withResolvers<Answer>();
    answer = slow.promise;
    const { user, here } = await send();
    await screen.findByRole('alertdialog', { name: 'Correo enviado!' });
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    await expect.poll(here).toBe('/login');
    slow.resolve(refuse(429, 'TOO_MANY', {}, { 'Retry-After': '1200' }));
    const alert = await screen.findByRole('alertdialog', { name: 'El correo no salió: vuelve a pedirlo' });
    expect(alert.textContent).toContain('20 minutos');
  });

  test.each([
    ['without a network', 'no network', 'No hay conexión'],
    ['after too many', refuse(429, 'TOO_MANY', {}, { 'Retry-After': '1200' }), '20 minutos'],
    ['with a failing server', refuse(503, 'UNAVAILABLE'), 'no está disponible'],
  ] as const)('%s is not told that it was sent', async (_case, failure, sentence) => {
    answer = failure;
    const { here } = await send();
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByLabelText('Correo')).toHaveProperty('value', 'marisol@correo.mx');
    expect(here()).toBe('/resetyourpassword');
  });

  test('may send whatever they typed, as the spec validates nothing', async () => {
    answer = ok(null);
    const { user } = show(<ForgotPasswordPage />, '/resetyourpassword');
    await user.click(screen.getByRole('button', { name: 'Enviar' }));
    await screen.findByRole('alertdialog', { name: 'Correo enviado!' });
    expect(calls[0]?.body).toMatchObject({ email: '' });
  });

  test('finds the link to login', () => {
    show(<ForgotPasswordPage />, '/resetyourpassword');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Olvidaste tu password?');
    expect(screen.getByRole('link', { name: /Entra aquí/ }).getAttribute('href')).toBe('/login');
  });

  test('with an expired link reads why they are here', () => {
    show(<ForgotPasswordPage />, { pathname: '/resetyourpassword', state: { deadLink: true } });
    expect(screen.getByText('Necesitas un enlace nuevo.')).toBeTruthy();
  });
});

describe('a buyer who opened the link of the email', () => {
  let record: Answer;
  let changed: Answer | Promise<Answer>;
  const calls = fakeServer({ [RECORD]: () => record, [CHANGE]: () => changed });
  const owner = { id: 7, businessName: '', userName: 'Marisol', name: 'Marisol' };

  beforeEach(() => {
    record = ok(owner);
    changed = ok(null);
    passwordReset.save(btoa('marisol@correo.mx'), 's3cret');
  });

  async function choose(password: string, again = password) {
    const shown = show(<ChangePasswordPage />, '/changeyourpassword');
    await shown.user.type(screen.getByLabelText('Password'), password);
    await shown.user.type(screen.getByLabelText('Confirmar Password'), again);
    await shown.user.click(screen.getByRole('button', { name: 'Enviar' }));
    return shown;
  }
  const changes = () => calls.filter(({ method }) => method === 'PUT');

  test('chooses a new password with its code, and is led to login', async () => {
    const { here } = await choose('clave-nueva-1');
    await expect.poll(here).toBe('/login');
    expect(changes().map(({ body }) => body)).toEqual([
      { ...owner, password: 'clave-nueva-1', code: 's3cret' },
    ]);
    expect(calls[0]?.headers.get('X-Reset-Code')).toBe('s3cret');
    expect(calls.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(sessionStorage.length).toBe(0);
  });

  test('is greeted, and sees whose password it is', async () => {
    show(<ChangePasswordPage />, '/changeyourpassword');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Bienvenido/a');
    expect(screen.getByText('Elige un password nuevo para marisol@correo.mx.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Volver a Login' }).getAttribute('href')).toBe('/login');
    await waitFor(() => expect(calls).toHaveLength(1));
  });

  test('two passwords that differ send nothing, and the warning can be dismissed', async () => {
    const { user, here } = await choose('clave-nueva-1', 'clave-nueva-2');
    expect((await screen.findByRole('alert')).textContent).toContain('Password Incorrecto!');
    expect(document.activeElement).toBe(screen.getByLabelText('Confirmar Password'));
    await user.click(screen.getByRole('button', { name: 'Cerrar aviso' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(changes()).toEqual([]);
    expect(here()).toBe('/changeyourpassword');
  });

  test('a weak password is refused at its field, and another one is taken', async () => {
    changed = refuse(422, 'PASSWORD_TOO_SHORT');
    const { user, here } = await choose('corta');
    expect(await screen.findByText(/Escribe al menos 8 caracteres/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    changed = ok(null);
    for (const name of ['Password', 'Confirmar Password'])
      await user.type(screen.getByLabelText(name), '-y-ahora-larga');
    await user.click(screen.getByRole('button', { name: 'Enviar' }));
    await expect.poll(here).toBe('/login');
    expect(changes().at(-1)?.body).toMatchObject({ password: 'corta-y-ahora-larga', code: 's3cret' });
  });

  test('an expired link leads to a new one at once, and is cleared', async () => {
    record = refuse(422, 'RESET_CODE_DEAD');
    const { here } = show(<ChangePasswordPage />, '/changeyourpassword');
    await expect.poll(here).toBe('/resetyourpassword');
    expect(sessionStorage.length).toBe(0);
  });

  test('a code that was used in the meantime leads to a new one too', async () => {
    changed = refuse(422, 'RESET_CODE_DEAD');
    const { here } = await choose('clave-nueva-1');
    await expect.poll(here).toBe('/resetyourpassword');
    expect(sessionStorage.length).toBe(0);
  });

  test('whose answer was lost reads, once the code is dead, that the password may have changed', async () => {
    changed = 'no network';
    const { user, here, state } = await choose('clave-nueva-1');
    await screen.findByText(/No hay conexión/);
    changed = refuse(422, 'RESET_CODE_DEAD');
    await user.click(screen.getByRole('button', { name: 'Enviar' }));
    await expect.poll(here).toBe('/resetyourpassword');
    show(<ForgotPasswordPage />, { pathname: '/resetyourpassword', state: state() });
    expect(screen.getByText('Puede que tu password ya haya cambiado.')).toBeTruthy();
    expect(screen.queryByText('Necesitas un enlace nuevo.')).toBeNull();
  });

  test('who reloads while a password has no answer reads, once the code is dead, that it may have changed', async () => {
    changed = new Promise(() => {});
    await choose('clave-nueva-1');
    await waitFor(() => expect(changes()).toHaveLength(1));
    cleanup();
    // The mail's link again is the same link; another is not.
    passwordReset.save(btoa('marisol@correo.mx'), 's3cret');
    record = refuse(422, 'RESET_CODE_DEAD');
    const { here, state } = show(<ChangePasswordPage />, '/changeyourpassword');
    await expect.poll(here).toBe('/resetyourpassword');
    expect(state()).toEqual({ deadLink: 'by a change' });
    passwordReset.mark(true);
    passwordReset.save(btoa('marisol@correo.mx'), 'another');
    expect(passwordReset.mayBeUsed()).toBe(false);
  });

  test.each([
    ['no link', () => passwordReset.clear()],
    ['a link without a code', () => passwordReset.save(btoa('marisol@correo.mx'), undefined)],
    ['a link with a broken e-mail', () => passwordReset.save('%%%', 's3cret')],
  ])('%s asks nothing of the server and leads to a new one', async (_case, arrange) => {
    arrange();
    const { here } = show(<ChangePasswordPage />, '/changeyourpassword');
    await expect.poll(here).toBe('/resetyourpassword');
    expect(calls).toEqual([]);
  });

  test('a network that fails on arrival is asked again with the form', async () => {
    record = 'no network';
    const { user, here } = await choose('clave-nueva-1');
    expect((await screen.findByRole('alert')).textContent).toContain('No hay conexión');
    expect(changes()).toEqual([]);
    record = ok(owner);
    await user.click(screen.getByRole('button', { name: 'Enviar' }));
    await expect.poll(here).toBe('/login');
  });

  test('this tab is signed out; what was scanned stays', async () => {
    session.open({ ...marisol, token: 'old' });
    reference.save('1|1|1|0|3000.00|3|600.00|0', true);
    const { here } = await choose('clave-nueva-1');
    await expect.poll(here).toBe('/login');
    expect(session.user()).toBeUndefined();
    expect(reference.current()).toBe('1|1|1|0|3000.00|3|600.00|0');
  });
});

describe('at login', () => {
  test('a buyer who changed their password reads that it is done', () => {
    show(<SignInPage />, { pathname: '/login', state: { passwordChanged: true } });
    expect(screen.getByRole('alert').textContent).toContain('Tu password cambió. Entra con el nuevo.');
  });
});
