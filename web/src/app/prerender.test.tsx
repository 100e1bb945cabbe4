import '@aparta/ui/testing/show.tsx';
import { type BoundFunctions, type queries, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { documents, renderFrames, renderPublicPages, renderRefused } from './prerender.tsx';
import { framed } from './routes.tsx';

const modules = import.meta.glob<{ default: unknown }>('../*/*-page.tsx');

test.each(Object.entries(documents))(
  'the document of /%s brings the screen that its address opens, and nothing else',
  async (segment, source) => {
    const screen = framed[segment.toLowerCase()];
    const module = modules[source.replace(/^src\/(app\/)?/, (_, here) => (here ? './' : '../'))];
    expect((await screen?.load())?.default).toBe((await module?.())?.default);
  },
);

test('every screen that waits for its code has a document that brings it', () => {
  const segments = Object.keys(documents).map((segment) => segment.toLowerCase());
  expect(Object.keys(framed).toSorted()).toEqual(segments.toSorted());
});

test("the address of a product's link shows whose it is before any script has run, and waits for no screen", () => {
  const home = renderFrames().find(({ file }) => file === 'index.html');
  expect(home?.html).toContain('Aparta');
  expect(home?.html).not.toContain('<main');
  expect(home?.modules).toEqual([]);
});

/** A page as a browser without scripts has it. */
function open(html: string): BoundFunctions<typeof queries> {
  document.body.innerHTML = html;
  return within(document.body);
}

const REFUSED = { isSuccess: false, message: '', data: null };

test('a wrong password that was sent before scripts ran is said on the page, with the email still there', async () => {
  const page = open(
    await renderRefused({
      path: '/login',
      typed: { user: 'ana@example.mx' },
      status: 401,
      retryAfter: null,
      body: { ...REFUSED, code: 'WRONG_CREDENTIALS' },
    }),
  );
  expect(page.getByRole('alert').textContent).toBe('Correo o Password Incorrecto!');
  expect(page.getByLabelText<HTMLInputElement>('Correo').value).toBe('ana@example.mx');
  expect(page.getByRole('button', { name: 'Login' })).toHaveProperty('disabled', false);
});

test('an email that is taken is said in the words of the alert, and what else was typed stays', async () => {
  const page = open(
    await renderRefused({
      path: '/buyerregister',
      typed: { user: 'ana@example.mx', userName: 'Ana', phone: '', terms: 'on' },
      status: 409,
      retryAfter: null,
      body: { ...REFUSED, code: 'EMAIL_TAKEN' },
    }),
  );
  expect(page.getByRole('alert').textContent).toBe('Registro no exitoso! El Email ya existe!');
  expect(page.getByLabelText<HTMLInputElement>('Nombre de usuario').value).toBe('Ana');
  expect(page.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});

test('an address that is too short is told so in the words of the app, not of the server', async () => {
  const page = open(
    await renderRefused({
      path: '/buyerregister',
      typed: { user: 'abc', terms: 'on' },
      status: 422,
      retryAfter: null,
      body: { ...REFUSED, code: 'INVALID_INPUT', fields: { user: ['format'] } },
    }),
  );
  expect(page.getByText('El nombre no puede ser menor a 4 caracteres')).toBeDefined();
});

test('too many tries say how long to wait', async () => {
  const page = open(
    await renderRefused({
      path: '/resetyourpassword',
      typed: { email: 'ana@example.mx' },
      status: 429,
      retryAfter: '90',
      body: { ...REFUSED, code: 'TOO_MANY' },
    }),
  );
  expect(page.getByRole('alert').textContent).toContain('Podrás intentarlo en 2 minutos.');
});

test('login says what was just done, whoever came without scripts', async () => {
  const pages = await renderPublicPages();
  const said = (file: string) =>
    open(pages.find((page) => page.file === file)?.html ?? '').getByRole('alert').textContent;
  expect(said('login.registro.html')).toBe('Registro exitoso! Cuenta creada!');
  expect(said('login.correo.html')).toBe(
    'Correo enviado! Se envio el correo con el link de cambio de password!',
  );
});

test('the list of purchases begins in its document, waiting, and neither a filtered one nor the statement does', () => {
  const frames = new Map(renderFrames().map(({ file, html }) => [file, html]));
  const list = open(frames.get('cxcList.html') ?? '');
  const title = list.getByRole('heading', { level: 1, hidden: true });
  expect(title.textContent).toBe('Listado de compras en Aparta');
  expect(list.getByLabelText('Cargando tus compras')).toBeDefined();
  for (const query of ['filtro', 'cuenta']) expect(frames.get(`cxcList.${query}.html`)).not.toContain('<h1');
});

test("the wizard's first step is in its document, and its later steps are not", () => {
  const frames = new Map(renderFrames().map(({ file, html }) => [file, html]));
  expect(
    open(frames.get('apartado.html') ?? '').getByRole('heading', { level: 1, hidden: true }),
  ).toBeDefined();
  expect(frames.get('apartado.paso.html')).not.toContain('<h1');
});
