import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import { watchLoop } from './loop.ts';

test('a process that is kept busy refuses lists before payments, and serves both again once it has caught up', async () => {
  const loop = watchLoop(225);
  onTestFinished(() => loop.stop());
  const occupy = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };
  await expect.poll(() => loop.isBehind('read')).toBe(false);
  occupy(330);
  expect(loop.isBehind('read')).toBe(false); // one drawing refuses nobody
  for (let late = 0; late < 3; late += 1) {
    await pause(1);
    occupy(330);
  }
  expect(loop.isBehind('read')).toBe(true);
  occupy(330);
  expect(loop.isBehind('act')).toBe(true);
  await expect.poll(() => loop.isBehind('read') || loop.isBehind('act')).toBe(false);
});
