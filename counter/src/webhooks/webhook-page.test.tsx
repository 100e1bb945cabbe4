import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok, refuse } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import WebhookPage from './webhook-page.tsx';

const id = '6f2f6c0e-2a52-4f0a-9d0b-0c6d8a5f1e11';
const webhook = {
  id,
  url: 'https://pos.example.mx/aparta',
  state: 'on',
  since: '2026-11-20T16:15:00.000Z',
  bothUntil: null,
  waiting: 0,
};
let sent: object[];

fakeServer({
  'GET /v1/counter/webhooks': () => ok([webhook]),
  [`GET /v1/counter/webhooks/${id}/deliveries`]: () => ({
    body: { isSuccess: true, message: '', data: sent, next: null, total: sent.length },
  }),
  [`POST /v1/counter/webhooks/${id}/deliveries/${id}/resend`]: refuse(429, 'TOO_MANY'),
  [`POST /v1/counter/webhooks/${id}/test`]: () => {
    const test = { type: 'webhook.test', createdAt: '2026-11-22T18:30:00.000Z', problem: null };
    sent = [{ id, sequence: 1, outcome: 'delivered', tries: 1, ...test }];
    return ok(null);
  },
});

beforeEach(() => {
  sent = [];
  webhook.state = 'on';
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'owner' } });
});

const see = () =>
  show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <WebhookPage id={id} />
      </QueryClientProvider>
    </Router>,
    `/mostrador/avisos/${id}`,
  );

test('whoever comes to an address from the list is at its heading once it is read', async () => {
  const before = see();
  await screen.findByRole('heading', { level: 1 });
  before.unmount();
  see();
  const heading = await screen.findByRole('heading', { level: 1 });
  await expect.poll(() => document.activeElement).toBe(heading);
});

test('an owner sends an address a test without any money, sees that it arrived, and reads no more of what failed before', async () => {
  const { user } = see();
  await screen.findByText(/Todavía no hay avisos/);
  await user.click(screen.getByRole('button', { name: 'Enviar una prueba' }));
  const { textContent } = await screen.findByRole('listitem');
  expect(textContent).toMatch(/Prueba.*Entregado/);
  await user.click(screen.getByRole('button', { name: /^Enviar otra vez .*1$/ }));
  expect(await screen.findByText(/Demasiados intentos/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Enviar una prueba' }));
  await waitFor(() => expect(screen.queryByText(/Demasiados intentos/)).toBeNull());
});

test('an address that is off is sent no test', async () => {
  webhook.state = 'off';
  see();
  await screen.findByRole('button', { name: 'Encender' });
  expect(screen.queryByRole('button', { name: 'Enviar una prueba' })).toBeNull();
});
