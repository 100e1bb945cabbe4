import * as v from 'valibot';

import { openStaffSession, role, staffSession } from './counter-sessions.ts';
import { emailAddress } from './email-address.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { nameLine } from './name-line.ts';
import { idField, line, moment, secret, uuid } from './text.ts';

const code = line(64);
const branchName = v.object({ id: idField, name: v.string() });

export const readInvitation = defineEndpoint({
  name: 'readInvitation',
  summary: 'What an invitation is to, for whoever has its link.',
  method: 'POST',
  path: '/v1/counter/invitations/read',
  access: 'public',
  body: v.object({ token: code }),
  reply: envelope(
    v.object({
      email: v.string(),
      name: v.string(),
      role,
      tradeName: v.string(),
      branches: v.array(branchName),
      hasAccount: v.boolean(),
      expiresAt: moment,
    }),
  ),
  refusals: ['INVITATION_DEAD', 'TOO_MANY'],
});

export const acceptInvitation = defineEndpoint({
  name: 'acceptInvitation',
  summary:
    'Accepts an invitation and signs in. A new person chooses their password; one who works for another merchant already gives the one that they have.',
  method: 'POST',
  path: '/v1/counter/invitations/accept',
  access: 'public',
  body: v.object({ token: code, password: v.pipe(v.string(), v.maxLength(1024)) }),
  reply: envelope(staffSession),
  refusals: [
    'INVITATION_DEAD',
    'WRONG_CREDENTIALS',
    'PASSWORD_TOO_SHORT',
    'PASSWORD_TOO_LONG',
    'PASSWORD_TOO_COMMON',
    'STAFF_EXISTS',
    'TOO_MANY',
  ],
});

export const inviteStaff = defineEndpoint({
  name: 'inviteStaff',
  summary:
    'Invites somebody to a position at the merchant, by email and by a link, for 7 days. A newer invitation of the same address replaces it.',
  method: 'POST',
  path: '/v1/counter/invitations',
  access: ['staff'],
  act: 'invite_staff',
  body: v.object({
    email: emailAddress,
    name: v.pipe(nameLine(80), v.minLength(1)),
    role,
    branchIds: v.optional(v.pipe(v.array(idField), v.maxLength(50)), []),
  }),
  reply: envelope(v.object({ link: secret, expiresAt: moment })),
  refusals: ['NOT_FOUND', 'STAFF_EXISTS'],
});

export const withdrawInvitation = defineEndpoint({
  name: 'withdrawInvitation',
  summary: 'Withdraws an open invitation: its links are worth nothing any more.',
  method: 'POST',
  path: '/v1/counter/invitations/withdraw',
  access: ['staff'],
  act: 'invite_staff',
  body: v.object({ email: emailAddress }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});

export const listStaff = defineEndpoint({
  name: 'listStaff',
  summary: "The merchant's people, and who is invited.",
  method: 'GET',
  path: '/v1/counter/staff',
  access: ['staff'],
  act: 'list_staff',
  reply: envelope(
    v.object({
      staff: v.array(
        v.object({
          positionId: uuid,
          name: v.string(),
          email: v.string(),
          role,
          branches: v.array(branchName),
          since: moment,
          isYou: v.boolean(),
        }),
      ),
      invitations: v.array(v.object({ email: v.string(), name: v.string(), role, expiresAt: moment })),
      ownersNeedPasskey: v.boolean(),
    }),
  ),
  refusals: [],
});

export const revokeStaff = defineEndpoint({
  name: 'revokeStaff',
  summary: 'Ends a position: the person is out at their next call, and what they invited is withdrawn.',
  method: 'POST',
  path: '/v1/counter/staff/:positionId/revoke',
  access: ['staff'],
  act: 'revoke_staff',
  params: v.object({ positionId: uuid }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND', 'LAST_OWNER'],
});

export const changeStaff = defineEndpoint({
  name: 'changeStaff',
  summary: 'Gives somebody another role or other branches: a new position, for which they sign in again.',
  method: 'POST',
  path: '/v1/counter/staff/:positionId/change',
  access: ['staff'],
  act: 'change_staff',
  params: v.object({ positionId: uuid }),
  body: v.object({ role, branchIds: v.optional(v.pipe(v.array(idField), v.maxLength(50)), []) }),
  reply: envelope(v.object({ positionId: uuid })),
  refusals: ['NOT_FOUND', 'LAST_OWNER'],
});

export const listStaffSessions = defineEndpoint({
  name: 'listStaffSessions',
  summary: 'Where somebody of the merchant is signed in, newest first.',
  method: 'GET',
  path: '/v1/counter/staff/:positionId/sessions',
  access: ['staff'],
  act: 'staff_sessions',
  params: v.object({ positionId: uuid }),
  reply: envelope(v.array(openStaffSession)),
  refusals: ['NOT_FOUND'],
});

export const endStaffSessions = defineEndpoint({
  name: 'endStaffSessions',
  summary: 'Ends every session of somebody of the merchant; they may sign in again.',
  method: 'POST',
  path: '/v1/counter/staff/:positionId/sign-out',
  access: ['staff'],
  act: 'staff_sessions',
  params: v.object({ positionId: uuid }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});
