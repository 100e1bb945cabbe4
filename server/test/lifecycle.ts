import { describe, expect, test } from 'vitest';

import type { Lifecycle } from '../src/platform/lifecycle.ts';

/**
 * Compares every pair of state and event with a table that is drawn in a test: a row per state, a column per event, `·` where
 * the event is refused, and a comma between several targets. Its first cell says `state, kept` where moves are kept in the history.
 */
export function testMoves<State extends string, Event extends string>(
  { subject, moves, hasHistory }: Pick<Lifecycle<State, Event>, 'subject' | 'moves' | 'hasHistory'>,
  states: readonly State[],
  events: readonly Event[],
  drawn: string,
): void {
  const [[corner, ...columns] = [], ...rows] = drawn
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const expected = new Map(
    rows.flatMap(([state, ...cells]) =>
      cells.map((cell, column) => [`${state} ${columns[column]}`, cell] as const),
    ),
  );
  const pairs = states.flatMap((state) => events.map((event) => [state, event] as const));

  describe(`the life of a ${subject.replaceAll('_', ' ')}`, () => {
    test.each(pairs)('%s, then %s', (state, event) => {
      expect([moves[state][event] ?? '·'].flat().join(',')).toBe(expected.get(`${state} ${event}`));
    });

    test('is kept in the history where it is drawn so', () => {
      expect(hasHistory).toBe(corner === 'state, kept');
    });

    test('is drawn with all its states and events, and no others', () => {
      expect([...expected.keys()].toSorted()).toEqual(pairs.map((pair) => pair.join(' ')).toSorted());
      expect(Object.keys(moves).toSorted()).toEqual(states.toSorted());
    });
  });
}
