import { describe, expect, test } from 'vitest';

import { testMoves } from '../../../test/lifecycle.ts';
import { sourcesOf } from '../lifecycle.ts';
import { EMAIL, EMAIL_EVENTS, EMAIL_STATES } from './email.ts';

const PRINTED = `
  state   | tried          | delivered | not_needed | withdrawn | retried | discarded
  waiting | waiting,failed | sent      | dropped    | dropped   | ·       | ·
  sent    | ·              | sent      | ·          | ·         | ·       | ·
  failed  | ·              | sent      | dropped    | ·         | waiting | dropped
  dropped | ·              | sent      | ·          | ·         | ·       | ·
`;

testMoves(EMAIL, EMAIL_STATES, EMAIL_EVENTS, PRINTED);

describe('sending an email', () => {
  test('a try says whether it is the last', () => {
    expect(() => sourcesOf(EMAIL, 'tried')).toThrow('several');
    expect(sourcesOf(EMAIL, 'tried', 'failed')).toEqual([{ from: 'waiting', to: 'failed' }]);
  });
});
