import { show } from '@aparta/ui/testing/show.tsx';
import { centavos } from '@aparta/domain/money';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeServer, ok, refuse } from '../../test/server.ts';
import HelpLinksSheet from './help-links-sheet.tsx';

const LINK = '7b1c3d54-0000-4000-8000-00000000000b';
const link = (given: object = {}) => ({
  linkId: LINK,
  helpCode: 'codigo-1',
  helpMessage: 'Para la sala',
  goal: 800,
  helpState: 'live',
  createdAt: '2026-11-20T18:00:00.000Z',
  expiresAt: '2026-12-20T18:00:00.000Z',
  helped: 500,
  helps: [{ helperName: 'Tía Marta', amount: 500, paidAt: '2026-11-21T18:00:00.000Z' }],
  ...given,
});

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
const server = {
  list: (): Answer => ok([]),
  make: (): Answer => ok([link({ helped: 0, helps: [] })]),
  end: (): Answer => ok([link({ helpCode: null, helpState: 'revoked' })]),
};
const fresh = { ...server };
const calls = fakeServer({
  'GET /v1/Sales/HelpLinksAsync/501': () => server.list(),
  'POST /v1/Sales/HelpLinkAsync/501': () => server.make(),
  'PUT /v1/Sales/HelpLinkRevokeAsync/501': () => server.end(),
});
beforeEach(() => void Object.assign(server, fresh));

function open(given: Partial<Parameters<typeof HelpLinksSheet>[0]['purchase']> = {}) {
  const purchase = { id: 501, product: 'Sala', owed: centavos(240_000), status: 'active' as const, ...given };
  return show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <HelpLinksSheet purchase={purchase} onClose={() => {}} />
    </QueryClientProvider>,
  );
}

test('a buyer makes a link with a message and a goal, and shares what stands behind the #', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  const { user } = open();
  await user.type(await screen.findByLabelText('Tu mensaje'), 'Para la sala');
  await user.type(screen.getByLabelText('Meta en pesos'), '$800');
  await user.click(screen.getByRole('button', { name: 'Crear enlace' }));
  await user.click(await screen.findByRole('button', { name: /^Mandar por WhatsApp/ }));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    helpMessage: 'Para la sala',
    goal: 800,
  });
  const address = String(opened.mock.calls[0]?.[0]);
  expect(address).toMatch(/^https:\/\/wa\.me\/\?text=/);
  expect(decodeURIComponent(address)).toContain('/ayudar#codigo-1');
  opened.mockRestore();
});

test('pressed again after its answer was lost, the link that was made is shown, and no second one is made', async () => {
  const { user } = open();
  await user.type(await screen.findByLabelText('Tu mensaje'), 'Para la sala');
  await user.type(screen.getByLabelText('Meta en pesos'), '800');
  server.make = () => 'no network';
  await user.click(screen.getByRole('button', { name: 'Crear enlace' }));
  await screen.findByText(/No hay conexión/);
  server.list = () => ok([link({ helped: 0, helps: [] })]);
  await user.click(screen.getByRole('button', { name: 'Crear enlace' }));
  await expect.poll(() => document.activeElement?.textContent).toContain('Para la sala');
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('pressed again after it never arrived, the link is made', async () => {
  const { user } = open();
  await user.type(await screen.findByLabelText('Tu mensaje'), 'Para la sala');
  server.make = () => 'no network';
  await user.click(screen.getByRole('button', { name: 'Crear enlace' }));
  await screen.findByText(/No hay conexión/);
  server.make = fresh.make;
  await user.click(screen.getByRole('button', { name: 'Crear enlace' }));
  expect(await screen.findByRole('heading', { name: 'Para la sala' })).toBeDefined();
});

test('a link that was copied is said to be', async () => {
  server.list = () => ok([link()]);
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Copiar enlace «Para la sala»' }));
  const said = () => screen.getAllByRole('status').map((status) => status.textContent);
  await expect.poll(said).toContain('Enlace copiado');
});

test('a buyer reads, before a link is made, all that whoever opens it sees', async () => {
  open();
  const said = (await screen.findByText(/^Quien lo abre ve /)).textContent;
  const shown = /^Quien lo abre ve (.*?)\. Nunca/.exec(said)?.[1];
  expect(shown?.split(/, | y /)).toEqual([
    'tu primer nombre',
    'el producto',
    'la tienda',
    'tu mensaje',
    'tu meta',
    'cuánto falta por pagar',
  ]);
});

test('a goal beyond what is left is not sent', async () => {
  const { user } = open();
  await user.type(await screen.findByLabelText('Meta en pesos'), '2400.01');
  await user.click(screen.getByRole('button', { name: 'Crear enlace' }));
  screen.getByText('Escribe una cantidad de $1.00 a $2,400.00, o déjala vacía. Los centavos van con punto.');
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});

test('the buyer reads who gave how much and when, and ends the link by one more press', async () => {
  server.list = () => ok([link()]);
  const { user } = open();
  const card = (await screen.findByRole('heading', { name: 'Para la sala' })).closest('li') as HTMLElement;
  within(card).getByText('Tía Marta dio $500.00');
  within(card).getByText('21 nov 2026');
  within(card).getByRole('progressbar', { name: 'Llevas $500.00 de $800.00' });
  await user.click(within(card).getByRole('button', { name: /^Terminar enlace/ }));
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  await user.click(within(card).getByRole('button', { name: 'Sí, terminar' }));
  await screen.findByText('Lo terminaste');
  screen.getByText('Te dieron $500.00. Para la sala');
});

test('who asks for another link types its message at once: the form comes above the button', async () => {
  server.list = () => ok([link()]);
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Crear otro enlace' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Tu mensaje'));
});

test('beside three links there is no fourth, and another tab’s third is said', async () => {
  server.list = () => ok([1, 2, 3].map((n) => link({ linkId: LINK.replace(/b$/, String(n)) })));
  open();
  await screen.findByText('Ya tienes 3 enlaces activos.');
  expect(screen.queryByRole('button', { name: 'Crear otro enlace' })).toBeNull();
});

test.each([
  ['TOO_MANY_LINKS', 'Ya tienes tres enlaces activos.'],
  ['PURCHASE_SETTLED', 'Esta compra ya está liquidada.'],
  ['PURCHASE_CANCELLED', 'Esta compra'],
])('refused with %s, the sheet says why and keeps what was typed', async (code, sentence) => {
  server.make = () => refuse(409, code);
  const { user } = open();
  await user.type(await screen.findByLabelText('Tu mensaje'), 'Para la sala');
  await user.click(screen.getByRole('button', { name: 'Crear enlace' }));
  expect((await screen.findByRole('alert')).textContent).toContain(sentence);
  expect(screen.getByLabelText<HTMLInputElement>('Tu mensaje').value).toBe('Para la sala');
});

test.each([
  ['cancelled', 'Esta compra ya no se puede pagar.'],
  ['paid_off', '¡Ya está pagada!'],
] as const)('of a purchase that is %s nobody makes a link', async (status, sentence) => {
  server.list = () => ok([link({ helpCode: null, helpState: 'expired' })]);
  open({ status, owed: centavos(0) });
  await screen.findByText(sentence);
  screen.getByText('Venció');
  expect(screen.queryByRole('button', { name: 'Crear enlace' })).toBeNull();
});

test('without a network the links can be asked for again', async () => {
  server.list = () => 'no network';
  const { user } = open();
  await screen.findByText('No pudimos cargar tus enlaces');
  server.list = () => ok([link()]);
  await user.click(screen.getByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('Tía Marta dio $500.00')).toBeDefined();
});
