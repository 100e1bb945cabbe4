import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from './calendar.ts';
import { centavos, sum } from './money.ts';
import { buildPlan, depositOf, describePlan, instalmentsOf, planProblem, type PlanTerms } from './plan.ts';

const usual: PlanTerms = {
  priceCentavos: centavos(300_000),
  depositBasisPoints: 2_000,
  frequencyDays: 30,
  durationDays: 60,
};

// Small prices and long plans are as likely as ordinary ones, so that both sides of each limit are met.
const anyTerms: fc.Arbitrary<PlanTerms> = fc.record({
  priceCentavos: fc
    .oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 99_999_999_999 }))
    .map(centavos),
  depositBasisPoints: fc.integer({ min: 0, max: 10_000 }),
  frequencyDays: fc.integer({ min: 0, max: 400 }),
  durationDays: fc.integer({ min: 0, max: 4_000 }),
});
const goodTerms = anyTerms.filter((terms) => planProblem(terms) === undefined);
const days = fc.integer({ min: 0, max: 20_000 }).map((n) => addDays('2020-01-01', n));

describe('a plan', () => {
  it('of three numbers is the deposit and two equal instalments', () => {
    expect(buildPlan(usual, '2026-11-20')).toEqual([
      { number: 1, dueOn: '2026-11-20', amountCentavos: 60_000 },
      { number: 2, dueOn: '2026-12-20', amountCentavos: 120_000 },
      { number: 3, dueOn: '2027-01-19', amountCentavos: 120_000 },
    ]);
  });

  it('gives the centavos that do not divide to the last instalment', () => {
    const terms = { ...usual, priceCentavos: centavos(10_000), durationDays: 80 };
    expect(describePlan(terms)).toEqual({
      depositCentavos: 2_000,
      laterInstalments: 3,
      eachCentavos: 2_666,
      lastCentavos: 2_668,
    });
  });

  it('ends at the end of the duration even when the frequency does not divide it', () => {
    const dueOn = buildPlan({ ...usual, durationDays: 70 }, '2026-11-20').map((each) => each.dueOn);
    expect(dueOn).toEqual(['2026-11-20', '2026-12-20', '2027-01-19', '2027-01-29']);
    const rare = buildPlan({ ...usual, frequencyDays: 90 }, '2026-11-20');
    expect(rare.map((each) => each.dueOn)).toEqual(['2026-11-20', '2027-01-19']);
  });

  it('sums to the price exactly, whatever the percentage, frequency and duration', () => {
    fc.assert(
      fc.property(goodTerms, days, (terms, depositOn) => {
        const plan = buildPlan(terms, depositOn);
        const amounts = plan.map((each) => each.amountCentavos);
        expect(sum(amounts)).toBe(terms.priceCentavos);
        expect(amounts[0]).toBe(depositOf(terms));
        expect(amounts.every((amount) => amount > 0)).toBe(true);
        expect(plan.map((each) => each.number)).toEqual(plan.map((_, index) => index + 1));
        expect(plan.length).toBe(1 + Math.ceil(terms.durationDays / terms.frequencyDays));
        expect(instalmentsOf(terms)).toBe(plan.length);
      }),
      { numRuns: 300 },
    );
  });

  it('falls due on strictly later days, the deposit today and the last at the end', () => {
    fc.assert(
      fc.property(goodTerms, days, (terms, depositOn) => {
        const dueOn = buildPlan(terms, depositOn).map((each) => each.dueOn);
        expect(dueOn[0]).toBe(depositOn);
        expect(dueOn.at(-1)).toBe(addDays(depositOn, terms.durationDays));
        expect(dueOn).toEqual([...new Set(dueOn)].toSorted());
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, Partial<PlanTerms>]>([
    ['frequency-below-one', { frequencyDays: 0 }],
    ['frequency-below-one', { frequencyDays: 1.5 }],
    ['duration-below-one', { durationDays: 0 }],
    ['duration-below-one', { durationDays: -30 }],
    ['duration-too-long', { durationDays: 3_654 }],
    ['too-many-instalments', { frequencyDays: 1, durationDays: 120 }],
    ['deposit-out-of-range', { depositBasisPoints: 0 }],
    ['deposit-out-of-range', { depositBasisPoints: -1 }],
    ['deposit-out-of-range', { depositBasisPoints: 10_000 }],
    ['deposit-out-of-range', { depositBasisPoints: 10_001 }],
    ['deposit-out-of-range', { depositBasisPoints: 12.5 }],
    ['deposit-out-of-range', { priceCentavos: centavos(0) }],
    ['deposit-out-of-range', { priceCentavos: centavos(1), depositBasisPoints: 5_000 }],
    ['deposit-out-of-range', { priceCentavos: centavos(2), depositBasisPoints: 2_000 }],
    ['rest-too-small', { priceCentavos: centavos(2), depositBasisPoints: 5_000 }],
  ])('is refused with %s when entered as %o', (problem, change) => {
    const terms = { ...usual, ...change };
    expect(planProblem(terms)).toBe(problem);
    expect(() => buildPlan(terms, '2026-11-20')).toThrow(RangeError);
  });

  it('is offered right up to its limits', () => {
    expect(planProblem({ ...usual, frequencyDays: 1, durationDays: 119 })).toBeUndefined();
    expect(planProblem({ ...usual, frequencyDays: 60, durationDays: 3_653 })).toBeUndefined();
    expect(planProblem({ ...usual, priceCentavos: centavos(3), depositBasisPoints: 3_333 })).toBeUndefined();
  });
});
