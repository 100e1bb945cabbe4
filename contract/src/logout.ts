import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';

export const logout = defineEndpoint({
  name: 'logoutBuyer',
  summary: 'Ends the session that the call carries.',
  method: 'POST',
  path: '/v1/TokenBuyer/Logout',
  access: ['buyer'],
  reply: envelope(v.null()),
  refusals: [],
});
