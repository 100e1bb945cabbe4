import type { HelpLinkState } from '../../platform/db/tables.ts';
import type { Lifecycle } from '../../platform/lifecycle.ts';

export const HELP_LINK_STATES = ['live', 'revoked', 'closed'] as const satisfies HelpLinkState[];

export const HELP_LINK_EVENTS = [
  /** Its buyer ended it. */
  'revoked',
  /** Too many cards were rejected at it. */
  'rejections',
] as const;
export type HelpLinkEvent = (typeof HELP_LINK_EVENTS)[number];

/** The life of a help link (rules/helping#links). That its time is over, or its purchase, is no state of it. */
export const HELP_LINK: Lifecycle<HelpLinkState, HelpLinkEvent> = {
  subject: 'help_link',
  table: 'help_links',
  id: 'id',
  column: 'state',
  hasHistory: false,
  initial: 'live',
  moves: {
    live: { revoked: 'revoked', rejections: 'closed' },
    revoked: {},
    closed: {},
  },
};
