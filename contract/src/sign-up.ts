import * as v from 'valibot';

import { emailAddress } from './email-address.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { nameLine } from './name-line.ts';
import { idField, line } from './text.ts';

/** Of a reset link's code: with it, {@link lookUpEmail} tells whose account the email address is (rules/accounts#email-lookup). */
export const RESET_CODE_HEADER = 'X-Reset-Code';

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
    userName: v.optional(nameLine(80), ''),
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
