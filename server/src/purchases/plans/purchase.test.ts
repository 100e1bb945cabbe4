import { testMoves } from '../../../test/lifecycle.ts';
import { PURCHASE, PURCHASE_EVENTS, PURCHASE_STATES } from './purchase.ts';

// rules/layaways#cancelling: what has ended stays so.
testMoves(
  PURCHASE,
  PURCHASE_STATES,
  PURCHASE_EVENTS,
  `
  state     | cancelled | voided    | handed_over
  active    | cancelled | cancelled | delivered
  cancelled | ·         | ·         | ·
  delivered | ·         | ·         | ·
`,
);
