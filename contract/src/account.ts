import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { buyerProfile } from './sign-in.ts';
import { nameLine } from './name-line.ts';
import { idParam, ignored, line, secret } from './text.ts';

export * from './logout.ts';
export * from './logout-later.ts';
export * from './sessions.ts';
export * from './sign-in.ts';
export * from './sign-up.ts';

export const getBuyer = defineEndpoint({
  name: 'getBuyer',
  summary: "The signed-in buyer's own profile.",
  method: 'GET',
  path: '/v1/UserBuyerClient/GetByUserIdAsync/:userId',
  access: ['buyer'],
  params: v.object({ userId: idParam }),
  reply: envelope(buyerProfile),
  refusals: ['NOT_FOUND'],
});

export const sendResetEmail = defineEndpoint({
  name: 'sendResetEmail',
  summary:
    'Sends an email with a reset link, if the email address has an account; answers alike if it has none.',
  method: 'POST',
  path: '/v1/Notifications/SendResetPasswordBuyerEmail',
  access: 'public',
  // Spec §5: the email address is not validated. The link is built by the server from its own origin (rules/accounts#password-reset).
  body: v.object({ email: v.optional(line(254), ''), link: ignored, dateHourCreate: ignored }),
  reply: envelope(v.null()),
  refusals: ['TOO_MANY'],
});

/**
 * Spec §7 sends the whole user record with its password replaced; of it only `password` is read. `code` is ours
 * (rules/wire#additions).
 */
export const changePassword = defineEndpoint({
  name: 'changePassword',
  summary: 'Sets a new password with the one-time code of a reset link, and ends all sessions.',
  method: 'PUT',
  path: '/v1/SecurityBuyer/UpdateAsync/:id',
  access: 'public',
  params: v.object({ id: idParam }),
  body: v.object({
    code: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
    password: v.pipe(v.string(), v.maxLength(1024)),
  }),
  reply: envelope(v.null()),
  refusals: ['RESET_CODE_DEAD', 'PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_TOO_COMMON', 'TOO_MANY'],
});

export const getProfile = defineEndpoint({
  name: 'getProfile',
  summary: "The signed-in buyer's own profile.",
  method: 'GET',
  path: '/v1/SecurityBuyer/GetAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(buyerProfile),
  refusals: ['NOT_FOUND'],
});

/** What is absent stays as it is; whatever else is sent is dropped. */
export const updateProfile = defineEndpoint({
  name: 'updateProfile',
  summary: "Changes name, phone and address of the buyer's own profile, and nothing else.",
  method: 'PUT',
  path: '/v1/SecurityBuyer/Update2Async/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  body: v.object({
    name: v.optional(v.pipe(nameLine(80), v.minLength(1))),
    phone: v.optional(line(30)),
    numberAddress: v.optional(line(30)),
    postalCodeAddress: v.optional(line(10)),
    streetAddress: v.optional(line(200)),
  }),
  reply: envelope(buyerProfile),
  refusals: ['NOT_FOUND'],
});

/** Ours. */
export const turnReminders = defineEndpoint({
  name: 'turnReminders',
  summary: 'Turns the emails that remind the signed-in buyer of due dates on or off.',
  method: 'PUT',
  path: '/v1/SecurityBuyer/RemindersAsync',
  access: ['buyer'],
  body: v.object({ reminders: v.boolean() }),
  reply: envelope(v.null()),
  refusals: [],
});

/** Ours. The code alone names its buyer: 128 random bits, once, for seven days. */
export const confirmEmail = defineEndpoint({
  name: 'confirmEmail',
  summary: 'Confirms an email address with the one-time code of its email.',
  method: 'POST',
  path: '/v1/SecurityBuyer/ConfirmEmailAsync',
  access: 'public',
  body: v.object({ code: v.pipe(v.string(), v.minLength(1), v.maxLength(100)) }),
  reply: envelope(v.null()),
  refusals: ['CONFIRMATION_DEAD', 'TOO_MANY'],
});

export const sendConfirmation = defineEndpoint({
  name: 'sendConfirmation',
  summary:
    'Sends the signed-in buyer another email that confirms his email address; none if it is confirmed already.',
  method: 'POST',
  path: '/v1/SecurityBuyer/SendConfirmationAsync',
  access: ['buyer'],
  reply: envelope(v.null()),
  refusals: ['TOO_MANY'],
});

/** Spec §7, card payments. Signs in an integrator; spec's `Id` and `Token` are not read. */
export const authenticateIntegrator = defineEndpoint({
  name: 'authenticateIntegrator',
  summary: "Signs in a service account that reads one merchant's payments.",
  method: 'POST',
  path: '/v1/Users/Authenticate',
  access: 'public',
  body: v.object({ User: line(100), Password: secret }),
  // Spec §7 says 'response data.data.token', which reads as either nesting: both are there.
  reply: envelope(v.object({ token: v.string(), data: v.object({ token: v.string() }) })),
  refusals: ['WRONG_CREDENTIALS', 'TOO_MANY'],
});

/** Spec §7, product operations. Bare reply: 'response token'. */
export const authenticateTill = defineEndpoint({
  name: 'authenticateTill',
  summary: 'Signs in a till, for PosOperations only.',
  method: 'POST',
  path: '/User/authenticate',
  access: 'public',
  body: v.object({ User: line(100), Password: secret }),
  reply: v.object({ token: v.string() }),
  refusals: ['WRONG_CREDENTIALS', 'TOO_MANY'],
});

export const getIp = defineEndpoint({
  name: 'getIp',
  summary: "The caller's address, as the server sees it.",
  method: 'GET',
  path: '/ip',
  access: 'public',
  reply: v.object({ ip: v.string() }),
  refusals: [],
});
