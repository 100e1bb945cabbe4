import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { emailAddress, idField, line, secret } from './text.ts';

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
  summary: 'Signs a buyer in and opens a session of 12 hours.',
  method: 'POST',
  path: '/v1/TokenBuyer/Authenticate',
  access: 'public',
  // Spec §5: empty fields are sent as they are, and are simply wrong.
  body: v.object({ user: v.optional(line(254), ''), password: v.optional(secret, '') }),
  reply: v.object({
    ...envelope(v.object({ ...buyerProfile.entries, token: v.string() })).entries,
    status: v.literal(200),
  }),
  refusals: ['WRONG_CREDENTIALS', 'TOO_MANY'],
});

/** Of a reset link's code: with it, {@link lookUpEmail} tells whose account the email address is (rules/accounts#email-lookup). */
export const RESET_CODE_HEADER = 'X-Reset-Code';

/**
 * A random name that a browser gave itself and sends wherever a password or a mailbox proves who it is: from then on nobody
 * else's wrong passwords keep that buyer out there (rules/accounts#guessing).
 */
export const DEVICE_HEADER = 'X-Device-Id';

export const lookUpEmail = defineEndpoint({
  name: 'lookUpEmail',
  summary:
    'Whether an email address is free (0) or taken (1). Tells whose it is only to the live code of a reset link, in the header X-Reset-Code.',
  method: 'GET',
  path: '/v1/SecurityBuyer/GetByEmailAsync/:email',
  access: 'public',
  params: v.object({ email: line(254) }),
  reply: envelope(
    v.union([
      // Spec §3, user record, without its password: that one is never told.
      v.object({ id: idField, businessName: v.string(), userName: v.string(), name: v.string() }),
      v.object({ id: v.picklist([0, 1]) }),
    ]),
  ),
  refusals: ['RESET_CODE_DEAD', 'TOO_MANY'],
});

export const insertBuyer = defineEndpoint({
  name: 'insertBuyer',
  summary: 'Opens an account.',
  method: 'POST',
  path: '/v1/SecurityBuyer/InsertAsync',
  access: 'public',
  body: v.object({
    /** The email address; spec §5 asks for at least 4 characters. */
    user: v.pipe(emailAddress, v.minLength(4)),
    // Spec §5 validates neither name nor phone.
    userName: v.optional(line(80), ''),
    phone: v.optional(line(30), ''),
    // Its length has refusals of its own, so that the form can say which rule was broken.
    password: v.pipe(v.string(), v.maxLength(1024)),
    /** Ours: whether the terms box was ticked, and which version stood beside it. */
    termsAccepted: v.optional(v.boolean(), false),
    termsVersion: v.optional(line(40)),
  }),
  reply: envelope(v.object({ id: idField })),
  refusals: [
    'EMAIL_TAKEN',
    'PASSWORD_TOO_SHORT',
    'PASSWORD_TOO_LONG',
    'PASSWORD_TOO_COMMON',
    'TERMS_NOT_ACCEPTED',
    'TERMS_CHANGED',
    'TOO_MANY',
  ],
});
