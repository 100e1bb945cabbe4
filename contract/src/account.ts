import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { emailAddress, idField, idParam, ignored, line, moment, secret } from './text.ts';

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

export const logout = defineEndpoint({
  name: 'logoutBuyer',
  summary: 'Ends the session that the call carries.',
  method: 'POST',
  path: '/v1/TokenBuyer/Logout',
  access: ['buyer'],
  reply: envelope(v.null()),
  refusals: [],
});

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
    name: v.optional(v.pipe(line(80), v.minLength(1))),
    phone: v.optional(line(30)),
    numberAddress: v.optional(line(30)),
    postalCodeAddress: v.optional(line(10)),
    streetAddress: v.optional(line(200)),
  }),
  reply: envelope(buyerProfile),
  refusals: ['NOT_FOUND'],
});

/** Ours: one place where the buyer is signed in. */
const openSession = v.object({
  id: idField,
  openedAt: moment,
  expiresAt: moment,
  /** What the browser called itself at sign-in; '' when it said nothing. */
  device: v.string(),
  /** Whether it is the one that asks. */
  isThis: v.boolean(),
});

export const listSessions = defineEndpoint({
  name: 'listSessions',
  summary: "The buyer's live sessions, newest first.",
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
