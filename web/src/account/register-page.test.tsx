import { show } from '@aparta/ui/testing/show.tsx';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import RegisterPage from './register-page.tsx';

const INSERT = 'POST /v1/SecurityBuyer/InsertAsync';
const lookup = (email: string) => `GET /v1/SecurityBuyer/GetByEmailAsync/${encodeURIComponent(email)}`;
const SIGN_IN = 'POST /v1/TokenBuyer/Authenticate';
type Answering = ReturnType<typeof ok> | ReturnType<typeof refuse>;
type Insert = Answering | 'no network';
let insert: Insert | (() => Insert | Promise<Insert>) = ok({ id: 8 });
let signIn: Answering | { body: object } = refuse(401, 'WRONG_CREDENTIALS');
const TERMS = { kind: 'terms', version: '2026-11', body: '', publishedAt: '2026-11-01T18:00:00Z' };
let terms: Answering | 'no network' = ok({ ...TERMS, isTemplate: false });
let slowLookup = Promise.withResolvers<ReturnType<typeof ok>>();

const calls = fakeServer({
  [lookup('libre@correo.mx')]: ok({ id: 0 }),
  [lookup('lenta@correo.mx')]: () => slowLookup.promise,
  [lookup('ocupada@correo.mx')]: ok({ id: 1 }),
  [lookup('muda@correo.mx')]: 'no network',
  'GET /v1/Legal/GetAsync/terms': () => terms,
  [INSERT]: () => (typeof insert === 'function' ? insert() : insert),
  [SIGN_IN]: () => signIn,
  'POST /v1/TokenBuyer/Logout': ok(null),
});

async function fill(email: string, password = 'clave-larga-1') {
  const shown = show(<RegisterPage />, '/buyerRegister');
  await shown.user.type(screen.getByLabelText('Nombre de usuario'), 'Marisol');
  await shown.user.type(screen.getByLabelText('Teléfono'), '2221849000');
  if (password) await shown.user.type(screen.getByLabelText('Password'), password);
  if (email) await shown.user.type(screen.getByLabelText('Correo'), email);
  return shown;
}

const submit = () => screen.getByRole('button', { name: /Crear|Loading/ });
const inserts = () => calls.filter(({ method }) => method === 'POST');

test('a free e-mail opens the account, says so, and leads to login', async () => {
  insert = ok({ id: 8 });
  const { user, here, state, arrival } = await fill('libre@correo.mx');
  await user.click(screen.getByRole('checkbox'));
  expect(await screen.findByText(/Términos en su versión 2026-11/)).toBeTruthy();
  await user.click(submit());
  const alert = await screen.findByRole('alertdialog', { name: 'Registro exitoso!' });
  expect(alert.textContent).toContain('Cuenta creada!');
  expect(inserts()[0]?.body).toEqual({
    user: 'libre@correo.mx',
    userName: 'Marisol',
    phone: '2221849000',
    password: 'clave-larga-1',
    termsAccepted: true,
    // The version of the terms shown beside the checkbox.
    termsVersion: '2026-11',
  });
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  await expect.poll(here).toBe('/login');
  expect(state()).toEqual({ email: 'libre@correo.mx' });
  // 'Back' does not return to a form that was sent.
  expect(arrival()).toBe('replaceState');
});

test('terms that changed in the meantime must be ticked again; nothing else has to be retyped', async () => {
  terms = ok({ ...TERMS, isTemplate: false });
  insert = refuse(409, 'TERMS_CHANGED', { facts: { version: '2026-12' } });
  const { user } = await fill('libre@correo.mx');
  const box = screen.getByRole<HTMLInputElement>('checkbox');
  await user.click(box);
  await user.click(submit());
  expect(
    await screen.findByText(
      'Los términos cambiaron. Ahora es la versión 2026-12. Léela y vuelve a marcar la casilla.',
    ),
  ).toBeTruthy();
  expect(screen.getByText(/Términos en su versión 2026-12/)).toBeTruthy();
  expect([box.checked, document.activeElement === box]).toEqual([false, true]);
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('clave-larga-1');
  insert = ok({ id: 8 });
  await user.click(box);
  await user.click(submit());
  await screen.findByRole('alertdialog', { name: 'Registro exitoso!' });
  expect(inserts().at(-1)?.body).toMatchObject({ termsAccepted: true, termsVersion: '2026-12' });
});

test("a buyer with an account is led to '/', where they sign in; one without reads what comes next", async () => {
  await fill('libre@correo.mx');
  expect(screen.getByText(/^Crea tu cuenta, escanea el código QR .* entra y paga\.$/)).toBeTruthy();
  expect(screen.getByRole('link', { name: /Entra aquí/ }).getAttribute('href')).toBe('/');
});

test('both texts open in another tab; if one fails to load, sign-up still works', async () => {
  terms = 'no network';
  const { user } = await fill('libre@correo.mx');
  for (const [name, href] of [
    ['términos', '/terminos'],
    ['aviso de privacidad', '/privacidad'],
  ] as const) {
    const link = screen.getByRole('link', { name });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([href, '_blank']);
  }
  await user.click(screen.getByRole('checkbox', { name: 'Acepto los términos y el aviso de privacidad' }));
  await user.click(submit());
  await screen.findByRole('alertdialog', { name: 'Registro exitoso!' });
  expect(inserts()[0]?.body).toMatchObject({ termsAccepted: true });
  expect(inserts()[0]?.body).not.toHaveProperty('termsVersion');
});

test('leaving a taken e-mail warns at once', async () => {
  const { user } = await fill('ocupada@correo.mx');
  await user.tab();
  const alert = await screen.findByRole('alertdialog', { name: 'Busqueda de informacion!' });
  expect(alert.textContent).toContain('El Email ya existe!');
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByLabelText('Correo').getAttribute('aria-invalid')).toBe('true');
});

test('submitting a taken e-mail warns, creates nothing, and leads to login', async () => {
  const { user, here } = await fill('ocupada@correo.mx');
  await user.keyboard('{Enter}');
  const alert = await screen.findByRole('alertdialog', { name: 'Registro no exitoso!' });
  expect(alert.textContent).toContain('El Email ya existe!');
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  await expect.poll(here).toBe('/login');
  expect(inserts()).toHaveLength(0);
});

test('a fast submit waits for the look-up and never claims that a free e-mail exists', async () => {
  insert = ok({ id: 8 });
  slowLookup = Promise.withResolvers();
  const { user } = await fill('lenta@correo.mx');
  await user.click(submit());
  expect(screen.getByText('Loading...')).toBeTruthy();
  expect(inserts()).toHaveLength(0);
  slowLookup.resolve(ok({ id: 0 }));
  await screen.findByRole('alertdialog', { name: 'Registro exitoso!' });
  expect(inserts()).toHaveLength(1);
});

test('a form that was left while its look-up ran makes no account', async () => {
  slowLookup = Promise.withResolvers();
  const { user, unmount } = await fill('lenta@correo.mx');
  await user.click(submit());
  unmount();
  slowLookup.resolve(ok({ id: 0 }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(inserts()).toHaveLength(0);
});

test('while the account is being made nothing can be changed, and the button says so', async () => {
  const slowInsert = Promise.withResolvers<ReturnType<typeof ok>>();
  insert = () => slowInsert.promise;
  const { user } = await fill('libre@correo.mx');
  await user.click(submit());
  expect(submit().textContent).toContain('Loading...');
  for (const field of ['Nombre de usuario', 'Teléfono', 'Correo', 'Password']) {
    expect(screen.getByLabelText<HTMLInputElement>(field).matches(':disabled'), field).toBe(true);
  }
  slowInsert.resolve(ok({ id: 8 }));
  await screen.findByRole('alertdialog', { name: 'Registro exitoso!' });
});

test('a name and a telephone end where the server would refuse them', async () => {
  await fill('libre@correo.mx');
  const longest = ['Nombre de usuario', 'Teléfono'].map(
    (label) => screen.getByLabelText<HTMLInputElement>(label).maxLength,
  );
  expect(longest).toEqual([80, 30]);
});

test('a name that is a web address is refused here with its reason, and no account is made', async () => {
  const { user } = await fill('libre@correo.mx');
  const before = inserts().length;
  await user.type(screen.getByLabelText('Nombre de usuario'), ' http://evil.example');
  await user.click(submit());
  expect(await screen.findByText('Escribe tu nombre, sin direcciones de internet.')).toBeTruthy();
  expect(inserts()).toHaveLength(before);
});

/** The account is made, and the answer lost: asked again, the server knows the address. */
async function losesTheAnswer() {
  insert = 'no network';
  const shown = await fill('libre@correo.mx');
  await shown.user.click(submit());
  await screen.findByText(/No hay conexión/);
  insert = refuse(409, 'EMAIL_TAKEN');
  return shown;
}

test('an account that was made although its answer was lost is a success at the next press, and signs nobody in', async () => {
  signIn = { body: { ...ok({ ...marisol, token: 'of-the-new-account' }).body, status: 200 } };
  const { user, here } = await losesTheAnswer();
  await user.click(submit());
  await screen.findByRole('alertdialog', { name: 'Registro exitoso!' });
  expect(calls.find(({ path }) => path.endsWith('/Authenticate'))?.body).toEqual({
    user: 'libre@correo.mx',
    password: 'clave-larga-1',
  });
  expect(calls.find(({ path }) => path.endsWith('/Logout'))?.authorization).toBe('Bearer of-the-new-account');
  expect(sessionStorage.getItem('token')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  await expect.poll(here).toBe('/login');
});

test('an address that is taken after a lost answer, by another password, is not called a failure: it may be their account', async () => {
  signIn = refuse(401, 'WRONG_CREDENTIALS');
  const { user, here, state } = await losesTheAnswer();
  await user.click(submit());
  const alert = await screen.findByRole('alertdialog', { name: 'Puede que tu cuenta ya se haya creado.' });
  expect(alert.textContent).toContain('Entra con tu password o cámbialo.');
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  await expect.poll(here).toBe('/login');
  expect(state()).toEqual({ email: 'libre@correo.mx' });
});

test('a lost answer is of its own address: another that is taken is one that is taken', async () => {
  const { user } = await losesTheAnswer();
  const field = screen.getByLabelText('Correo');
  await user.clear(field);
  await user.type(field, 'muda@correo.mx');
  await user.click(submit());
  await screen.findByRole('alertdialog', { name: 'Registro no exitoso!' });
  expect(calls.some(({ path }) => path.endsWith('/Authenticate'))).toBe(false);
});

test('when the look-up fails the insert decides', async () => {
  insert = refuse(409, 'EMAIL_TAKEN');
  const { user } = await fill('muda@correo.mx');
  await user.click(submit());
  await screen.findByRole('alertdialog', { name: 'Registro no exitoso!' });
  expect(inserts()).toHaveLength(1);
});

test('an e-mail that is missing or too short is refused here, in the words of the spec', async () => {
  const { user } = await fill('');
  await user.click(submit());
  expect(screen.getByText('La descripcion es obligatorio')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Correo'));
  await user.type(screen.getByLabelText('Correo'), 'a@b');
  await user.click(submit());
  expect(screen.getByText('El nombre no puede ser menor a 4 caracteres')).toBeTruthy();
  expect(calls).toHaveLength(0);
});

test('an e-mail that no mailbox is spelt like is refused with its reason, on leaving it and on submit, and never looked up', async () => {
  const { user } = await fill('ñandú@correo.mx');
  await user.tab();
  const reason = 'Escribe tu correo completo, sin espacios, acentos ni ñ, por ejemplo nombre@correo.mx.';
  expect(await screen.findByText(reason)).toBeTruthy();
  await user.click(submit());
  expect(screen.getByText(reason)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Correo'));
  expect(calls).toHaveLength(0);
});

test('the version of a demonstration’s template is sent, and not shown', async () => {
  insert = ok({ id: 8 });
  terms = ok({ ...TERMS, version: 'plantilla-1', isTemplate: true });
  const { user } = await fill('libre@correo.mx');
  await user.click(screen.getByRole('checkbox'));
  await user.click(submit());
  await screen.findByRole('alertdialog', { name: 'Registro exitoso!' });
  expect(inserts()[0]?.body).toMatchObject({ termsVersion: 'plantilla-1' });
  expect(document.body.textContent).not.toContain('plantilla-1');
});

test('who leaves a password that is guessed first is told so before anything is sent', async () => {
  const { user } = await fill('libre@correo.mx', '');
  await user.type(screen.getByLabelText('Password'), 'México2026');
  await user.tab();
  expect(await screen.findByText(/Ese password es fácil de adivinar/)).toBeTruthy();
  await user.clear(screen.getByLabelText('Password'));
  await user.type(screen.getByLabelText('Password'), 'mi gato duerme');
  await user.tab();
  expect(screen.getByLabelText('Password').matches('[aria-invalid]')).toBe(false);
  expect(inserts()).toHaveLength(0);
});

test('a refused password stands in red under the form, and what was typed is still there', async () => {
  insert = refuse(422, 'PASSWORD_TOO_SHORT');
  const { user, here } = await fill('libre@correo.mx', 'corta');
  await user.click(submit());
  expect((await screen.findByRole('alert')).textContent).toContain('Escribe al menos 8 caracteres.');
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  expect(screen.getByLabelText('Correo')).toHaveProperty('value', 'libre@correo.mx');
  expect(here()).toBe('/buyerRegister');
});
