import { testMoves } from '../../../test/lifecycle.ts';
import { describe, expect, test } from 'vitest';

import {
  afterEvent,
  DEFAULT_INVOICE_CLOCKS,
  INVOICE,
  INVOICE_EVENTS,
  INVOICE_STATES,
  INVOICE_TABLE,
  isClosed,
  isUnderWay,
  nextTryMs,
} from './invoice.ts';

/** rules/invoicing#life as a table; `·` changes nothing. Written from the design, not from the code. */
const PRINTED = `
  state, kept | claimed | stamped | refused | not_sent  | unreachable | lost   | late   | agrees | differs | accepted | withdrawn | undone
  requested | sending | stamped | refused | ·         | ·           | ·      | review | ·      | ·       | ·        | cancelled | ·
  sending   | ·       | stamped | refused | requested | review      | review | ·      | ·      | ·       | ·        | ·         | ·
  stamped   | ·       | ·       | ·       | ·         | ·           | ·      | review | issued | review  | ·        | ·         | ·
  issued    | ·       | ·       | ·       | ·         | ·           | ·      | ·      | ·      | ·       | ·        | ·         | cancelled
  review    | ·       | stamped | refused | requested | ·           | ·      | ·      | ·      | ·       | issued   | ·         | cancelled
  refused   | ·       | ·       | ·       | ·         | ·           | ·      | ·      | ·      | ·       | ·        | ·         | ·
  cancelled | ·       | ·       | ·       | ·         | ·           | ·      | ·      | ·      | ·       | ·        | ·         | ·
`;

testMoves(INVOICE, INVOICE_STATES, INVOICE_EVENTS, PRINTED);

const pairs = INVOICE_STATES.flatMap((state) => INVOICE_EVENTS.map((event) => [state, event] as const));

describe('an event of an invoice', () => {
  test.each(pairs)('in %s leads where the table says on %s', (state, event) => {
    expect(afterEvent(state, event)).toBe(INVOICE.moves[state][event]);
  });

  test('is sent from one state alone, and no unknown outcome leads back there', () => {
    const toSending = INVOICE_STATES.filter((state) =>
      Object.values(INVOICE_TABLE[state]).includes('sending' as never),
    );
    expect(toSending).toEqual(['requested']);
    for (const event of ['unreachable', 'lost', 'differs'] as const) {
      for (const state of INVOICE_STATES) expect(afterEvent(state, event) ?? 'review').toBe('review');
    }
  });

  test('is closed only in states without a further move, and never while the job works on it', () => {
    for (const state of INVOICE_STATES) {
      const moves = Object.keys(INVOICE_TABLE[state]);
      expect([state, moves.length > 0]).toEqual([state, !isClosed(state)]);
      expect(isClosed(state) && isUnderWay(state)).toBe(false);
    }
  });
});

describe('a provider that is down', () => {
  test.each([
    [0, 30_000],
    [60_000, 30_000],
    [600_000, 300_000],
    [7_200_000, 3_600_000],
    [3 * 86_400_000, 3_600_000],
  ])('is asked again, after %i ms, in %i ms', (age, ms) => expect(nextTryMs(age)).toBe(ms));

  test('is asked some ninety times before an operator is called', () => {
    let age = 0;
    let tries = 0;
    for (; age < DEFAULT_INVOICE_CLOCKS.invoiceLateMs; tries += 1) age += nextTryMs(age);
    expect(tries).toBeGreaterThan(50);
    expect(tries).toBeLessThan(120);
  });
});
