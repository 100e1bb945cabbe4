import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cardGroups, cardOf, isCardNumber } from './cards.ts';

const cards = cardGroups.flatMap((group) => group.cards);

test('every magic card is a number that a card frame accepts, and no two are the same', () => {
  expect(cards.filter((card) => !isCardNumber(card.number))).toEqual([]);
  expect(new Set(cards.map((card) => card.number)).size).toBe(cards.length);
});

test('a number that is in no table is rejected, never approved', () => {
  expect(isCardNumber('4242424242424242')).toBe(true);
  expect(cardOf('4242424242424242').outcome).toEqual({ kind: 'reject', detail: 'RE-ISS16' });
});

test('a mistyped digit is not a card number', () => {
  expect(isCardNumber('4555128482797668')).toBe(false);
});

test('the README has a row for every card of ours, with its number', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const ours = cards.filter((card) => card.number.startsWith('400000'));
  expect(ours.filter((card) => !readme.includes(card.number)).map((card) => card.number)).toEqual([]);
});
