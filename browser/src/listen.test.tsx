import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from './listen.ts';

let answers: ((signal: AbortSignal) => Response)[] = [];
let sent: Headers[] = [];
let isHidden = false;
let token: string | undefined;
const real = globalThis.fetch;
const heard: string[] = [];
let leaving: AbortController;

/** An open stream, and what its server can do to it. */
function stream() {
  let control: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (its) => void (control = its) });
  return {
    answer: (signal: AbortSignal) => {
      signal.addEventListener('abort', () => control.error(signal.reason));
      return new Response(body);
    },
    say: (text: string) => control.enqueue(new TextEncoder().encode(text)),
    end: () => control.close(),
    fail: () => control.error(new TypeError('cut')),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  [answers, sent, isHidden, token] = [[], [], false, 't'];
  heard.length = 0;
  leaving = new AbortController();
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  globalThis.fetch = async (_url, init) => {
    sent.push(new Headers(init?.headers));
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer(init!.signal!);
  };
});
afterEach(() => {
  leaving.abort();
  globalThis.fetch = real;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function open() {
  void listen(
    {
      url: '/v1/Changes/Stream',
      token: () => token,
      onChange: () => heard.push('ask'),
      onOpen: (isOpen) => heard.push(isOpen ? 'live' : 'polls'),
    },
    leaving.signal,
  );
  return vi.advanceTimersByTimeAsync(0);
}
function show(isShown: boolean) {
  isHidden = !isShown;
  document.dispatchEvent(new Event('visibilitychange'));
  return vi.advanceTimersByTimeAsync(0);
}

test('a screen asks once when its stream opens, and again when money came, in whatever pieces that is told', async () => {
  const one = stream();
  answers.push(one.answer);
  await open();
  expect([heard, sent[0]?.get('Authorization')]).toEqual([['live', 'ask'], 'Bearer t']);
  one.say(':\n\ndata: cha');
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toHaveLength(2);
  one.say('nged\n\n');
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual(['live', 'ask', 'ask']);
});

test('a stream that ends, breaks or goes silent lets the screen poll, until another is open', async () => {
  const [one, two, three] = [stream(), stream(), stream()];
  answers.push(one.answer, two.answer, three.answer);
  await open();
  one.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual(['live', 'ask', 'polls']);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(heard.slice(3)).toEqual(['live', 'ask']);
  two.fail();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(heard.slice(5)).toEqual(['polls', 'live', 'ask']);
  for (let beat = 0; beat < 3; beat += 1) {
    await vi.advanceTimersByTimeAsync(20_000);
    three.say(':\n\n');
  }
  expect(heard).toHaveLength(8);
  await vi.advanceTimersByTimeAsync(46_000);
  expect(heard.slice(8)).toEqual(['polls']);
});

test('one that is refused is tried less and less often; a dead session not at all', async () => {
  await open();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(sent.length).toBeGreaterThan(8);
  expect(sent.length).toBeLessThan(50);
  expect(heard.filter((each) => each !== 'polls')).toEqual([]);
  answers.push(() => new Response('', { status: 401 }));
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  const tries = sent.length;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(sent).toHaveLength(tries);
});

test('one whose session was refused lets the screen ask once, which renews it, and is told again by the new token', async () => {
  const [one, two] = [stream(), stream()];
  answers.push(one.answer, () => new Response('', { status: 401 }), two.answer);
  await open();
  one.end();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([sent.length, heard]).toEqual([2, ['live', 'ask', 'polls', 'polls', 'ask']]);
  token = 'renewed';
  await vi.advanceTimersByTimeAsync(40_000);
  expect([sent.length, heard.slice(5)]).toEqual([3, ['live', 'ask']]);
  expect(sent[2]?.get('Authorization')).toBe('Bearer renewed');
});

test('a screen that opened without internet, and so without a session, is told once it has one', async () => {
  const one = stream();
  answers.push(one.answer);
  token = undefined;
  await open();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([sent.length, heard]).toEqual([0, []]);
  token = 'first';
  await vi.advanceTimersByTimeAsync(40_000);
  expect([sent[0]?.get('Authorization'), heard]).toEqual(['Bearer first', ['live', 'ask']]);
});

test('a hidden tab has no stream; shown again it opens one and asks once', async () => {
  const [one, two] = [stream(), stream()];
  answers.push(one.answer, two.answer);
  await open();
  await show(false);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect([heard, sent.length]).toEqual([['live', 'ask', 'polls'], 1]);
  await show(true);
  expect([heard.slice(3), sent.length]).toEqual([['live', 'ask'], 2]);
});
