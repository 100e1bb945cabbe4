import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';

/** Ours: of a logout that the server did not hear. What a browser keeps for it signs nobody in. */
export const logoutLater = defineEndpoint({
  name: 'logoutBuyerLater',
  summary:
    "Ends the session whose token has this SHA-256, in base64. One that is over, or nobody's, changes nothing.",
  method: 'POST',
  path: '/v1/TokenBuyer/LogoutLater',
  access: 'public',
  body: v.object({ tokenHash: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/)) }),
  reply: envelope(v.null()),
  refusals: [],
});
