import { testMoves } from '../../../test/lifecycle.ts';
import { CASH_NOTICE, CASH_NOTICE_EVENTS, CASH_NOTICE_OUTCOMES } from './cash-notice.ts';

// Only cash that is not applied yet is ever decided (rules/tills-and-cash#cash-notices).
testMoves(
  CASH_NOTICE,
  CASH_NOTICE_OUTCOMES,
  CASH_NOTICE_EVENTS,
  `
  state, kept | applied | owed_back | taken_back | reversal_booked
  unapplied | applied | owed_back | noted      | reversed
  applied   | ·       | ·         | ·          | ·
  owed_back | ·       | ·         | ·          | ·
  reversed  | ·       | ·         | ·          | ·
  noted     | ·       | ·         | ·          | ·
`,
);
