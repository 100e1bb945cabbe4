import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { idField, line, secret } from './text.ts';

// What the first load of the web app calls; the rest of an account is in `account.ts`.

/**
 * Spec §3, buyer profile, without `token`: that one appears in Authenticate's reply only
 * (rules/wire#fields-that-nobody-explains).
 */
export const buyerProfile = v.object({
  id: idField,
  name: v.string(),
  userName: v.string(),
  /** The email address. */
  user: v.string(),
  phone: v.string(),
  ssoId: v.string(),
  numberAddress: v.string(),
  postalCodeAddress: v.string(),
  streetAddress: v.string(),
  /** Ours: whether the link of the welcome email was followed. */
  emailConfirmed: v.boolean(),
  /** Ours: whether due dates are reminded of by email. */
  reminders: v.boolean(),
});
export type BuyerProfile = v.InferOutput<typeof buyerProfile>;

export const authenticate = defineEndpoint({
  name: 'authenticateBuyer',
  summary:
    'Signs a buyer in and opens a session of 12 hours; with `keep`, called from a page of the same origin, the browser stays signed in by a cookie.',
  method: 'POST',
  path: '/v1/TokenBuyer/Authenticate',
  access: 'public',
  // Spec §5: empty fields are sent as they are, and are simply wrong.
  body: v.object({
    user: v.optional(line(254), ''),
    password: v.optional(secret, ''),
    /** Ours (rules/accounts#staying-signed-in). */
    keep: v.optional(v.boolean(), false),
  }),
  reply: v.object({
    ...envelope(v.object({ ...buyerProfile.entries, token: v.string() })).entries,
    status: v.literal(200),
  }),
  refusals: ['WRONG_CREDENTIALS', 'TOO_MANY'],
});

/**
 * A random name that a browser gave itself and sends wherever a password or a mailbox proves who it is: from then on nobody
 * else's wrong passwords keep that buyer out there (rules/accounts#guessing).
 */
export const DEVICE_HEADER = 'X-Device-Id';
