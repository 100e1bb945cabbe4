import { expect, test } from 'vitest';

import { createPasswords } from './passwords.ts';

/** Checks that end when they are told to, and how many of them are under way. */
function heldBack() {
  const waiting: (() => void)[] = [];
  const passwords = createPasswords({
    hash: async () => 'a hash of nobody’s',
    verify: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return true;
    },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    sum: async () => {
      await settle();
      return waiting.length;
    },
    endOne: async () => {
      waiting.shift()?.();
      await settle();
    },
    check: () => passwords.verify('a hash', 'a secret'),
  };
}

test('of a flood of sign-ins four are worked on at a time, a hundred wait their turn, and the rest may come again', async () => {
  const { sum, endOne, check } = heldBack();
  const answers = Array.from({ length: 104 }, check);
  expect(await sum()).toBe(4);
  await expect(check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await endOne();
  // The first in line took the place, and one more may stand in line.
  expect(await sum()).toBe(4);
  answers.push(check());
  for (let turn = 0; turn < 104; turn += 1) await endOne();
  expect(await Promise.all(answers)).toEqual(Array(105).fill(true));

  // A flood that is over leaves every place free.
  const later = Array.from({ length: 5 }, check);
  expect(await sum()).toBe(4);
  for (let turn = 0; turn < 5; turn += 1) await endOne();
  expect(await Promise.all(later)).toEqual(Array(5).fill(true));
});

test('a check that breaks gives its place back', async () => {
  const passwords = createPasswords({
    hash: async () => 'a hash of nobody’s',
    verify: async () => Promise.reject(new Error('no memory')),
  });
  const broken = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.verify('a hash', 'x')));
  expect(broken.map((each) => each.status)).toEqual(Array(8).fill('rejected'));
});

test('a password is the same however its accents were typed, and nobody’s is never right', async () => {
  const [composed, apart] = ['contraseña-de-josé', 'contraseña-de-josé'.normalize('NFD')];
  expect(apart).not.toBe(composed);
  const passwords = createPasswords();
  const hash = await passwords.hash(apart);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify(hash, composed)).toBe(true);
  expect(await passwords.verify(undefined, composed)).toBe(false);
  expect(await passwords.verify(await passwords.hash(composed), apart)).toBe(true);
  // Even if a secret were that of the hash which stands in for nobody's.
  const agreeing = createPasswords({ hash: async () => 'any', verify: async () => true });
  expect(await agreeing.verify(undefined, composed)).toBe(false);
});
