import { expect, test } from 'vitest';

import { allocateOldestFirst } from './allocation.ts';
import { addDays, type DateOnly } from './calendar.ts';
import { add, centavos, subtract, sum } from './money.ts';
import {
  changesLeft,
  firstParts,
  freeDays,
  LEAST_PART,
  type MovablePlan,
  movedPlan,
  moveProblem,
  MOVE_DAYS,
  MOVES_ALLOWED,
  type PlanChange,
  splitPlan,
  splitProblem,
  tracesOf,
  whyFixed,
} from './moving.ts';
import { buildPlan, MOST_INSTALMENTS } from './plan.ts';

const DEPOSIT_ON = '2031-01-01';

/** $600 of deposit, then $800 on 31 January, 2 March and 1 April. */
function planOf(changed: Partial<MovablePlan> = {}): MovablePlan {
  const terms = {
    priceCentavos: centavos(300_000),
    depositBasisPoints: 2_000,
    frequencyDays: 30,
    durationDays: 90,
  };
  return {
    isActive: true,
    rule: { movesAllowed: 2, moveDays: 15 },
    changes: 0,
    today: '2031-01-10',
    instalments: buildPlan(terms, DEPOSIT_ON).map((each) => ({
      ...each,
      paidCentavos: each.number === 1 ? each.amountCentavos : centavos(0),
    })),
    ...changed,
  };
}

const paid = (plan: MovablePlan, number: number, centavosPaid: number): MovablePlan => ({
  ...plan,
  instalments: plan.instalments.map((each) =>
    each.number === number ? { ...each, paidCentavos: centavos(centavosPaid) } : each,
  ),
});

test('a buyer moves an unpaid instalment later, within the days of the rule and before the next one', () => {
  const plan = planOf();
  expect(plan.instalments.map(({ dueOn }) => dueOn)).toEqual([
    '2031-01-01',
    '2031-01-31',
    '2031-03-02',
    '2031-04-01',
  ]);
  expect(freeDays(plan, 2)).toEqual({ from: '2031-02-01', to: '2031-02-15' });
  expect(moveProblem(plan, 2, '2031-02-15')).toBeUndefined();
  expect(moveProblem(plan, 2, '2031-02-16')).toBe('too_late');
  expect(moveProblem(plan, 2, '2031-01-31')).toBe('not_later');
  const long = planOf({ rule: { movesAllowed: 1, moveDays: 60 } });
  expect(freeDays(long, 2)?.to).toBe('2031-03-01');
  expect(moveProblem(long, 2, '2031-03-01')).toBeUndefined();
  expect(moveProblem(long, 2, '2031-03-02')).toBe('not_before_next');
});

test('a late instalment moves to today at the earliest, and nowhere once the next one is due', () => {
  const late = planOf({ today: '2031-02-10' });
  expect(freeDays(late, 2)).toEqual({ from: '2031-02-10', to: '2031-02-15' });
  expect(moveProblem(late, 2, '2031-02-09')).toBe('past');
  expect(moveProblem(late, 2, '2031-02-10')).toBeUndefined();
  expect(freeDays(planOf({ today: '2031-02-15' }), 2)).toEqual({ from: '2031-02-15', to: '2031-02-15' });
  expect(moveProblem(planOf({ today: '2031-02-16' }), 2, '2031-02-16')).toBe('no_free_day');
});

test('what cannot be changed says why', () => {
  const plan = planOf();
  expect(whyFixed(planOf({ rule: { movesAllowed: 0, moveDays: 15 } }), 2)).toBe('not_offered');
  expect(whyFixed(planOf({ isActive: false }), 2)).toBe('ended');
  const settled = plan.instalments.map((each) => ({ ...each, paidCentavos: each.amountCentavos }));
  expect(whyFixed(planOf({ instalments: settled }), 2)).toBe('ended');
  expect(whyFixed(planOf({ changes: 2 }), 2)).toBe('no_changes_left');
  // A rule that became smaller than what was done.
  expect(changesLeft({ rule: { movesAllowed: 1, moveDays: 15 }, changes: 2 })).toBe(0);
  expect(whyFixed(plan, 9)).toBe('unknown');
  expect(whyFixed(plan, 1)).toBe('deposit');
  expect(whyFixed(paid(plan, 2, 1), 2)).toBe('paid');
  expect(whyFixed(plan, 4)).toBe('last');
  const invoiced = plan.instalments.map((each) => ({ ...each, isInvoiced: each.number === 3 }));
  expect(whyFixed(planOf({ instalments: invoiced }), 3)).toBe('invoiced');
  expect(whyFixed(planOf({ instalments: invoiced }), 2)).toBeUndefined();
  const split = (changed: MovablePlan) =>
    splitProblem(changed, 2, { dueOn: '2031-02-10', firstCentavos: centavos(40_000) });
  expect(split(planOf({ instalments: invoiced }))).toBe('later_fixed');
  expect(split(paid(plan, 3, 1))).toBe('later_fixed');
  const notInvoiced = plan.instalments.map((each) => ({ ...each, isInvoiced: false }));
  expect(split(planOf({ instalments: notInvoiced }))).toBeUndefined();
  expect([firstParts(plan, 4), firstParts(paid(plan, 2, 1), 2), firstParts(plan, 9)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a moved instalment alone has another day, in whatever order the plan comes', () => {
  const { instalments } = planOf();
  const moved = movedPlan(instalments.toReversed(), 3, '2031-03-05');
  expect(moved).toEqual(
    instalments.map(({ number, dueOn, amountCentavos }) => ({
      number,
      dueOn: number === 3 ? '2031-03-05' : dueOn,
      amountCentavos,
    })),
  );
});

test('a split leaves $50 at least in either part, on two days, and keeps the printed numbers in their order', () => {
  const plan = planOf();
  const on = (firstCentavos: number, dueOn: DateOnly = '2031-02-10') =>
    splitProblem(plan, 2, { dueOn, firstCentavos: centavos(firstCentavos) });
  expect([4_999, 5_000, 75_000, 75_001].map((first) => on(first))).toEqual([
    'part_too_small',
    undefined,
    undefined,
    'part_too_small',
  ]);
  expect(firstParts(plan, 2)).toEqual({ least: 5_000, most: 75_000 });
  expect(on(40_000, '2031-03-02')).toBe('too_late');
  expect(splitProblem(plan, 4, { dueOn: '2031-04-05', firstCentavos: centavos(40_000) })).toBe('last');
  expect(
    splitPlan(plan.instalments, 2, { dueOn: '2031-02-10', firstCentavos: centavos(30_000) }).slice(1),
  ).toEqual([
    { number: 2, dueOn: '2031-01-31', amountCentavos: 30_000 },
    { number: 3, dueOn: '2031-02-10', amountCentavos: 50_000 },
    { number: 4, dueOn: '2031-03-02', amountCentavos: 80_000 },
    { number: 5, dueOn: '2031-04-01', amountCentavos: 80_000 },
  ]);
});

test('an instalment of less than $100 is not split, but moved', () => {
  const small = planOf();
  const of = (amount: number) => ({
    ...small,
    instalments: small.instalments.map((each) =>
      each.number === 2 ? { ...each, amountCentavos: centavos(amount) } : each,
    ),
  });
  expect(firstParts(of(9_999), 2)).toBeUndefined();
  expect(firstParts(of(10_000), 2)).toEqual({ least: 5_000, most: 5_000 });
  expect(moveProblem(of(9_999), 2, '2031-02-10')).toBeUndefined();
});

test('a plan has 120 instalments at most', () => {
  const terms = {
    priceCentavos: centavos(12_000_000),
    depositBasisPoints: 1_000,
    frequencyDays: 3,
    durationDays: (MOST_INSTALMENTS - 1) * 3,
  };
  const instalments = buildPlan(terms, DEPOSIT_ON).map((each) => ({ ...each, paidCentavos: centavos(0) }));
  expect(instalments).toHaveLength(MOST_INSTALMENTS);
  const full = planOf({ instalments, today: DEPOSIT_ON });
  const [second] = instalments.slice(1);
  const dueOn = addDays(second?.dueOn ?? '', 1);
  expect(splitProblem(full, 2, { dueOn, firstCentavos: LEAST_PART })).toBe('too_many');
  const oneLess = { ...full, instalments: instalments.slice(0, MOST_INSTALMENTS - 1) };
  expect(splitProblem(oneLess, 2, { dueOn, firstCentavos: LEAST_PART })).toBeUndefined();
});

test('what an instalment was is told by its number of today, whatever was split before it', () => {
  const changes: PlanChange[] = [
    { kind: 'moved', number: 3, fromDay: '2031-03-02', toDay: '2031-03-05' },
    { kind: 'split', number: 2, fromDay: '2031-01-31', toDay: '2031-02-10' },
    { kind: 'moved', number: 4, fromDay: '2031-03-05', toDay: '2031-03-09' },
    { kind: 'moved', number: 3, fromDay: '2031-02-10', toDay: '2031-02-12' },
  ];
  expect([...tracesOf(changes)].toSorted(([a], [b]) => a - b)).toEqual([
    [2, { isPart: true }],
    [3, { isPart: true, wasDueOn: '2031-02-10' }],
    [4, { isPart: false, wasDueOn: '2031-03-02' }],
  ]);
  expect(tracesOf([])).toEqual(new Map());
  const before: PlanChange[] = [
    { kind: 'moved', number: 2, fromDay: '2031-01-31', toDay: '2031-02-02' },
    { kind: 'split', number: 3, fromDay: '2031-03-02', toDay: '2031-03-10' },
  ];
  expect(tracesOf(before).get(2)).toEqual({ isPart: false, wasDueOn: '2031-01-31' });
});

/** What of a plan's rule does not stand after a step. */
function wrongOf(
  { instalments, changes, rule }: MovablePlan,
  before: MovablePlan,
  priceCentavos: number,
  lastDay: DateOnly | undefined,
): string | undefined {
  if (sum(instalments.map(({ amountCentavos }) => amountCentavos)) !== priceCentavos) return 'not the price';
  if (changes > rule.movesAllowed) return 'more changes than allowed';
  if (instalments.length > MOST_INSTALMENTS) return 'too many instalments';
  if (instalments.at(-1)?.dueOn !== lastDay) return 'it ends on another day';
  for (const [at, each] of instalments.entries()) {
    const [was, next] = [before.instalments[at], instalments[at + 1]];
    if (each.number !== at + 1) return 'numbers have gaps';
    if (each.paidCentavos > each.amountCentavos) return 'more is paid than is due';
    if (next && next.dueOn <= each.dueOn) return 'days do not rise';
    if (
      was &&
      was.paidCentavos > 0 &&
      (each.dueOn !== was.dueOn || each.amountCentavos !== was.amountCentavos)
    )
      return 'what is paid changed';
  }
  return undefined;
}

test('for 10,000 random sequences of moves, splits and payments, the price and the rule stand, and what is paid stays as it is', () => {
  let seed = 15;
  const roll = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const made = { moved: 0, split: 0, paid: 0, refused: new Set<string>() };
  for (let run = 0; run < 10_000; run += 1) {
    const terms = {
      priceCentavos: centavos(10_000 + roll(400_000)),
      depositBasisPoints: 500 + roll(5_000),
      frequencyDays: 1 + roll(30),
      durationDays: 7 + roll(100),
    };
    const rule = {
      movesAllowed: roll(MOVES_ALLOWED.most + 1),
      moveDays: MOVE_DAYS.least + roll(MOVE_DAYS.most),
    };
    let plan: MovablePlan = {
      isActive: true,
      rule,
      changes: 0,
      today: DEPOSIT_ON,
      instalments: buildPlan(terms, DEPOSIT_ON).map((each) => ({
        ...each,
        paidCentavos: each.number === 1 ? each.amountCentavos : centavos(0),
      })),
    };
    const lastDay = plan.instalments.at(-1)?.dueOn;
    for (let step = 0; step < 14; step += 1) {
      const before = plan;
      const number = roll(plan.instalments.length + 2);
      const dueOn = addDays(plan.instalments[number - 1]?.dueOn ?? DEPOSIT_ON, roll(rule.moveDays + 4) - 2);
      const firstCentavos = centavos(roll(terms.priceCentavos / 4));
      const kind = (['moved', 'split', 'paid', 'day'] as const)[roll(4)];
      const carry = (after: readonly { number: number; dueOn: DateOnly; amountCentavos: number }[]) => {
        plan = {
          ...plan,
          changes: plan.changes + 1,
          instalments: after.map((each) => ({
            ...each,
            amountCentavos: centavos(each.amountCentavos),
            paidCentavos: before.instalments[each.number - 1]?.paidCentavos ?? centavos(0),
          })),
        };
      };
      if (kind === 'moved') {
        const problem = moveProblem(plan, number, dueOn);
        const days = freeDays(plan, number);
        if (problem === undefined) {
          if (!days || dueOn < days.from || dueOn > days.to) expect.fail(`run ${run}: ${dueOn} is not free`);
          carry(movedPlan(plan.instalments, number, dueOn));
          made.moved += 1;
        } else made.refused.add(problem);
      } else if (kind === 'split') {
        const problem = splitProblem(plan, number, { dueOn, firstCentavos });
        if (problem === undefined) {
          carry(splitPlan(plan.instalments, number, { dueOn, firstCentavos }));
          made.split += 1;
        } else made.refused.add(problem);
      } else if (kind === 'paid') {
        const owed = plan.instalments.map((each) => ({
          number: each.number,
          balanceCentavos: subtract(each.amountCentavos, each.paidCentavos),
        }));
        const { parts } = allocateOldestFirst(owed, centavos(roll(30_000)));
        plan = {
          ...plan,
          instalments: plan.instalments.map((each) => ({
            ...each,
            paidCentavos: add(
              each.paidCentavos,
              parts.find((part) => part.number === each.number)?.amountCentavos ?? centavos(0),
            ),
          })),
        };
        made.paid += 1;
      } else plan = { ...plan, today: addDays(plan.today, roll(8)) };

      // Asked of each step by itself, `expect` would take most of the time.
      const wrong = wrongOf(plan, before, terms.priceCentavos, lastDay);
      if (wrong !== undefined) expect.fail(`run ${run}, step ${step}: ${wrong}`);
    }
  }
  expect(made.moved).toBeGreaterThan(1_000);
  expect(made.split).toBeGreaterThan(200);
  expect(made.paid).toBeGreaterThan(10_000);
  for (const problem of ['no_changes_left', 'deposit', 'paid', 'last', 'not_later', 'too_late', 'past'])
    expect(made.refused).toContain(problem);
});
