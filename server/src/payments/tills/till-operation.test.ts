import { testMoves } from '../../../test/lifecycle.ts';
import { TILL_OPERATION, TILL_STATES } from './till-operation.ts';

// What took money may be reversed, once (rules/tills-and-cash#till-reversals).
testMoves(
  TILL_OPERATION,
  TILL_STATES,
  ['reversed'],
  `
                 | reversed
  authorised     | reversed
  refused        | ·
  reversed       | ·
  reversed_first | ·
`,
);
