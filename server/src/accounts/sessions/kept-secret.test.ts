import { expect, test } from 'vitest';

import {
  keptHash,
  newChainKey,
  newestFrom,
  newKeptSecret,
  nextSecret,
  readKeptSecret,
  writeKeptSecret,
} from './kept-secret.ts';

test('a cookie is read as it was written, and is another for each browser', () => {
  const [made, other] = [newKeptSecret(), newKeptSecret()];
  expect(readKeptSecret(writeKeptSecret(made))).toEqual(made);
  expect(writeKeptSecret(made)).toMatch(/^apk_[\w-]{22}\.[\w-]{43}$/);
  expect(writeKeptSecret(other)).not.toBe(writeKeptSecret(made));
});

test.each([undefined, '', 'apk_', 'apb_x.y'])('%j is no cookie of ours', (text) => {
  expect(readKeptSecret(text)).toBeUndefined();
});

test('what stands around a cookie makes it another’s', () => {
  const text = writeKeptSecret(newKeptSecret());
  for (const spoilt of [`x${text}`, `${text}x`, text.slice(1), text.slice(0, -1), text.replace('.', '-')])
    expect(readKeptSecret(spoilt)).toBeUndefined();
});

test('a secret leads to the newest by as many turns as are spared, and none the other way', () => {
  const key = newChainKey();
  const chain = [newKeptSecret().secret];
  for (let turn = 0; turn < 3; turn += 1) chain.push(nextSecret(key, chain[turn]!));
  const newest = chain[3]!;
  const from = (turn: number, most: number) =>
    newestFrom(key, chain[turn]!, { newestHash: keptHash(newest), most });
  expect(from(3, 0)).toEqual({ turns: 0, newest });
  expect(from(2, 1)).toEqual({ turns: 1, newest });
  expect(from(0, 3)).toEqual({ turns: 3, newest });
  expect([from(2, 0), from(0, 2)]).toEqual([undefined, undefined]);
  expect(newestFrom(key, newest, { newestHash: keptHash(chain[2]!), most: 50 })).toBeUndefined();
  expect(newestFrom(newChainKey(), chain[2]!, { newestHash: keptHash(newest), most: 50 })).toBeUndefined();
});

test('however often a browser asked within a minute, no more than fifty turns are looked through', () => {
  const key = newChainKey();
  const { secret } = newKeptSecret();
  let newest = secret;
  for (let turn = 0; turn < 50; turn += 1) newest = nextSecret(key, newest);
  expect(newestFrom(key, secret, { newestHash: keptHash(newest), most: 60 })?.turns).toBe(50);
  newest = nextSecret(key, newest);
  expect(newestFrom(key, secret, { newestHash: keptHash(newest), most: 60 })).toBeUndefined();
});
