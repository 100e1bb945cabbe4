import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';

const choice = v.object({ isDigestOn: v.boolean() });

export const readDigestChoice = defineEndpoint({
  name: 'readDigestChoice',
  summary: 'Whether the owner is mailed each morning how their shop stands.',
  method: 'GET',
  path: '/v1/counter/digest',
  access: ['staff'],
  act: 'own_digest',
  reply: envelope(choice),
  refusals: [],
});

export const setDigestChoice = defineEndpoint({
  name: 'setDigestChoice',
  summary: 'Turns the email of each morning on or off, for the owner who calls.',
  method: 'POST',
  path: '/v1/counter/digest',
  access: ['staff'],
  act: 'own_digest',
  body: choice,
  reply: envelope(v.null()),
  refusals: [],
});
