import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addDays, type DateOnly, daysBetween } from './calendar.ts';
import { END_DAYS_LATE, type EndWarning, nextEndStep, planEndsOn, voidedBy } from './plan-end.ts';

const dueOn = '2031-06-01';
const day = (late: number): DateOnly => addDays(dueOn, late);

/** Runs a plan's rule day by day, each warning going out so many days after it is written; what happened on which day late. */
function live(endDaysLate: number, { from, sendTakes }: { from: number; sendTakes: readonly number[] }) {
  const written: { step: EndWarning['step']; on: number; sent: number }[] = [];
  for (let late = from; late < from + 500; late += 1) {
    const warnings = written.map(({ step, sent }) => ({
      step,
      sentOn: sent <= late ? day(sent) : undefined,
    }));
    const step = nextEndStep({ dueOn, endDaysLate, warnings, today: day(late) });
    if (step === 'end') return { written, ended: late };
    if (step !== undefined) written.push({ step, on: late, sent: late + (sendTakes[written.length] ?? 0) });
  }
  return { written, ended: undefined };
}

test('a plan of 45 days is warned of on days 31 and 42 late, and ends on day 45', () => {
  expect(live(45, { from: 0, sendTakes: [] })).toEqual({
    written: [
      { step: 'first', on: 31, sent: 31 },
      { step: 'last', on: 42, sent: 42 },
    ],
    ended: 45,
  });
});

test('a warning that could not be made in time moves the end', () => {
  expect(live(45, { from: 40, sendTakes: [] })).toMatchObject({
    written: [{ on: 40 }, { on: 51 }],
    ended: 54,
  });
  expect(live(45, { from: 0, sendTakes: [0, 5] })).toMatchObject({
    written: [{ on: 31 }, { on: 42 }],
    ended: 50,
  });
});

test('a warning that never went out ends nothing', () => {
  expect(live(30, { from: 0, sendTakes: [999] }).ended).toBeUndefined();
  expect(live(30, { from: 0, sendTakes: [0, 999] }).ended).toBeUndefined();
});

test('the buyer reads the day that it will end on, were all of it in time', () => {
  const clock = { dueOn, endDaysLate: 45, today: day(31) };
  expect(planEndsOn({ ...clock, warnings: [] })).toBe(day(45));
  expect(planEndsOn({ ...clock, today: day(36), warnings: [{ step: 'first', sentOn: undefined }] })).toBe(
    day(50),
  );
});

test('time that was given lasts until the end of its day, never ends a plan earlier, and makes the warnings void whose days are to come again', () => {
  const clock = { dueOn, endDaysLate: 45, today: day(31), warnings: [] };
  expect(planEndsOn({ ...clock, moreTimeUntil: day(60) })).toBe(day(61));
  expect(planEndsOn({ ...clock, moreTimeUntil: day(40) })).toBe(day(45));
  expect([45, 46].map((ends) => voidedBy(day(ends), day(31)))).toEqual([['last'], ['first', 'last']]);
  expect([45, 46].map((ends) => voidedBy(day(ends), day(42)))).toEqual([[], ['last']]);
});

test('no plan ends before its day, nor before both warnings went out 14 and 3 days ago', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: END_DAYS_LATE.least, max: END_DAYS_LATE.most }),
      fc.nat(400),
      fc.tuple(fc.nat(20), fc.nat(20)),
      (endDaysLate, from, sendTakes) => {
        const { written, ended } = live(endDaysLate, { from, sendTakes });
        const [first, last] = written;
        expect(written.map(({ step }) => step)).toEqual(['first', 'last']);
        expect(ended).toBe(Math.max(endDaysLate, first!.sent + 14, last!.sent + 3));
        expect(daysBetween(day(last!.on), day(ended!))).toBeGreaterThanOrEqual(3);
      },
    ),
    // The longest of all: it ends on day 405.
    { examples: [[END_DAYS_LATE.most, 0, [20, 20]]] },
  );
});
