import { show } from '@aparta/ui/testing/show.tsx';
import { cleanup, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, ok, refuse } from '../../test/server.ts';
import { legalBlocks } from './legal-body.ts';
import LegalPage from './legal-page.tsx';

const TEXT = {
  kind: 'privacy',
  version: '2026-11',
  body: '# Aviso integral\n\nQuién <b>responde</b>\npor tus datos.\n\n# Datos\n- Nombre\n- Correo\n  o teléfono\n',
  publishedAt: '2026-11-01T18:00:00Z',
  isTemplate: false,
};

let answer: ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
const calls = fakeServer({ 'GET /v1/Legal/GetAsync/privacy': () => answer });
beforeEach(() => {
  answer = ok(TEXT);
});

test('reads headings, paragraphs and lists', () => {
  expect(legalBlocks(TEXT.body)).toEqual([
    { kind: 'heading', text: 'Aviso integral' },
    { kind: 'paragraph', text: 'Quién <b>responde</b> por tus datos.' },
    { kind: 'heading', text: 'Datos' },
    { kind: 'list', items: ['Nombre', 'Correo o teléfono'] },
  ]);
});

test('the text in force, under its own title, with version and date; HTML in it stays text', async () => {
  show(<LegalPage kind="privacy" />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Aviso integral' })).toBeTruthy();
  expect(screen.getByText('Versión 2026-11, publicada el 1 de noviembre de 2026.')).toBeTruthy();
  expect(screen.getByText('Quién <b>responde</b> por tus datos.')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Nombre',
    'Correo o teléfono',
  ]);
  expect(screen.queryByText(/texto de ejemplo/)).toBeNull();
});

test('a text that came with the document is there at once and asked for no more; another kind is', async () => {
  const came = { ...TEXT, body: '# Del documento\n\nHola.' };
  show(<LegalPage kind="privacy" block={ok(came).body} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Del documento');
  cleanup();
  show(<LegalPage kind="privacy" block={ok({ ...came, kind: 'terms' }).body} />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Aviso integral' })).toBeTruthy();
  expect(calls).toHaveLength(1);
});

test('the example says that it is one', async () => {
  answer = ok({ ...TEXT, isTemplate: true });
  show(<LegalPage kind="privacy" />);
  expect(await screen.findByText(/texto de ejemplo/)).toBeTruthy();
});

test.each([
  [refuse(404, 'NOT_FOUND'), /Todavía no está publicado/],
  ['no network' as const, /Revisa tu internet/],
])('without a text it says why, and can be tried again', async (failure, words) => {
  answer = failure;
  const { user } = show(<LegalPage kind="privacy" />);
  expect(await screen.findByText(words)).toBeTruthy();
  answer = ok(TEXT);
  await user.click(screen.getByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText(/Versión 2026-11/)).toBeTruthy();
});
