import 'fake-indexeddb/auto';
import { show } from '@aparta/ui/testing/show.tsx';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  evaAtCounter as eva,
  fakeServer,
  luisAtCounter as luis,
  ok,
  refuse,
} from '../../../web/test/server.ts';
import { device } from '../session/device.ts';
import { SEEN } from '../session/seen.ts';
import { session } from '../session/session.ts';
import { App } from './routes.tsx';

const CODE = '21000482101';
const owed = (balance: number) => {
  const sum = { amount: balance, fills: [] };
  return ok({
    reference: CODE,
    kind: 'instalments',
    state: 'open',
    productName: 'Lavadora',
    pictures: null,
    buyer: 'Marisol R.',
    balance,
    fee: 0,
    late: false,
    expiresAt: null,
    nextDueOn: '2026-12-20',
    instalments: [{ number: 2, dueOn: '2026-12-20', amount: balance, balance }],
    next: sum,
    all: sum,
    minimum: 1,
    asked: null,
    purchaseId: 10004,
    owedBack: 0,
    lastPaid: null,
  });
};
let answer: ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
fakeServer({
  [`GET /v1/counter/references/${CODE}`]: () => answer,
  'GET /v1/counter/branches': () => (answer === 'no network' ? answer : ok(luis.branches)),
  'GET /v1/counter/device': () => 'no network',
  'POST /v1/counter/sign-out': ok(null),
});

beforeEach(() => {
  answer = owed(1_200);
  session.open(luis);
});
afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  document.documentElement.removeAttribute('data-kept');
  session.close();
  device.revoked();
  await vi.waitUntil(async () => (await indexedDB.databases()).length === 0);
});

const open = (path = `/cobro/${CODE}`) => show(<App />, `/mostrador${path}`);
const product = () => screen.findByText('Lavadora');
const taking = (sum: string) => screen.findByRole<HTMLButtonElement>('button', { name: `Cobrar ${sum}` });
const failed = () => screen.findByText('No pudimos buscarlo', {}, { timeout: 8_000 });
const SEEN_AT = /Esto lo viste el \d+ \w+ \d{4}, \d\d:\d\d h\. Puede haber cambiado\./;

const done = <T,>(request: IDBRequest<T>) =>
  new Promise<T | undefined>((resolve) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => resolve(undefined));
  });
/** Opening must not make a database, and a connection that stays would keep it from being deleted. */
async function kept(): Promise<string> {
  const request = indexedDB.open(SEEN);
  request.addEventListener('upgradeneeded', () => request.transaction?.abort());
  const database = await done(request);
  if (!database) return '';
  const rows = await done(database.transaction('queries').objectStore('queries').getAll());
  database.close();
  return JSON.stringify(rows);
}

/** A cashier saw what a code is of; then the network went, and they start anew. */
async function seen() {
  open();
  await product();
  await waitFor(async () => expect(await kept()).toContain('Lavadora'));
  cleanup();
  answer = 'no network';
}

test('what a cashier saw is shown without network with its time, and cannot be taken, until the server answers', async () => {
  await seen();
  document.documentElement.setAttribute('data-kept', '');
  open();
  await product();
  await screen.findByText('Sin internet no se cobra.');
  await screen.findByText(SEEN_AT);
  expect((await taking('$1,200.00')).disabled).toBe(true);
  answer = owed(900);
  fireEvent.click(screen.getByRole('button', { name: 'Volver a intentar' }));
  await waitFor(async () => expect((await taking('$900.00')).disabled).toBe(false));
  expect(screen.queryByText('Sin internet no se cobra.')).toBeNull();
});

test('a counter that opens without network says so before anything is asked for', async () => {
  document.documentElement.setAttribute('data-kept', '');
  open('/');
  await screen.findByText('Sin internet no se cobra.');
  expect(screen.queryByRole('link', { name: 'Entregar' })).toBeNull();
});

test.each([
  ['signed out', () => session.close()],
  ['was signed out by the server', () => session.died()],
  ['was followed by another', () => session.open(eva)],
])('nothing is left of who %s', async (_, leave) => {
  await seen();
  leave();
  await waitFor(async () => expect(await kept()).toBe(''));
  session.open(luis);
  open();
  await failed();
  expect(screen.queryByText('Lavadora')).toBeNull();
});

test('what the server refuses ends the session, is not shown from before, and is a word from it: there is network again', async () => {
  await seen();
  answer = refuse(401, 'SESSION_DEAD');
  document.documentElement.setAttribute('data-kept', '');
  open();
  await screen.findByLabelText('Correo');
  await waitFor(() => expect(screen.queryByText('Sin internet nadie puede entrar.')).toBeNull());
  expect(screen.queryByText('Lavadora')).toBeNull();
  await waitFor(async () => expect(await kept()).toBe(''));
});

test('a shared device that nobody touched shows nothing of it without network: nobody can give their PIN, and it says so', async () => {
  device.enrol('secret');
  session.open({ ...luis, isShared: true });
  await seen();
  document.documentElement.setAttribute('data-kept', '');
  localStorage.setItem('mostrador.touched', String(Date.now() - 3 * 60_000));
  open();
  await screen.findByText('Sin internet nadie puede entrar.');
  expect(screen.queryByText('Lavadora')).toBeNull();
  await waitFor(async () => expect(await kept()).toBe(''));
});

test.each([
  ['longer ago than a shift', 12.1, luis.expiresAt],
  ['before the session ended', 1, new Date(Date.now() + 60_000).toISOString()],
])('what was seen %s is not shown', async (_, hours, expiresAt) => {
  session.open({ ...luis, expiresAt });
  await seen();
  const now = Date.now() + hours * 3_600_000;
  vi.spyOn(Date, 'now').mockReturnValue(now);
  open();
  await failed();
  expect(screen.queryByText('Lavadora')).toBeNull();
  vi.restoreAllMocks();
});
