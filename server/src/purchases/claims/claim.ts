import type { ClaimState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const CLAIM_STATES = [
  'open',
  'answered',
  'delivered',
  'refunded',
  'withdrawn',
] as const satisfies ClaimState[];

export const CLAIM_EVENTS = [
  /** The shop told its buyer something. */
  'answered',
  /** The goods were handed over. */
  'handed_over',
  /** The purchase ended, and what was paid goes back or went back before. */
  'paid_back',
  /** Its buyer takes it back, or cancels the purchase, of which a payment was taken back since. */
  'withdrawn',
] as const;
export type ClaimEvent = (typeof CLAIM_EVENTS)[number];

/** The life of a claim (rules/goods#claims). That it is overdue is no state of it: its moment says so. */
export const CLAIM: Lifecycle<ClaimState, ClaimEvent> = {
  subject: 'claim',
  table: 'claims',
  id: 'id',
  column: 'state',
  hasHistory: true,
  initial: 'open',
  moves: {
    open: {
      answered: 'answered',
      handed_over: 'delivered',
      paid_back: 'refunded',
      withdrawn: 'withdrawn',
    },
    answered: {
      answered: 'answered',
      handed_over: 'delivered',
      paid_back: 'refunded',
      withdrawn: 'withdrawn',
    },
    delivered: {},
    refunded: {},
    withdrawn: {},
  },
};
