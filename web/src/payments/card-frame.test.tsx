import { centavos } from '@aparta/domain/money';
import { show } from '@aparta/ui/testing/show.tsx';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CardFrame } from './card-frame.tsx';
import { askForToken, type CardElement } from './clip-sdk.ts';

const onReady = vi.fn<(card: CardElement | undefined) => void>();
const created = vi.fn<(options: unknown) => void>();
/** Whether the phone is dark; a 'change' says so. */
const night = Object.assign(new EventTarget(), { matches: true });
let mount: (place: HTMLElement) => void = () => {};

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  night.matches = true;
  vi.stubGlobal('matchMedia', () => night);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  delete window.ClipSDK;
  onReady.mockClear();
});

function open() {
  const { user } = show(<CardFrame apiKey="public-key" amount={centavos(61_500)} onReady={onReady} />);
  return user;
}

function script(): HTMLScriptElement {
  const found = document.head.querySelector<HTMLScriptElement>('script[src]');
  if (!found) throw new Error('no script was asked for');
  return found;
}

/** The global that the provider's script defines. */
function scriptRuns() {
  window.ClipSDK = class {
    element = {
      create: (_: 'Card', options: unknown): CardElement => {
        created(options);
        return {
          mount: (id) => mount(document.getElementById(id) as HTMLElement),
          setAmount() {},
          cardToken: async () => ({ id: 'tok_1' }),
          preventionData: async () => ({}),
        };
      },
    };
  };
  act(() => void script().dispatchEvent(new Event('load')));
}

const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('the provider’s script', () => {
  test('it comes from the provider’s own address', async () => {
    open();
    expect(script().src).toBe('https://sdk.clip.mx/js/clip-sdk.js');
  });

  test('a screen that is made ready ahead runs it once somebody comes to it, however late', async () => {
    Object.assign(document, { prerendering: true });
    onTestFinished(() => void Object.assign(document, { prerendering: undefined }));
    open();
    await after(60_000);
    expect(document.head.querySelector('script[src]')).toBeNull();
    expect(screen.getByRole('status', { name: 'Cargando el formulario de tu tarjeta' })).toBeTruthy();
    Object.assign(document, { prerendering: false });
    document.dispatchEvent(new Event('prerenderingchange'));
    await after(0);
    expect(script().src).toBe('https://sdk.clip.mx/js/clip-sdk.js');
  });

  test('refused by the browser: the buyer learns that nothing was charged and can try again', async () => {
    const user = open();
    act(() => void script().dispatchEvent(new Event('error')));
    expect(await screen.findByText('Tu navegador no cargó el formulario de Clip')).toBeTruthy();
    expect(document.head.querySelector<HTMLScriptElement>('script[src]')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(script()).toBeTruthy();
    expect(screen.getByRole('status', { name: 'Cargando el formulario de tu tarjeta' })).toBeTruthy();
  });

  test('no answer for 15 seconds: unreachable', async () => {
    open();
    await after(14_000);
    expect(screen.queryByRole('alert')).toBeNull();
    await after(1_500);
    expect(screen.getByText('El formulario de Clip no responde')).toBeTruthy();
    expect(onReady).not.toHaveBeenCalledWith(expect.anything());
  });

  test('an empty script, as some blockers answer, counts as blocked', async () => {
    open();
    act(() => void script().dispatchEvent(new Event('load')));
    expect(await screen.findByText('Tu navegador no cargó el formulario de Clip')).toBeTruthy();
    expect(document.head.querySelector('script[src]')).toBeNull();
  });
});

describe('the provider’s frame', () => {
  test('it never loads: unreachable, and no button is offered', async () => {
    mount = (place) => place.append(document.createElement('object'));
    open();
    scriptRuns();
    await after(16_000);
    expect(screen.getByText('El formulario de Clip no responde')).toBeTruthy();
    expect(onReady).not.toHaveBeenCalledWith(expect.anything());
  });

  test('once it has loaded the card can be asked, in the theme of the screen and for the sum shown', async () => {
    mount = (place) => place.append(document.createElement('iframe'));
    open();
    scriptRuns();
    await vi.waitFor(() => expect(onReady).toHaveBeenCalledWith(expect.objectContaining({})));
    expect(created).toHaveBeenLastCalledWith({
      theme: 'dark',
      locale: 'es',
      paymentAmount: 615,
      terms: { enabled: false },
    });
    await vi.waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  });
});

describe('a phone that turns light meanwhile', () => {
  function dawn() {
    night.matches = false;
    act(() => void night.dispatchEvent(new Event('change')));
  }
  async function openFrame() {
    mount = (place) => place.append(document.createElement('iframe'));
    open();
    scriptRuns();
    await vi.waitFor(() => expect(onReady).toHaveBeenCalledWith(expect.objectContaining({})));
    created.mockClear();
  }

  test('makes the frame again in its theme', async () => {
    await openFrame();
    dawn();
    await vi.waitFor(() =>
      expect(created).toHaveBeenLastCalledWith(expect.objectContaining({ theme: 'light' })),
    );
    expect(document.querySelectorAll('iframe')).toHaveLength(1);
  });

  test('leaves a frame that the buyer has been in as it is: they may have typed their card', async () => {
    await openFrame();
    act(() => document.querySelector('iframe')?.focus());
    window.dispatchEvent(new Event('blur'));
    await after(10);
    dawn();
    await after(10);
    expect(created).not.toHaveBeenCalled();
  });
});

describe('the card’s token', () => {
  const card = (cardToken: () => Promise<unknown>, preventionData = async (): Promise<unknown> => ({})) =>
    ({ mount() {}, setAmount() {}, cardToken, preventionData }) satisfies CardElement;

  test('a frame that never answers gives none', async () => {
    const answer = askForToken(
      card(() => new Promise(() => {})),
      30_000,
    );
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await answer).toEqual({ kind: 'none' });
  });

  test.each([{}, { id: '' }, { id: '  ' }, { id: 7 }, null, 'tok'])('%j is no token', async (given) => {
    expect(
      await askForToken(
        card(async () => given),
        1000,
      ),
    ).toEqual({ kind: 'none' });
  });

  test('risk data that fail do not stop a payment', async () => {
    const answer = await askForToken(
      card(
        async () => ({ id: 'tok_1' }),
        async () => {
          throw new Error('no');
        },
      ),
      1000,
    );
    expect(answer).toEqual({ kind: 'token', token: { id: 'tok_1', prevention: {} } });
  });
});
