import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';

/** The push service's address of one browser. */
const endpoint = v.pipe(v.string(), v.maxLength(1000), v.url(), v.regex(/^https?:\/\/[\x21-\x7e]+$/));

/** Ours, as all of these. */
export const getPushKey = defineEndpoint({
  name: 'getPushKey',
  summary:
    'The key that a browser needs before a push service gives it an address; null where nothing is pushed.',
  method: 'GET',
  path: '/v1/Push',
  access: ['buyer'],
  reply: envelope(v.object({ vapidKey: v.nullable(v.string()) })),
  refusals: [],
});

export const savePush = defineEndpoint({
  name: 'savePush',
  summary:
    'Tells this browser from now on of due dates and money of the signed-in buyer; the ten newest of a buyer are told. Whoever had it before is told there no more.',
  method: 'PUT',
  path: '/v1/Push',
  access: ['buyer'],
  body: v.object({
    endpoint,
    p256dh: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{87}$/)),
    auth: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/)),
  }),
  reply: envelope(v.null()),
  refusals: ['PUSH_NOT_TAKEN'],
});

export const endPush = defineEndpoint({
  name: 'endPush',
  summary: 'Tells one browser of the signed-in buyer no more; answers alike when it was not told.',
  method: 'POST',
  path: '/v1/Push/End',
  access: ['buyer'],
  body: v.object({ endpoint }),
  reply: envelope(v.null()),
  refusals: [],
});
