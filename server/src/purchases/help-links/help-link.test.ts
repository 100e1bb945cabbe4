import { testMoves } from '../../../test/lifecycle.ts';
import { HELP_LINK, HELP_LINK_EVENTS, HELP_LINK_STATES } from './help-link.ts';

testMoves(
  HELP_LINK,
  HELP_LINK_STATES,
  HELP_LINK_EVENTS,
  `
  state   | revoked | rejections
  live    | revoked | closed
  revoked | ·       | ·
  closed  | ·       | ·
`,
);
