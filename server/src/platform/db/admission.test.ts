import { setTimeout as pause } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import { asCall, type ConnectionQueue, connectionQueue, newAdmission, type Rank } from './admission.ts';
import { WaitedTooLong } from './outage.ts';

/** Asks as a call that is new, and notes when it gets its place. */
function ask(queue: ConnectionQueue, rank: Rank, served: string[], name: string = rank): Promise<() => void> {
  const entered = asCall(newAdmission(rank), () => queue.enter());
  return entered.then((leave) => {
    served.push(name);
    return leave;
  });
}

test('payments go before lists, and work that has begun before both', async () => {
  const queue = connectionQueue(1);
  const leave = await queue.enter();
  const served: string[] = [];
  const waiting = [
    ask(queue, 'read', served),
    ask(queue, 'act', served),
    queue.enter().then((left) => {
      served.push('begun');
      return left;
    }),
  ];
  expect(queue.waiting()).toBe(3);
  leave();
  for (const each of [2, 1, 0]) (await waiting[each]!)();
  expect(served).toEqual(['begun', 'act', 'read']);
});

test('a call that waits for too long is refused, and waits no more', async () => {
  const queue = connectionQueue(1);
  const leave = await queue.enter();
  await expect(ask(queue, 'act', [])).rejects.toThrow(WaitedTooLong);
  expect(queue.waiting()).toBe(0);
  leave();
  (await ask(queue, 'read', []))();
});

test('a payment that has begun is not shed half-way', async () => {
  const queue = connectionQueue(1);
  const payment = newAdmission('act');
  (await asCall(payment, () => queue.enter()))();
  const leave = await queue.enter();
  const second = asCall(payment, () => queue.enter());
  await expect(ask(queue, 'act', [])).rejects.toThrow(WaitedTooLong);
  leave();
  (await second)();
});

test('while a queue is standing, who comes new knows sooner than at one that has just begun', async () => {
  const [standing, fresh] = [connectionQueue(1), connectionQueue(1)];
  const held = [await standing.enter(), await fresh.enter()];
  const begun = standing.enter();
  await pause(110); // longer than a burst
  const refused: string[] = [];
  await Promise.all([
    ask(fresh, 'act', []).catch(() => refused.push('fresh')),
    ask(standing, 'act', []).catch(() => refused.push('standing')),
  ]);
  expect(refused).toEqual(['standing', 'fresh']);
  for (const leave of held) leave();
  (await begun)();
});

test('a database that slows down under many at once is given fewer, and all its places once nobody waits', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const queue = connectionQueue(8);
  let holders: (() => void)[] = [];
  /** So many calls at once, each holding its place for `ms`; answers the fewest that held one while others waited. */
  async function callAtOnce(calls: number, ms: number): Promise<number> {
    let fewest = Infinity;
    for (let n = 0; n < calls; n += 1)
      void asCall({ ...newAdmission('act'), isBegun: true }, () => queue.enter()).then((leave) =>
        holders.push(leave),
      );
    for (;;) {
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      if (queue.waiting() > 0) fewest = Math.min(fewest, holders.length);
      if (holders.length === 0) return fewest;
      vi.advanceTimersByTime(ms);
      const ended = holders;
      holders = [];
      for (const leave of ended) leave();
    }
  }
  for (let n = 0; n < 20; n += 1) await callAtOnce(1, 10);
  expect(await callAtOnce(60, 10)).toBe(8);
  expect(await callAtOnce(60, 100)).toBe(2);
  await callAtOnce(1, 10);
  expect(await callAtOnce(16, 10)).toBe(8);
});
