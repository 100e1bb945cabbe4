import * as v from 'valibot';

import { defineEndpoint } from './endpoint.ts';

/** Ours: what an open screen hears. Of no use to a stranger: it says that something is new, and never what. */
export const streamChanges = defineEndpoint({
  name: 'streamChanges',
  summary:
    "An open stream that says `changed` when money of the buyer's was applied or taken back: ask again then. It ends with the session, and now and then by itself; open it again after some seconds.",
  method: 'GET',
  path: '/v1/Changes/Stream',
  access: ['buyer'],
  isStream: true,
  reply: v.literal('changed'),
  refusals: [],
});
