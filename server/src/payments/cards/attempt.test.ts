import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ATTEMPT,
  ATTEMPT_EVENTS,
  ATTEMPT_STATES,
  ATTEMPT_TABLE,
  type AttemptState,
  type Clocks,
  DEFAULT_CLOCKS,
  nextPollMs,
  OBSERVATIONS,
  OPEN_STATES,
  overdue,
} from './attempt.ts';

/**
 * rules/card-attempts#transitions, a column per event. `!` alerts; `·` changes nothing; `–` cannot happen, so it changes nothing
 * and raises an alert. Written from the rules, not from the code.
 */
const PRINTED = `
  state       | approved | mismatch | requires_action | processing | declined  | reversed   | not_found | unreachable | unusable  | not_sent    | repeated | not_found_early | resumed     | deadline    | operator_applied | operator_returned
  submitting  | A/V      | held !   | pending_3ds     | unknown    | rejected  | returned¹  | ·         | unknown     | unknown ! | not_charged | –        | ·               | –           | unknown     | –                | –
  pending_3ds | A/V      | held !   | refresh         | ·          | rejected  | returned¹  | · !       | ·           | · !       | –           | –        | · !             | –           | abandoned   | –                | –
  unknown     | A/V      | held !   | 3ds²            | ·          | rejected  | returned¹  | count     | ·           | · !       | –           | –        | ·               | –           | abandoned ! | –                | –
  held        | A/V⁴    | held     | ·               | ·          | rejected⁶ | returned¹  | · !       | ·           | · !       | –           | –        | · !             | –           | returned⁸ ! | applied          | returned
  rejected    | A/V!     | held !   | ·               | ·          | ·         | returned¹! | ·         | ·           | · !       | –           | –        | ·               | –           | –           | –                | –
  not_charged | A/V!     | held !   | abandoned       | ·          | rejected  | returned¹! | ·         | ·           | · !       | ·           | –        | ·               | –           | –           | –                | –
  abandoned   | A/V      | held !   | ·               | ·          | rejected  | returned¹  | ·         | ·           | · !       | –           | ·        | ·               | pending_3ds | –           | –                | –
  applied     | ·        | · !      | ·               | ·          | · !       | · !        | · !       | ·           | · !       | –           | ·        | · !             | –           | –           | –                | –
  returned    | ·        | · !      | ·               | ·          | · !       | · !        | · !       | ·           | · !       | –           | ·        | · !             | –           | –           | –                | –
`;

const WORDS: Readonly<Record<string, string>> = {
  'A/V': 'apply_or_return',
  'A/V⁴': 'apply_or_return_if_agreed',
  '·': 'stay',
  '–': 'stay',
  'returned¹': 'record_reversal',
  'rejected⁶': 'refuse_unless_captured',
  '3ds²': 'await_3ds',
  count: 'count_not_found',
  'returned⁸': 'return_or_abandon',
};

/** The states that each act may lead to, written from the design. */
const MAY_BECOME: Readonly<Record<string, readonly AttemptState[]>> = {
  apply_or_return: ['applied', 'returned'],
  apply_or_return_if_agreed: ['applied', 'returned'],
  count_not_found: ['not_charged'],
  record_reversal: ['returned', 'held'],
  await_3ds: ['pending_3ds', 'abandoned'],
  refuse_unless_captured: ['rejected', 'returned', 'held'],
  return_or_abandon: ['returned', 'abandoned'],
  ...Object.fromEntries(ATTEMPT_STATES.map((state) => [state, [state]])),
};

function printedTable(): Map<string, { act: string; alert: boolean }> {
  const [head = [], ...rows] = PRINTED.trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return new Map(
    rows.flatMap(([state = '', ...cells]) =>
      cells.map((cell, column) => {
        const word = cell.replaceAll(/\s*!$/g, '');
        const alert = cell.endsWith('!') || cell === '–';
        return [`${state} sees ${head[column + 1]}`, { act: WORDS[word] ?? word, alert }] as const;
      }),
    ),
  );
}

const printed = printedTable();
const pairs = ATTEMPT_STATES.flatMap((state) => ATTEMPT_EVENTS.map((event) => [state, event] as const));

describe('what each observation does in each state', () => {
  test('is kept in the history', () => {
    expect(ATTEMPT.hasHistory).toBe(true);
  });

  test.each(pairs)('an attempt that is %s and is seen as %s does what the design prints', (state, seen) => {
    expect(ATTEMPT_TABLE[state][seen]).toEqual(printed.get(`${state} sees ${seen}`));
  });

  test.each(pairs)('an attempt that is %s is moved by %s only where the design prints it', (state, event) => {
    const targets = MAY_BECOME[printed.get(`${state} sees ${event}`)?.act ?? ''] ?? [];
    const allowed = ATTEMPT.moves[state][event] ?? [];
    expect([allowed].flat()).toEqual(targets.filter((to) => to !== state));
  });

  test('the printed table and the code name the same states and observations', () => {
    expect([...printed.keys()].toSorted()).toEqual(
      pairs.map(([state, seen]) => `${state} sees ${seen}`).toSorted(),
    );
    const inCode = Object.entries(ATTEMPT_TABLE).flatMap(([state, row]) =>
      Object.keys(row).map((seen) => `${state} sees ${seen}`),
    );
    expect(inCode.toSorted()).toEqual([...printed.keys()].toSorted());
  });

  test('approved money is applied wherever it was not yet', () => {
    for (const state of ATTEMPT_STATES) {
      const decided = state === 'applied' || state === 'returned';
      const act = state === 'held' ? 'apply_or_return_if_agreed' : 'apply_or_return';
      expect([state, ATTEMPT_TABLE[state].approved.act]).toEqual([state, decided ? 'stay' : act]);
    }
  });

  test('an attempt that freed its reference never takes the slot again by being polled', () => {
    const open: readonly string[] = [...OPEN_STATES, 'await_3ds', 'refresh', 'count_not_found'];
    for (const state of ATTEMPT_STATES.filter((one) => !OPEN_STATES.some((taken) => taken === one))) {
      for (const seen of OBSERVATIONS) expect(open).not.toContain(ATTEMPT_TABLE[state][seen].act);
    }
  });
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('what time does', () => {
  const after = (state: AttemptState, inStateMs: number) => overdue({ state, inStateMs }, DEFAULT_CLOCKS);

  test.each([
    ['submitting', MINUTE, 'deadline', 'unknown', false],
    ['pending_3ds', 30 * MINUTE, 'deadline', 'abandoned', false],
    ['unknown', HOUR, 'reminder', undefined, true],
    ['unknown', 24 * HOUR, 'deadline', 'abandoned', true],
    ['held', 24 * HOUR, 'reminder', undefined, true],
    ['held', 72 * HOUR, 'deadline', 'return_or_abandon', true],
  ] as const)('%s after %i ms: its %s', (state, ms, over, act, alert) => {
    expect(after(state, ms)).toBe(over);
    expect(after(state, ms - 1)).not.toBe(over);
    if (over === 'deadline') expect(ATTEMPT_TABLE[state].deadline).toEqual({ act, alert });
  });

  test('time does nothing to an attempt that freed its reference', () => {
    for (const state of ['rejected', 'not_charged', 'abandoned', 'applied', 'returned'] as const)
      expect(after(state, 1_000 * HOUR)).toBeUndefined();
  });
});

test('an open payment is polled at the times that the rules state', () => {
  const { unknownPollsMs, threeDsPollsMs, watchPollsMs, pollEveryMs } = DEFAULT_CLOCKS;
  expect(DEFAULT_CLOCKS).toMatchObject({ sendWithinMs: 20_000, coalesceMs: 3_000 });
  const inUnits = (times: readonly number[], unitMs: number) => times.map((ms) => ms / unitMs);
  expect(inUnits(unknownPollsMs, 1_000)).toEqual([15, 30, 60, 120, 240, 480, 720, 1_020, 1_200]);
  expect(inUnits(threeDsPollsMs, 1_000)).toEqual([10, 30, 60, 120, 300, 600, 900, 1_800]);
  expect(inUnits([...watchPollsMs, pollEveryMs], 3_600_000)).toEqual([1, 3, 12, 24, 48, 24]);
});

test('the next poll is the schedule’s, counted from the beginning of the state; then as often as its last one', () => {
  const next = (state: AttemptState, polls: number, seconds: number) =>
    (nextPollMs(state, polls, seconds * 1_000, DEFAULT_CLOCKS) ?? NaN) / 1_000;
  expect(next('submitting', 0, 0)).toBe(60);
  expect([next('unknown', 0, 0), next('unknown', 1, 20), next('unknown', 1, 40)]).toEqual([15, 10, 0]);
  expect([next('pending_3ds', 0, 0), next('held', 0, 0)]).toEqual([10, 3_600]);
  expect([next('unknown', 9, 1_200), next('held', 5, 48 * 3_600)]).toEqual([1_200, 24 * 3_600]);
});

/** Any settings of the clocks, with their schedules in order. */
const clocks: fc.Arbitrary<Clocks> = fc
  .record({
    waits: fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 8, maxLength: 8 }),
    schedules: fc.array(fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 9 }), {
      minLength: 3,
      maxLength: 3,
    }),
    notFoundNeeded: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ waits, schedules, notFoundNeeded }) => {
    const [submittingMs = 1, threeDsMs = 1, unknownAlertMs = 1, unknownEndsMs = 1, heldAlertMs = 1] = waits;
    const [heldEndsMs = 1, notFoundCountsAfterMs = 1, watchEndsMs = 1] = waits.slice(5);
    const [unknownPollsMs = [], threeDsPollsMs = [], watchPollsMs = []] = schedules.map((times) =>
      times.toSorted((a, b) => a - b),
    );
    return {
      ...DEFAULT_CLOCKS,
      submittingMs,
      threeDsMs,
      unknownAlertMs,
      unknownEndsMs,
      heldAlertMs,
      heldEndsMs,
      notFoundCountsAfterMs,
      watchEndsMs,
      unknownPollsMs,
      threeDsPollsMs,
      watchPollsMs,
      notFoundNeeded,
      pollEveryMs: 2_000,
    };
  });

describe('every wait has an end', () => {
  /** Lives an attempt through its own schedule while the provider stays silent; returns each state with when it began. */
  function liveUnreachable(first: AttemptState, settings: Clocks, captured: boolean) {
    const lived: { state: AttemptState; atMs: number }[] = [{ state: first, atMs: 0 }];
    let state = first;
    let polls = 0;
    let since = 0;
    let now = 0;
    for (let turn = 0; turn < 100_000; turn += 1) {
      const next = nextPollMs(state, polls, now - since, settings);
      if (next === undefined) return { lived, endedAtMs: now };
      expect(next).toBeGreaterThanOrEqual(0);
      now += next;
      polls += 1;
      if (overdue({ state, inStateMs: now - since }, settings) !== 'deadline') continue;
      const { act } = ATTEMPT_TABLE[state].deadline;
      state = act === 'return_or_abandon' ? (captured ? 'returned' : 'abandoned') : (act as AttemptState);
      polls = 0;
      since = now;
      lived.push({ state, atMs: now });
    }
    throw new Error(`still polling: ${JSON.stringify(lived)}`);
  }

  test.each([
    ['submitting', ['submitting', 'unknown', 'abandoned']],
    ['pending_3ds', ['pending_3ds', 'abandoned']],
    ['unknown', ['unknown', 'abandoned']],
    ['held', ['held', 'returned']],
    ['abandoned', ['abandoned']],
    ['not_charged', ['not_charged']],
  ] as const)('a provider that is silent for ever does not keep a buyer waiting: %s', (state, states) => {
    const { lived, endedAtMs } = liveUnreachable(state, DEFAULT_CLOCKS, true);
    expect(lived.map((one) => one.state)).toEqual(states);
    expect(endedAtMs).toBeLessThanOrEqual(24 * HOUR * 11);
  });

  test('one that the provider still waits for is polled ever more seldom, eight weeks long', () => {
    const next = (days: number) =>
      nextPollMs('abandoned', 12, days * 24 * HOUR, DEFAULT_CLOCKS, true) ?? Infinity;
    expect([7, 14, 28, 56].map((days) => next(days) / (24 * HOUR))).toEqual([7, 14, 28, Infinity]);
  });

  test('a freed attempt is watched for seven days and no longer than eight', () => {
    for (const state of ['abandoned', 'not_charged'] as const) {
      const { endedAtMs } = liveUnreachable(state, DEFAULT_CLOCKS, false);
      expect(endedAtMs).toBeGreaterThanOrEqual(7 * 24 * HOUR);
      expect(endedAtMs).toBeLessThan(8 * 24 * HOUR);
    }
  });

  test('an unknown charge frees its reference within twenty minutes after a day, a 3DS at once after its half hour', () => {
    const freed = (state: AttemptState) =>
      liveUnreachable(state, DEFAULT_CLOCKS, false).lived.at(-1)?.atMs ?? 0;
    expect(freed('unknown')).toBeLessThan(24 * HOUR + 21 * MINUTE);
    expect(freed('pending_3ds')).toBe(30 * MINUTE);
    expect(freed('held')).toBe(72 * HOUR);
  });

  test('whatever the clocks, an open or held attempt always has a next poll and ends', () => {
    fc.assert(
      fc.property(
        clocks,
        fc.constantFrom<AttemptState>(...OPEN_STATES, 'held', 'abandoned', 'not_charged'),
        fc.boolean(),
        (settings, state, captured) => {
          const { lived } = liveUnreachable(state, settings, captured);
          const last = lived.at(-1)?.state;
          expect([...OPEN_STATES, 'held']).not.toContain(last);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a poll is never scheduled in the past nor further than a day ahead', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ATTEMPT_STATES),
        fc.nat(400),
        fc.nat(100 * 24 * HOUR),
        (state, polls, inStateMs) => {
          const next = nextPollMs(state, polls, inStateMs, DEFAULT_CLOCKS);
          if (next === undefined) return;
          expect(next).toBeGreaterThanOrEqual(0);
          expect(next).toBeLessThanOrEqual(48 * HOUR);
          // After the schedule is used up, polls are minutes apart: no job spins.
          if (polls > 9) expect(next).toBeGreaterThanOrEqual(MINUTE);
        },
      ),
    );
  });

  test('two of the scheduled polls of a lost reply come after the card token died', () => {
    const late = DEFAULT_CLOCKS.unknownPollsMs.filter((ms) => ms >= DEFAULT_CLOCKS.notFoundCountsAfterMs);
    expect(DEFAULT_CLOCKS.notFoundCountsAfterMs).toBeGreaterThan(15 * MINUTE);
    expect(late.length).toBeGreaterThanOrEqual(DEFAULT_CLOCKS.notFoundNeeded);
  });
});
