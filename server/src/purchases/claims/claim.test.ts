import { testMoves } from '../../../test/lifecycle.ts';
import { CLAIM, CLAIM_EVENTS, CLAIM_STATES } from './claim.ts';

// rules/goods#claims
testMoves(
  CLAIM,
  CLAIM_STATES,
  CLAIM_EVENTS,
  `
  state, kept | answered | handed_over | paid_back | withdrawn
  open        | answered | delivered   | refunded  | withdrawn
  answered    | answered | delivered   | refunded  | withdrawn
  delivered   | ·        | ·           | ·         | ·
  refunded    | ·        | ·           | ·         | ·
  withdrawn   | ·        | ·           | ·         | ·
`,
);
