import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allocateOldestFirst } from './allocation.ts';
import { add, centavos, sum } from './money.ts';

const amounts = fc.integer({ min: 0, max: 500_000 }).map(centavos);
const schedules = fc
  .uniqueArray(fc.integer({ min: 1, max: 120 }), { maxLength: 12 })
  .chain((numbers) =>
    fc.tuple(
      ...numbers.map((number) => fc.record({ number: fc.constant(number), balanceCentavos: amounts })),
    ),
  );

it('fills the oldest instalment first and carries the rest on to the next', () => {
  const instalments = [
    { number: 3, balanceCentavos: centavos(120_000) },
    { number: 1, balanceCentavos: centavos(0) },
    { number: 2, balanceCentavos: centavos(50_000) },
  ];
  expect(allocateOldestFirst(instalments, centavos(80_000))).toEqual({
    parts: [
      { number: 2, amountCentavos: 50_000 },
      { number: 3, amountCentavos: 30_000 },
    ],
    remainderCentavos: 0,
  });
  expect(allocateOldestFirst(instalments, centavos(170_001)).remainderCentavos).toBe(1);
});

it('neither makes nor loses a centavo, and overfills no instalment', () => {
  fc.assert(
    fc.property(schedules, amounts, (instalments, amount) => {
      const { parts, remainderCentavos } = allocateOldestFirst(instalments, amount);
      expect(add(sum(parts.map((part) => part.amountCentavos)), remainderCentavos)).toBe(amount);

      const given = new Map(parts.map((part) => [part.number, part.amountCentavos]));
      const oldestFirst = instalments.toSorted((a, b) => a.number - b.number);
      const firstOpen = oldestFirst.findIndex((each) => (given.get(each.number) ?? 0) < each.balanceCentavos);
      for (const [index, { number, balanceCentavos }] of oldestFirst.entries()) {
        const got = given.get(number) ?? 0;
        expect(got).toBeLessThanOrEqual(balanceCentavos);
        if (firstOpen >= 0 && index > firstOpen) expect(got).toBe(0);
      }
      if (remainderCentavos > 0) expect(firstOpen).toBe(-1);
      expect(parts.every((part) => part.amountCentavos > 0)).toBe(true);
    }),
  );
});

it('gives the same books for one sum paid at once or in two parts', () => {
  fc.assert(
    fc.property(schedules, amounts, amounts, (instalments, first, second) => {
      const once = allocateOldestFirst(instalments, add(first, second));
      const before = allocateOldestFirst(instalments, first);
      const paid = new Map(before.parts.map((part) => [part.number, part.amountCentavos]));
      const left = instalments.map(({ number, balanceCentavos }) => ({
        number,
        balanceCentavos: centavos(balanceCentavos - (paid.get(number) ?? 0)),
      }));
      const after = allocateOldestFirst(left, second);
      for (const part of after.parts) {
        paid.set(part.number, centavos((paid.get(part.number) ?? 0) + part.amountCentavos));
      }
      expect(paid).toEqual(new Map(once.parts.map((part) => [part.number, part.amountCentavos])));
      expect(add(before.remainderCentavos, after.remainderCentavos)).toBe(once.remainderCentavos);
    }),
  );
});
