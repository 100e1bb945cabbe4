import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { idField, idParam, moment } from './text.ts';

/** Ours: one place where the buyer is signed in: a session, or a browser that stays so. */
const openSession = v.object({
  id: idField,
  openedAt: moment,
  expiresAt: moment,
  /** What the browser called itself at sign-in; '' when it said nothing. */
  device: v.string(),
  /** Whether it is the one that asks. */
  isThis: v.boolean(),
  /** Whether it stays signed in; then `closeKeptSession` ends it. */
  isKept: v.optional(v.boolean(), false),
});

export const listSessions = defineEndpoint({
  name: 'listSessions',
  summary: 'Where the buyer is signed in, newest first.',
  method: 'GET',
  path: '/v1/TokenBuyer/Sessions',
  access: ['buyer'],
  reply: envelope(v.array(openSession)),
  refusals: [],
});

export const closeSession = defineEndpoint({
  name: 'closeSession',
  summary: "Ends one of the buyer's sessions.",
  method: 'POST',
  path: '/v1/TokenBuyer/Sessions/:id/Close',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});
