import { centavos, sum } from '@aparta/domain/money';
import { expect, test } from 'vitest';
import { apartOf, type Left, takesOf } from './external-refund.ts';

const card = { id: 9, method: 'card', amountCentavos: centavos(400) } as const;
const cash = { id: 3, method: 'cash', amountCentavos: centavos(100) } as const;
const shares = (gone: number, given: Partial<Left> = {}) => {
  const { taken, unplacedCentavos } = takesOf({
    goneCentavos: centavos(gone),
    owed: [],
    countedCentavos: undefined,
    isLoss: false,
    ...given,
  });
  expect(sum(taken.map(({ amountCentavos }) => amountCentavos)) + unplacedCentavos).toBe(gone);
  const parts = taken.map((part) => [
    part.was === 'refund' ? part.refund.id : part.was,
    part.amountCentavos,
    ...(part.was === 'refund' ? [part.leftCentavos] : []),
  ]);
  return [...parts, ...(unplacedCentavos > 0 ? [['nowhere', unplacedCentavos]] : [])];
};

test('what left is first what was owed by card, then what was owed in cash', () => {
  expect(shares(450, { owed: [cash, card] })).toEqual([
    [9, 400, 0],
    [3, 50, 50],
  ]);
  expect(shares(100, { owed: [cash, card] })).toEqual([[9, 100, 300]]);
});

test('a purchase loses a payment whole or not at all', () => {
  expect(shares(615, { countedCentavos: centavos(615) })).toEqual([['purchase', 615]]);
  expect(shares(200, { countedCentavos: centavos(615) })).toEqual([['nowhere', 200]]);
});

test('only a person’s word makes it a loss, and then of what nothing else covers', () => {
  expect(shares(700, { owed: [card, cash] })).toContainEqual(['nowhere', 200]);
  expect(shares(700, { owed: [card, cash], isLoss: true })).toContainEqual(['loss', 200]);
  expect(shares(615, { countedCentavos: centavos(615), isLoss: true })).toEqual([['loss', 615]]);
});

test('what no refund at its end tells of has a row of its own', () => {
  const { taken } = takesOf({
    goneCentavos: centavos(450),
    owed: [cash, card],
    countedCentavos: undefined,
    isLoss: false,
  });
  expect(apartOf(taken)).toBe(50);
});
