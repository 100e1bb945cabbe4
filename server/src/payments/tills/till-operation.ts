import type { TillState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const TILL_STATES = [
  'authorised',
  'refused',
  'reversed',
  'reversed_first',
] as const satisfies TillState[];
export type { TillState } from '../../platform/db/tables.ts';

/** The life of a till's operation. Refusals are kept so that the same call gets the same answer, and so is a reversal that came first. */
export const TILL_OPERATION: Lifecycle<TillState, 'reversed'> = {
  subject: 'till_operation',
  table: 'till_operations',
  id: 'id',
  column: 'state',
  hasHistory: false,
  initial: 'authorised',
  moves: { authorised: { reversed: 'reversed' }, refused: {}, reversed: {}, reversed_first: {} },
};
