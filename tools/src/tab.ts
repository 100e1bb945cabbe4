import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { CHROMIUM_ARGUMENTS } from './browser.ts';

const POLL_MS = 20;
const START_MS = 30_000;
/** Everything below a target too, each stopped until it is set up. */
const ALL = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{}] };

/** What is said to a target before its first script; what it does not know is left out. */
export type Setting = readonly [method: string, parameters: object];

/**
 * A browser with one tab, driven by Chromium's DevTools protocol. Playwright attaches to pages, and a browser makes no document
 * ready ahead for one that is attached to so; here its tab is.
 */
export interface Tab {
  goto(address: string): Promise<void>;
  /** What an expression comes to in the document that shows. Throws what it throws. */
  read<T>(expression: string): Promise<T>;
  /** Does what may lead to another document; nobody answers then. Throws what the expression throws. */
  act(expression: string): Promise<void>;
  /** Goes by Tab to a field after what has the focus, in whatever frame, and types into it; so on with each text. */
  typeOn(texts: readonly string[]): Promise<void>;
  /** Polls until an expression is true in the document that shows. Throws after `withinMs`. */
  until(expression: string, withinMs: number): Promise<void>;
  /** Whether an expression is true in the document that the browser makes ready behind the one that shows. */
  isReady(expression: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The screen itself, not the picture of it that its document shows until scripts have run. */
export const LIVE = 'main:not([inert])';

/** An expression for the button of the screen, or of a sheet, that begins with these words; undefined where there is none. */
export const button = (words: string, inside = LIVE): string =>
  `[...document.querySelectorAll('${inside} button')].find(({ textContent }) => textContent.startsWith('${words}'))`;

/** Every document of the tab begins with this in its session storage. */
export function withSession(entries: Readonly<Record<string, string>>): readonly Setting[] {
  const source = `for (const [key, value] of Object.entries(${JSON.stringify(entries)})) sessionStorage.setItem(key, value)`;
  return [
    ['Page.enable', {}],
    ['Page.addScriptToEvaluateOnNewDocument', { source }],
  ];
}

type Reply = Record<string, unknown>;
type Send = (method: string, parameters?: object) => Promise<Reply>;
type Event = { readonly sessionId: string; readonly targetInfo: Target };
type Message = { id?: number; result?: Reply; error?: { message: string }; method?: string; params?: Event };
type Evaluated<T> = {
  readonly result: { readonly value: T };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string };
  };
};
type Target = { readonly targetId: string; readonly type: string; readonly subtype?: string };

/** Opens a browser of its own. `settings` are said to each document, worker and frame before its first script. */
export async function openTab(executable: string, settings: readonly Setting[]): Promise<Tab> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-tab-'));
  const own = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'];
  // It listens at the fourth of these, answers at the fifth, and ends with who holds them.
  const browser = spawn(executable, [...CHROMIUM_ARGUMENTS, ...own], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = once(browser, 'exit');
  const close = async () => {
    browser.kill();
    await ended;
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    return await attach(browser.stdio[3] as Writable, browser.stdio[4] as Readable, settings, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function attach(
  to: Writable,
  from: Readable,
  settings: readonly Setting[],
  close: () => Promise<void>,
): Promise<Tab> {
  const asked = new Map<number, PromiseWithResolvers<Reply> & { of: string | undefined }>();
  const sender =
    (sessionId?: string): Send =>
    (method, params = {}) => {
      const id = asked.size + 1;
      const answer = { ...Promise.withResolvers<Reply>(), of: sessionId };
      asked.set(id, answer);
      to.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      return answer.promise;
    };
  /** The documents that are alive, by session: the one that shows, and with a subtype what is made ready ahead. */
  const documents = new Map<string, { target: Target; send: Send }>();
  const onEvent: Record<string, (event: Event) => void> = {
    'Target.attachedToTarget': ({ sessionId, targetInfo: target }) => {
      const send = sender(sessionId);
      const set: readonly Setting[] = [
        ['Target.setAutoAttach', ALL],
        ...settings,
        ['Runtime.runIfWaitingForDebugger', {}],
      ];
      void Promise.allSettled(set.map(([method, parameters]) => send(method, parameters))).then(() => {
        if (target.type === 'page') documents.set(sessionId, { target, send });
      });
    },
    'Target.detachedFromTarget': ({ sessionId }) => {
      documents.delete(sessionId);
      // Nobody answers for a document that has made room for another.
      for (const each of asked.values())
        if (each.of === sessionId) each.reject(new Error('its document is gone'));
    },
    'Target.targetInfoChanged': ({ targetInfo }) => {
      for (const each of documents.values())
        if (each.target.targetId === targetInfo.targetId) each.target = targetInfo;
    },
  };
  const hear = (text: string) => {
    const { id, result = {}, error, method = '', params } = JSON.parse(text) as Message;
    if (params) onEvent[method]?.(params);
    else if (id === undefined) return;
    else if (error) asked.get(id)?.reject(new Error(error.message));
    else asked.get(id)?.resolve(result);
  };
  let heard = '';
  from.setEncoding('utf8').on('data', (text: string) => {
    const messages = (heard + text).split('\0');
    heard = messages.pop() ?? '';
    messages.forEach(hear);
  });

  const browser = sender();
  await browser('Target.setDiscoverTargets', { discover: true, filter: [{}] });
  // It answers before it has a tab.
  const { targetId } = await poll(START_MS, async () => {
    const { targetInfos } = (await browser('Target.getTargets', { filter: [{}] })) as {
      targetInfos: Target[];
    };
    return targetInfos.find(({ type }) => type === 'tab');
  });
  const { sessionId } = await browser('Target.attachToTarget', { targetId, flatten: true });
  await sender(String(sessionId))('Target.setAutoAttach', ALL);

  const find = (subtype: string | undefined) =>
    [...documents.values()].find(({ target }) => target.subtype === subtype)?.send;
  const shown = () => poll(START_MS, () => find(undefined));
  const evaluate = (send: Send, expression: string): Promise<Reply> =>
    send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
  function valueOf<T>(reply: Reply): T {
    const { result, exceptionDetails: thrown } = reply as Evaluated<T>;
    if (thrown) throw new Error(thrown.exception?.description ?? thrown.text);
    return result.value;
  }
  const read = async <T>(expression: string): Promise<T> =>
    valueOf(await evaluate(await shown(), expression));
  return {
    read,
    act: async (expression) => {
      const reply = await evaluate(await shown(), expression).catch(() => undefined);
      if (reply) valueOf(reply);
    },
    async typeOn(texts) {
      const send = await shown();
      for (const text of texts) {
        for (const type of ['rawKeyDown', 'keyUp'])
          await send('Input.dispatchKeyEvent', { type, key: 'Tab', windowsVirtualKeyCode: 9 });
        await send('Input.insertText', { text });
      }
    },
    goto: async (url) => void (await (await shown())('Page.navigate', { url })),
    // While a document makes room for another, nothing can be read.
    until: async (expression, withinMs) =>
      void (await poll(withinMs, () => read<boolean>(expression).catch(() => false))),
    async isReady(expression) {
      const send = find('prerender');
      return send !== undefined && valueOf<boolean>(await evaluate(send, expression));
    },
    close,
  };
}

async function poll<T>(withinMs: number, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain`);
    await setTimeout(POLL_MS);
  }
}
