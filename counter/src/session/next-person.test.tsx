import { listBranches } from '@aparta/contract/counter-branches';
import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { Router } from 'wouter';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  evaAtCounter as eva,
  fakeServer,
  luisAtCounter as luis,
  ok,
  refuse,
} from '../../../web/test/server.ts';
import { App } from '../app/routes.tsx';
import { call } from '../data/call.ts';
import { enterByPin, thisDeviceQuery } from '../data/devices.ts';
import { take } from '../data/payments.ts';
import { signOut } from '../data/sessions.ts';
import DevicePage from '../devices/device-page.tsx';
import { device } from './device.ts';
import { session } from './session.ts';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse>;
let answer: () => Answer | Promise<Answer>;
let asDevice: () => Answer;
/** What signing out is answered, in this order. */
let left: (Answer | 'no network')[];
const calls = fakeServer({
  'POST /v1/counter/sign-out': () => left.shift() ?? ok(null),
  'POST /v1/counter/payments': () => answer(),
  'GET /v1/counter/branches': () => answer(),
  'POST /v1/counter/device/sign-in': () => answer(),
  'GET /v1/counter/device': () => asDevice(),
});
const sent = (end: string) =>
  calls.filter(({ path }) => path.endsWith(end)).map(({ authorization }) => authorization);

const busy = refuse(503, 'BUSY', {}, { 'Retry-After': '0' });
const PAYMENT = {
  id: '6f0f5c1e-0000-4000-8000-000000000008',
  branchId: 1,
  reference: '21000482101',
  amount: 1200,
  method: 'cash',
} as const;
const DEVICE = {
  id: '6f0f5c1e-0000-4000-8000-000000000077',
  name: 'Azul',
  branch: { id: 1, name: 'Centro' },
  tradeName: 'Muebles',
  people: [luis, eva].map(({ position: { positionId, name } }) => ({
    positionId,
    name,
    hasPin: true,
    isLocked: false,
  })),
};

/** The one before leaves, and the next one signs in. */
function change() {
  session.close();
  session.open(eva);
}
beforeEach(() => {
  left = [];
  asDevice = () => ok(DEVICE);
  session.open(luis);
});
afterEach(() => {
  session.close();
  localStorage.clear();
});

test('a payment that a busy server put off is not made in the name of whoever has signed in since', async () => {
  answer = () => {
    change();
    return busy;
  };
  await expect(take(PAYMENT)).rejects.toMatchObject({ failure: { code: 'BUSY' } });
  expect(sent('/payments')).toEqual(['Bearer t']);
});

test('a busy server is told again whose session ends, and not to end the next person’s', async () => {
  left = [busy];
  signOut();
  session.open(eva);
  await waitFor(() => expect(sent('/sign-out')).toEqual(['Bearer t', 'Bearer t']));
  expect(session.token()).toBe('e');
});

test('a session that ended without a network ends on the server when there is one again, whoever is in by then', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  try {
    left = ['no network'];
    signOut();
    session.open(eva);
    await waitFor(() => expect(left).toEqual([]));
    expect(sent('/sign-out')).toEqual(['Bearer t']);
    online.mockReturnValue(true);
    await waitFor(() => {
      dispatchEvent(new Event('online'));
      expect(sent('/sign-out')).toEqual(['Bearer t', 'Bearer t']);
    });
    expect(session.token()).toBe('e');
  } finally {
    online.mockRestore();
  }
});

test('a server that does not answer is told later whose session ends, until it is dead', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    left = [refuse(502, 'INTERNAL'), refuse(401, 'SESSION_DEAD')];
    signOut();
    await waitFor(() => expect(left).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(31_000));
    await waitFor(() => expect(left).toEqual([]));
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect(sent('/sign-out')).toEqual(['Bearer t', 'Bearer t']);
  } finally {
    vi.useRealTimers();
  }
});

test('while a PIN is checked nobody else begins, and one that is answered late opens nothing over who is in', async () => {
  session.close();
  device.enrol('s');
  const answered = Promise.withResolvers<void>();
  answer = async () => {
    await answered.promise;
    return ok({ ...luis, isShared: true });
  };
  const { user } = show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <DevicePage />
      </QueryClientProvider>
    </Router>,
    '/mostrador/',
  );
  await user.click(await screen.findByRole('button', { name: /Luis/ }));
  await user.keyboard('123456');
  await waitFor(() => expect(sent('/device/sign-in')).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'No soy yo' }));
  expect(screen.getByRole('heading', { name: /Luis/ })).toBeTruthy();
  const late = enterByPin(luis.position.positionId, '123456');
  session.open(eva);
  answered.resolve();
  await late;
  expect(session.token()).toBe('e');
  await waitFor(() => expect(sent('/sign-out')).toContain('Bearer t'));
});

test.each([
  ['PIN', { ...luis, isShared: true }],
  ['email', luis],
])('a shared device that nobody touches locks, whoever signed in by %s', async (_how, opened) => {
  device.enrol('s');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    session.open(opened);
    show(<App />, '/mostrador/');
    await act(() => vi.advanceTimersByTimeAsync(110_000));
    expect(session.token()).toBe('t');
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(session.token()).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['that was revoked is one no longer', () => {}, undefined],
  ['that was enrolled anew meanwhile stays one', () => device.enrol('new'), 'new'],
])('a shared device %s', async (_what, meanwhile, secret) => {
  device.enrol('old');
  asDevice = () => {
    meanwhile();
    return refuse(401, 'DEVICE_DEAD');
  };
  await expect(openCache().fetchQuery({ ...thisDeviceQuery, retry: false })).rejects.toMatchObject({
    failure: { code: 'DEVICE_DEAD' },
  });
  expect(device.secret()).toBe(secret);
});

test('the passkey that the one before lacked is not asked of the next', async () => {
  answer = () => {
    change();
    return refuse(403, 'PASSKEY_NEEDED');
  };
  await expect(call(listBranches, {})).rejects.toMatchObject({ failure: { code: 'PASSKEY_NEEDED' } });
  expect(session.current()?.needsPasskey).toBe(false);
});

test('a page that comes back by Back is that of who is signed in now', async () => {
  history.replaceState(null, '', '/mostrador/');
  show(<App />, '/mostrador/');
  await screen.findAllByText(/Luis · Centro/);
  localStorage.setItem('mostrador.session', JSON.stringify(eva));
  act(() => void dispatchEvent(new Event('pageshow')));
  expect(await screen.findAllByText(/Eva · Centro/)).not.toHaveLength(0);
  expect(screen.queryByText(/Luis · Centro/)).toBeNull();
});

test('who signs out leaves no address to the next: what they had looked for is not shown to them', async () => {
  const { user, here } = show(<App />, '/mostrador/mas?buscar=Marisol');
  const [button] = await screen.findAllByRole('button', { name: 'Salir' });
  await user.click(button as HTMLElement);
  await screen.findByLabelText('Correo');
  expect(here()).toBe('/mostrador/');
});

test('an owner who signs in at the first address begins with the morning, and takes money there once they go back to it', async () => {
  session.close();
  const { user, here } = show(<App />, '/mostrador');
  await screen.findByLabelText('Correo');
  act(() => session.open({ ...luis, position: { ...luis.position, role: 'owner' } }));
  await waitFor(() => expect(here()).toBe('/mostrador/hoy'));
  await user.click(screen.getByRole('link', { name: 'Cobrar' }));
  expect(await screen.findByLabelText('Número o folio')).toBeTruthy();
  expect(here()).toBe('/mostrador/');
});

test.each([
  ['a cashier begins with taking money', luis, '/mostrador/'],
  [
    'an owner at a shared device begins with taking money',
    { ...luis, isShared: true, position: { ...luis.position, role: 'owner' } } as const,
    '/mostrador/',
  ],
  [
    'an owner who came for another address stays there',
    { ...luis, position: { ...luis.position, role: 'owner' } } as const,
    '/mostrador/mas',
  ],
])('signed in, %s', async (_what, opened, at) => {
  session.close();
  const { here } = show(<App />, at);
  await screen.findByLabelText('Correo');
  act(() => session.open(opened));
  await screen.findAllByRole('button', { name: 'Salir' });
  expect(here()).toBe(at);
});
