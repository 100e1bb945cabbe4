import 'fake-indexeddb/auto';
import { show } from '@aparta/ui/testing/show.tsx';
import { openCache } from '@aparta/browser/query-cache.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { promisifyRequest } from 'idb-keyval';
import { Route } from 'wouter';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pushBrowser } from '../../test/push-browser.ts';
import { receiptThat } from '../../test/receipt.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import PushSwitch from '../account/pushes.tsx';
import ReceiptPage from '../purchases/receipt-page.tsx';
import { receiptQuery } from '../data/receipts.ts';
import { shownCashReference } from '../session/cash-reference.ts';
import { session } from '../session/session.ts';
import { SEEN } from '../session/seen.ts';
import SeenNotice from './seen-notice.tsx';

const RECEIPT = receiptThat({ folio: 'A7K2993104' });
type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
let receipt: Answer;
const calls = fakeServer({
  [`GET /v1/Receipts/GetAsync/${RECEIPT.folio}`]: () => receipt,
  'GET /v1/Push': ok({ vapidKey: 'K' }),
  'PUT /v1/Push': ok(null),
});

beforeEach(() => {
  receipt = ok(RECEIPT);
  session.open({ ...marisol, token: 't' });
});
afterEach(async () => {
  cleanup();
  document.documentElement.removeAttribute('data-kept');
  localStorage.clear();
  session.close();
  await vi.waitUntil(async () => (await indexedDB.databases()).length === 0);
});

/** A receipt's screen in a tab of its own. */
function open() {
  const queries = openCache();
  show(
    <QueryClientProvider client={queries}>
      <SeenNotice />
      <Route path="/recibo/:folio">
        <ReceiptPage />
      </Route>
    </QueryClientProvider>,
    `/recibo/${RECEIPT.folio}`,
  );
  return queries;
}

const folio = 'A7K2 9931 04';
const failed = () => screen.findByText('No pudimos cargar tu recibo', {}, { timeout: 6_000 });
/** The names of what is kept. Opening must not make a database, and a connection that stays would keep it from being deleted. */
async function kept(): Promise<IDBValidKey[]> {
  const request = indexedDB.open(SEEN);
  request.onupgradeneeded = () => request.transaction?.abort();
  const database = await promisifyRequest(request).catch(() => undefined);
  if (!database) return [];
  const keys = await promisifyRequest(database.transaction('queries').objectStore('queries').getAllKeys());
  database.close();
  return keys;
}

/** It was seen here, and the network is gone. */
async function seen() {
  const queries = open();
  await screen.findByText(folio);
  expect(screen.queryByText(/Sin internet/)).toBeNull();
  await waitFor(async () => expect(await kept()).toHaveLength(1));
  receipt = 'no network';
  return queries;
}

test('what was seen shows without internet, with when that was, until the network brings it anew', async () => {
  await seen();
  cleanup();
  const queries = open();
  await screen.findByText(folio);
  await screen.findByText(/^Sin internet\. Visto el \d+ \w+ \d{4}, \d\d:\d\d h\.$/);
  receipt = ok({ ...RECEIPT, productName: 'Otra cosa' });
  await queries.refetchQueries({ type: 'active' });
  await screen.findByText('Otra cosa');
  expect(screen.queryByText(/Sin internet/)).toBeNull();
});

test('what stands on the screen says how old it is as soon as the network is gone', async () => {
  const queries = await seen();
  void queries.refetchQueries({ type: 'active' });
  await screen.findByText(/^Sin internet\. Visto el/);
  expect(screen.getByText(folio)).toBeTruthy();
});

test('what the server refuses is not shown from before', async () => {
  await seen();
  cleanup();
  receipt = refuse(404, 'NOT_FOUND');
  open();
  await screen.findByText('No encontramos este recibo');
  expect(screen.queryByText(folio)).toBeNull();
});

test.each([
  ['signs out', () => session.close()],
  ['was signed out by the server', () => session.died('/')],
  ['changed their password', () => session.end()],
])('nothing is left of who %s, and a tab that is still open keeps nothing more', async (_, leave) => {
  const queries = await seen();
  leave();
  await waitFor(async () => expect(await kept()).toEqual([]));
  expect(JSON.stringify({ ...localStorage })).not.toContain('Marisol');
  queries.setQueryData(receiptQuery('0000000000').queryKey, {} as never);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await kept()).toEqual([]);
});

test('another buyer of the same device sees nothing of it, nor after they have left', async () => {
  await seen();
  cleanup();
  session.open({ ...marisol, id: 8, userName: 'Otro', token: 'u' });
  open();
  await failed();
  expect(screen.queryByText(folio)).toBeNull();
  await waitFor(async () => expect(await kept()).toEqual([]));
});

describe('what the next buyer of the device saw', () => {
  /** Marisol's tab is still open; the other buyer has signed in, and seen a receipt, in one of their own. */
  async function seenByAnother() {
    const tab = { ...sessionStorage };
    session.open({ ...marisol, id: 8, userName: 'Otro', token: 'u' });
    await seen();
    cleanup();
    for (const [key, value] of Object.entries(tab)) sessionStorage.setItem(key, value);
  }

  test.each([
    ['ends by itself', () => session.died('/')],
    ['ends with a logout', () => session.close()],
    ['ends with a change of password', () => session.end()],
  ])('stays when the session of the one before %s', async (_, leave) => {
    await seenByAnother();
    shownCashReference.save(marisol.id, 3, {});
    leave();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([session.user(), (await kept()).length]).toEqual([undefined, 1]);
    // What was left of the one before is gone all the same.
    expect(shownCashReference.of(marisol.id, 3)).toBeUndefined();
    session.open({ ...marisol, id: 8, userName: 'Otro', token: 'u' });
    open();
    await screen.findByText(folio);
  });

  test('goes with their own session, whoever was there before', async () => {
    await seenByAnother();
    session.died('/');
    session.open({ ...marisol, id: 8, userName: 'Otro', token: 'u' });
    shownCashReference.save(8, 3, {});
    session.died('/');
    await waitFor(async () => expect(await kept()).toEqual([]));
    expect(shownCashReference.of(8, 3)).toBeUndefined();
  });
});

describe('a browser that tells of one buyer’s money', () => {
  const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /Avisarme en este dispositivo/ });
  const onProfile = () => {
    show(
      <QueryClientProvider client={openCache()}>
        <PushSwitch />
      </QueryClientProvider>,
    );
  };
  /** Marisol turned it on, and did not sign out before the session ended. */
  async function told() {
    const browser = pushBrowser();
    onProfile();
    (await box()).click();
    await waitFor(() => expect(browser.isOn).toBe(true));
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
    cleanup();
    session.died('/');
    calls.length = 0;
    return browser;
  }

  test('tells another who signs in there nothing of it', async () => {
    const browser = await told();
    session.open({ ...marisol, id: 8, userName: 'Otro', token: 'u' });
    open();
    await waitFor(() => expect(browser.isOn).toBe(false));
    cleanup();
    onProfile();
    expect((await box()).checked).toBe(false);
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('is not turned on for another who opens their profile first', async () => {
    const browser = await told();
    session.open({ ...marisol, id: 8, userName: 'Otro', token: 'u' });
    onProfile();
    await waitFor(async () => expect((await box()).checked).toBe(false));
    expect(browser.isOn).toBe(false);
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('goes on for the same buyer who signs in again', async () => {
    const browser = await told();
    session.open({ ...marisol, token: 'u' });
    open();
    await screen.findByText(folio);
    cleanup();
    onProfile();
    await waitFor(async () => expect((await box()).checked).toBe(true));
    expect(browser.isOn).toBe(true);
  });
});

test('only what was seen in the last thirty days shows, and at most sixty answers are kept', async () => {
  const queries = await seen();
  const { queryKey } = receiptQuery(RECEIPT.folio);
  const days = (count: number) => Date.now() - count * 24 * 60 * 60_000;
  const data = queries.getQueryData(queryKey);
  queries.setQueryData(queryKey, data, { updatedAt: days(31) });
  for (let made = 0; made < 70; made += 1)
    queries.setQueryData(receiptQuery(`R${100 + made}`).queryKey, data, { updatedAt: days(1) });
  await waitFor(async () => expect(await kept()).toHaveLength(71));
  cleanup();
  open();
  await failed();
  await waitFor(async () => expect(await kept()).toHaveLength(60));
});

test('a tab that was opened without network shows it to who holds the device, by name alone, while nobody signed out', async () => {
  await seen();
  cleanup();
  sessionStorage.clear();
  expect(session.user()).toBeUndefined();
  document.documentElement.setAttribute('data-kept', '');
  expect(session.user()).toMatchObject({ id: marisol.id, userName: marisol.userName, user: '', phone: '' });
  expect(session.token()).toBeUndefined();
  open();
  await screen.findByText(folio);
  await screen.findByText(/^Sin internet\. Visto el/);
  session.close();
  expect(session.user()).toBeUndefined();
});

test('where the browser forbids to keep anything, the screen is as it always was', async () => {
  const forbidden = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  open();
  await screen.findByText(folio);
  cleanup();
  receipt = 'no network';
  open();
  expect(await failed()).toBeTruthy();
  forbidden.mockRestore();
});
