import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { authenticate } from './sign-in.ts';
import { idParam } from './text.ts';

// Ours: a browser that stays signed in (rules/accounts#staying-signed-in). Called only from our own documents.

/** Where alone the browser sends the secret's cookie. */
export const KEPT_PATH = '/v1/TokenBuyer/Kept';
/** No form of another site's page can send it. */
export const KEPT_HEADER = 'X-Kept-Session';

export const renewSession = defineEndpoint({
  name: 'renewSession',
  summary:
    "Opens another session for a browser that stays signed in, and replaces its cookie's secret. Only from the product's own pages, with the header X-Kept-Session.",
  method: 'POST',
  path: `${KEPT_PATH}/Renew`,
  access: 'public',
  reply: envelope(authenticate.reply.entries.data),
  refusals: ['SESSION_DEAD', 'NOT_ALLOWED'],
});

export const endKeptSession = defineEndpoint({
  name: 'endKeptSession',
  summary:
    "Ends what the browser's cookie is of, with all its sessions. Only from the product's own pages, with the header X-Kept-Session.",
  method: 'POST',
  path: `${KEPT_PATH}/End`,
  access: 'public',
  reply: envelope(v.null()),
  refusals: ['NOT_ALLOWED'],
});

export const closeKeptSession = defineEndpoint({
  name: 'closeKeptSession',
  summary: "Ends one of the buyer's browsers that stay signed in, with all its sessions.",
  method: 'POST',
  path: '/v1/TokenBuyer/KeptSessions/:id/Close',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});
