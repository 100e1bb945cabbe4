import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { pushBrowser } from '../../test/push-browser.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { session } from '../session/session.ts';
import PushSwitch from './pushes.tsx';

let ended: ReturnType<typeof ok> | ReturnType<typeof refuse>;
const calls = fakeServer({
  'GET /v1/Push': () => ok({ vapidKey: 'K' }),
  'PUT /v1/Push': () => ok(null),
  'POST /v1/Push/End': () => ended,
});
beforeEach(() => {
  ended = ok(null);
  session.open({ ...marisol, token: 't' });
});

function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <PushSwitch />
    </QueryClientProvider>,
  );
}
const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /Avisarme en este dispositivo/ });
const isOn = (checked: boolean) => waitFor(async () => expect((await box()).checked).toBe(checked));

test('the profile turns on and off what this browser is told', async () => {
  const browser = pushBrowser();
  const { user } = open();
  await isOn(false);
  await user.click(await box());
  await isOn(true);
  expect(browser.isOn).toBe(true);
  await user.click(await box());
  await isOn(false);
  expect(calls.at(-1)?.body).toEqual({ endpoint: 'https://push.example/1' });
  expect(browser.isOn).toBe(false);
});

test('what could not be turned off stays on', async () => {
  pushBrowser({ isOn: true });
  ended = refuse(503, 'UNAVAILABLE');
  const { user } = open();
  await isOn(true);
  await user.click(await box());
  await screen.findByRole('alert');
  await isOn(true);
  expect(calls.at(-1)?.path).toBe('/v1/Push/End');
});

test('a browser that was told no says where to change it', async () => {
  const browser = pushBrowser();
  browser.notification.permission = 'denied';
  open();
  expect(await screen.findByText(/ajustes de este sitio/)).toBeDefined();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a question that its owner closed without an answer leaves it off, and can be asked again', async () => {
  pushBrowser({ answer: 'default' });
  const { user } = open();
  await isOn(false);
  await user.click(await box());
  await isOn(false);
  expect(calls.map(({ method }) => method)).toEqual(['GET']);
});

test('who has just asked for it and told the browser no hears where to change it', async () => {
  pushBrowser({ answer: 'denied' });
  const { user } = open();
  await user.click(await box());
  expect((await screen.findByRole('alert')).textContent).toContain('ajustes de este sitio');
});
