import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../logging.ts';
import { openPolling, type Take } from './polling.ts';

const open = (take: Take, atOnce: number, pollEveryMs: number) =>
  openPolling(take, { what: 'emails', atOnce, pollEveryMs, log: createLog('silent') });

test('while nothing is due, one asks for all of them', async () => {
  let asked = 0;
  const lane = open(async () => void (asked += 1), 50, 20);
  await sleep(200);
  await lane.stop();
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThan(50);
});

test('what is due is done as many at a time as there may be, and what fails keeps nothing back', async () => {
  const due = Array.from({ length: 9 }, (_, number) => number);
  const done: number[] = [];
  let now = 0;
  let most = 0;
  const lane = open(
    async () => {
      const number = due.shift();
      if (number === 3) throw new Error('it could not be read');
      if (number === undefined) return undefined;
      return async () => {
        most = Math.max(most, (now += 1));
        await sleep(10);
        now -= 1;
        if (number === 5) throw new Error('it could not be done');
        done.push(number);
      };
    },
    3,
    1,
  );
  await expect.poll(() => done.length).toBe(7);
  await lane.stop();
  expect(most).toBe(3);
});

test('it is not silent while all are busy, and stopping waits for what is under way', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let ended = false;
  const lane = open(async () => () => promise.then(() => void (ended = true)), 2, 1);
  await sleep(30);
  expect(lane.silentMs()).toBe(0);
  const stopping = lane.stop();
  resolve();
  await stopping;
  expect(ended).toBe(true);
});
