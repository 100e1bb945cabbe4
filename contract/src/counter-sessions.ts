import { STAFF_ROLES } from '@aparta/domain/staff-rights';
import * as v from 'valibot';

import { branch } from './counter-branches.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { idField, line, moment, secret, uuid } from './text.ts';

export const role = v.picklist(STAFF_ROLES);
const merchant = v.object({ id: idField, tradeName: v.string() });

/** Somebody of a shop who has just signed in, as what they are at one merchant. */
export const staffSession = v.object({
  token: v.string(),
  expiresAt: moment,
  position: v.object({
    positionId: uuid,
    /** What the same person was at the merchant before: what they pressed then is still theirs. */
    formerIds: v.optional(v.array(uuid), []),
    name: v.string(),
    email: v.string(),
    role,
  }),
  merchant,
  branches: v.array(branch),
  /** Opened by PIN on a shared device, which locks itself. */
  isShared: v.boolean(),
  /** Of an owner whom the merchant asks for a passkey: it does nothing else than add their first one. */
  needsPasskey: v.optional(v.boolean(), false),
});
/** A merchant where somebody works, to choose from at sign-in. */
export const workplace = v.object({ ...merchant.entries, role });
export type StaffSession = v.InferOutput<typeof staffSession>;

export const signInStaff = defineEndpoint({
  name: 'signInStaff',
  summary:
    'Signs somebody of a shop in for 12 hours. Whoever has positions at several merchants is told of them, and signs in again with one.',
  method: 'POST',
  path: '/v1/counter/sign-in',
  access: 'public',
  body: v.object({
    email: v.optional(line(254), ''),
    password: v.optional(secret, ''),
    merchantId: v.optional(idField),
  }),
  reply: envelope(
    v.object({
      session: v.nullable(staffSession),
      merchants: v.array(workplace),
    }),
  ),
  refusals: ['WRONG_CREDENTIALS', 'TOO_MANY'],
});

/** A live session, as its person or an owner recognises it. */
export const openStaffSession = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  openedAt: moment,
  expiresAt: moment,
  browser: v.string(),
  device: v.nullable(v.string()),
  isThis: v.boolean(),
});
export type OpenStaffSession = v.InferOutput<typeof openStaffSession>;

export const listOwnSessions = defineEndpoint({
  name: 'listOwnSessions',
  summary: 'Where the person is signed in at the merchant, newest first.',
  method: 'GET',
  path: '/v1/counter/sessions',
  access: ['staff'],
  act: 'own_sessions',
  reply: envelope(v.array(openStaffSession)),
  refusals: [],
});

export const endOwnSession = defineEndpoint({
  name: 'endOwnSession',
  summary: "Ends one of the person's sessions at the merchant.",
  method: 'POST',
  path: '/v1/counter/sessions/:sessionId/end',
  access: ['staff'],
  act: 'own_sessions',
  params: v.object({ sessionId: openStaffSession.entries.id }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});

export const signOutStaff = defineEndpoint({
  name: 'signOutStaff',
  summary: 'Ends the session that the call carries.',
  method: 'POST',
  path: '/v1/counter/sign-out',
  access: ['staff'],
  act: 'sign_out',
  reply: envelope(v.null()),
  refusals: [],
});
