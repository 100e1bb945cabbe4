import { testMoves } from '../../../test/lifecycle.ts';
import { REFUND, REFUND_EVENTS, REFUND_STATES } from './refund.ts';

// rules/refunds#states. One in cash knows `owed` and `done` alone.
testMoves(
  REFUND,
  REFUND_STATES,
  REFUND_EVENTS,
  `
  state, kept | claimed | refunded | declined | unauthorised | unreachable | books_disagree | not_seen | blocked | retried | moved_to_cash | handed_over | bounced | refunded_externally | partly_refunded_externally | returned_by_store
  owed          | sending | done     | ·        | ·            | ·           | ·              | ·        | blocked | ·       | moved_to_cash | done        | ·       | done                | owed                       | done
  sending       | ·       | done     | owed     | owed         | unknown     | unknown        | unknown  | blocked | ·       | moved_to_cash | ·           | ·       | ·                   | ·                          | ·
  unknown       | ·       | done     | owed     | owed         | unknown     | unknown        | unknown  | blocked | ·       | moved_to_cash | ·           | ·       | ·                   | ·                          | ·
  blocked       | ·       | ·        | ·        | ·            | ·           | ·              | ·        | ·       | owed    | moved_to_cash | ·           | ·       | done                | owed                       | ·
  done          | ·       | ·        | ·        | ·            | ·           | ·              | ·        | ·       | ·       | ·             | ·           | owed    | ·                   | ·                          | ·
  moved_to_cash | ·       | ·        | ·        | ·            | ·           | ·              | ·        | ·       | ·       | ·             | ·           | ·       | ·                   | ·                          | ·
`,
);
