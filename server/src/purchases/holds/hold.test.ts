import { testMoves } from '../../../test/lifecycle.ts';
import { HOLD, HOLD_EVENTS, HOLD_STATES } from './hold.ts';

// rules/goods#holds: what was handed over never goes back on sale.
testMoves(
  HOLD,
  HOLD_STATES,
  HOLD_EVENTS,
  `
  state     | taken_again | released | delivered
  held      | ·           | released | delivered
  released  | held        | ·        | ·
  delivered | ·           | ·        | ·
`,
);
