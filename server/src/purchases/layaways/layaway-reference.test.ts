import { testMoves } from '../../../test/lifecycle.ts';
import {
  LAYAWAY_REFERENCE,
  LAYAWAY_REFERENCE_EVENTS,
  LAYAWAY_REFERENCE_STATES,
} from './layaway-reference.ts';

// rules/layaways#frozen-terms: a payment that began before expiry still pays. Nothing pays one that was cancelled.
testMoves(
  LAYAWAY_REFERENCE,
  LAYAWAY_REFERENCE_STATES,
  LAYAWAY_REFERENCE_EVENTS,
  `
  state     | paid | expired | cancelled
  open      | paid | expired | cancelled
  paid      | ·    | ·       | ·
  expired   | paid | ·       | ·
  cancelled | ·    | ·       | ·
`,
);
