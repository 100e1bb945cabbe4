import { describe, expect, test } from 'vitest';

import { sourcesOf } from '../lifecycle.ts';
import { EMAIL, EMAIL_EVENTS, EMAIL_STATES } from './email.ts';

/** What is not drawn changes nothing. */
const PRINTED = `
  state   | tried          | delivered | not_needed | withdrawn | retried | discarded
  waiting | waiting,failed | sent      | dropped    | dropped   | ·       | ·
  sent    | ·              | sent      | ·          | ·         | ·       | ·
  failed  | ·              | sent      | dropped    | ·         | waiting | dropped
  dropped | ·              | sent      | ·          | ·         | ·       | ·
`;

function printedTable(): Map<string, string> {
  const [head = [], ...rows] = PRINTED.trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return new Map(
    rows.flatMap(([state = '', ...cells]) =>
      cells.map((cell, column) => [`${state} ${head[column + 1]}`, cell] as const),
    ),
  );
}

const printed = printedTable();
const pairs = EMAIL_STATES.flatMap((state) => EMAIL_EVENTS.map((event) => [state, event] as const));

describe('the life of an email', () => {
  test.each(pairs)('one that is %s does what is printed when it is %s', (state, event) => {
    const targets = [EMAIL.moves[state][event] ?? '·'].flat();
    expect(targets.join(',')).toBe(printed.get(`${state} ${event}`));
  });

  test('the printed table and the code name the same pairs', () => {
    expect([...printed.keys()].toSorted()).toEqual(pairs.map((pair) => pair.join(' ')).toSorted());
  });

  test('a try says whether it is the last', () => {
    expect(() => sourcesOf(EMAIL, 'tried')).toThrow('several');
    expect(sourcesOf(EMAIL, 'tried', 'failed')).toEqual([{ from: 'waiting', to: 'failed' }]);
  });
});
