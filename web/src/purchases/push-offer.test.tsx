import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { pushBrowser } from '../../test/push-browser.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { endSession } from '../data/end-session.ts';
import { session } from '../session/session.ts';
import PushOffer from './push-offer.tsx';

let key: ReturnType<typeof ok>;
let saved: ReturnType<typeof ok> | ReturnType<typeof refuse>;
const calls = fakeServer({
  'GET /v1/Push': () => key,
  'PUT /v1/Push': () => saved,
  'POST /v1/Push/End': ok(null),
  'POST /v1/TokenBuyer/Logout': ok(null),
});
beforeEach(() => {
  key = ok({ vapidKey: 'K' });
  saved = ok(null);
  localStorage.clear();
  session.open({ ...marisol, token: 't' });
});

function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <PushOffer />
      <p>después</p>
    </QueryClientProvider>,
  );
}
const press = (name: string) => screen.findByRole('button', { name });
const puts = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);

test('one sentence asks, and the browser itself only after a press; then this browser is told', async () => {
  const browser = pushBrowser();
  const { user } = open();
  const button = await press('Avisarme aquí');
  expect(browser.notification.permission).toBe('default');
  await user.click(button);
  expect((await screen.findByRole('status')).textContent).toContain('Listo: te avisamos');
  expect(puts()).toEqual([{ endpoint: 'https://push.example/1', p256dh: 'B', auth: 'A' }]);
});

test('whoever does not want it now is not asked again', async () => {
  pushBrowser();
  const { user } = open();
  await user.click(await press('Ahora no'));
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  open();
  await waitFor(() => expect(calls.length).toBe(2));
  expect(screen.queryByRole('button')).toBeNull();
});

test('a browser whose owner says no says that emails still come', async () => {
  pushBrowser({ answer: 'denied' });
  const { user } = open();
  await user.click(await press('Avisarme aquí'));
  expect((await screen.findByRole('status')).textContent).toContain('Te seguimos avisando por correo');
  expect(puts()).toEqual([]);
});

test('what the server did not take is said, and can be tried again', async () => {
  pushBrowser();
  saved = refuse(422, 'PUSH_NOT_TAKEN');
  const { user } = open();
  await user.click(await press('Avisarme aquí'));
  expect((await screen.findByRole('alert')).textContent).toContain('No podemos avisarte');
  saved = ok(null);
  await user.click(await press('Avisarme aquí'));
  await screen.findByRole('status');
});

test('nothing is asked where nothing can be pushed', async () => {
  open();
  expect(calls).toEqual([]);
  cleanup();
  pushBrowser();
  key = ok({ vapidKey: null });
  open();
  await waitFor(() => expect(calls.length).toBe(1));
  expect(screen.queryByRole('button')).toBeNull();
});

test('a browser that is told already says so to the server again and asks nothing', async () => {
  pushBrowser({ isOn: true });
  open();
  await waitFor(() => expect(puts()).toHaveLength(1));
  expect(screen.queryByRole('button')).toBeNull();
});

test('a browser that was told by the worker of one screen is told by the app’s from then on', async () => {
  const browser = pushBrowser({ wasOn: true });
  open();
  await waitFor(() => expect(browser.wasOn).toBe(false));
  expect(browser.isOn).toBe(true);
  expect(puts()).toContainEqual({ endpoint: 'https://push.example/1', p256dh: 'B', auth: 'A' });
  expect(calls.find(({ path }) => path === '/v1/Push/End')?.body).toEqual({
    endpoint: 'https://push.example/0',
  });
  expect(screen.queryByRole('button')).toBeNull();
});

test('logging out lets the browser forget what it was to be told', async () => {
  const browser = pushBrowser({ isOn: true });
  endSession();
  await waitFor(() => expect(browser.isOn).toBe(false));
});
