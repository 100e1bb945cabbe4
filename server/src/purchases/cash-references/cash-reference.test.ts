import { testMoves } from '../../../test/lifecycle.ts';
import { CASH_REFERENCE, CASH_REFERENCE_EVENTS, CASH_REFERENCE_STATES } from './cash-reference.ts';

// One that ended while Tapi was asked gets its number all the same, and stays as it is.
testMoves(
  CASH_REFERENCE,
  CASH_REFERENCE_STATES,
  CASH_REFERENCE_EVENTS,
  `
  state, kept | issued | refused | closed
  requesting | issued | failed  | closed
  issued     | ·      | ·       | closed
  failed     | failed | ·       | ·
  closed     | closed | ·       | ·
`,
);
