import { testMoves } from '../../../test/lifecycle.ts';
import { CASH_REFERENCE, CASH_REFERENCE_EVENTS, CASH_REFERENCE_STATES } from './cash-reference.ts';

// One that ended while Tapi was asked gets its number all the same, and stays as it is.
testMoves(
  CASH_REFERENCE,
  CASH_REFERENCE_STATES,
  CASH_REFERENCE_EVENTS,
  `
  state, kept | issued | issued_to_helper | refused | closed
  requesting  | issued | with_helper      | failed  | closed
  issued      | ·      | ·                | ·       | closed
  with_helper | ·      | ·                | ·       | closed
  failed      | failed | failed           | ·       | ·
  closed      | closed | closed           | ·       | ·
`,
);
