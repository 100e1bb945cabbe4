import { expect, test } from 'vitest';
import { breaker } from './breaker.ts';

function start() {
  let now = 1_000;
  const guard = breaker({ failures: 5, windowMs: 60_000, pauseMs: 60_000, now: () => now });
  const fail = (times: number) => Array.from({ length: times }, () => guard.report(false));
  return { guard, fail, pass: (ms: number) => (now += ms) };
}

test('five charges without an answer within a minute stop the next ones for a minute', () => {
  const { guard, fail, pass } = start();
  fail(4);
  expect(guard.secondsLeft()).toBe(0);
  fail(1);
  expect(guard.secondsLeft()).toBe(60);
  pass(59_500);
  expect(guard.secondsLeft()).toBe(1);
  pass(500);
  expect(guard.secondsLeft()).toBe(0);
});

test('failures spread over more than a minute stop no charges', () => {
  const { guard, fail, pass } = start();
  for (let n = 0; n < 20; n += 1) {
    fail(1);
    pass(15_001);
  }
  expect(guard.secondsLeft()).toBe(0);
});

test('a failure counts for a minute and not a moment longer', () => {
  const { guard, fail, pass } = start();
  fail(4);
  pass(60_000);
  fail(1);
  expect(guard.secondsLeft()).toBe(0);
});

test('by its own clock the pause has its length too', () => {
  const guard = breaker({ failures: 1, windowMs: 60_000, pauseMs: 60_000 });
  guard.report(false);
  expect(guard.secondsLeft()).toBe(60);
});

test('one answer proves that the provider lives: the count begins again', () => {
  const { guard, fail } = start();
  fail(4);
  guard.report(true);
  fail(4);
  expect(guard.secondsLeft()).toBe(0);
});

test('after the pause it takes five again', () => {
  const { guard, fail, pass } = start();
  fail(5);
  pass(60_000);
  fail(4);
  expect(guard.secondsLeft()).toBe(0);
  fail(1);
  expect(guard.secondsLeft()).toBe(60);
});

test('a charge that was under way when it opened does not close it', () => {
  const { guard, fail } = start();
  fail(5);
  guard.report(true);
  expect(guard.secondsLeft()).toBe(60);
});
