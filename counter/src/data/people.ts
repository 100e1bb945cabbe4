import {
  askForStaffReset,
  changeStaffPassword,
  resetStaffPassword,
} from '@aparta/contract/counter-passwords';
import { setOwnerRule } from '@aparta/contract/counter-passkeys';
import { readMailChoices, setMailChoice } from '@aparta/contract/counter-mails';
import type { ShopMail } from '@aparta/domain/shop-mails';
import { setPin } from '@aparta/contract/counter-devices';
import { endOwnSession, listOwnSessions, type OpenStaffSession } from '@aparta/contract/counter-sessions';
import {
  acceptInvitation,
  changeStaff,
  endStaffSessions,
  inviteStaff,
  listStaff,
  listStaffSessions,
  readInvitation,
  revokeStaff,
  withdrawInvitation,
} from '@aparta/contract/counter-staff';
import type { ReplyData } from '@aparta/contract/endpoint';
import type { StaffRole } from '@aparta/domain/staff-rights';
import { queryOptions } from '@tanstack/react-query';
import { session } from '../session/session.ts';
import { call } from './call.ts';

export type Person = ReplyData<typeof listStaff>['staff'][number];
export type Invited = ReplyData<typeof listStaff>['invitations'][number];

/** What somebody is, and where. */
export interface Place {
  readonly role: StaffRole;
  readonly branchIds: readonly number[];
}

const bodyOf = ({ role, branchIds }: Place) => ({ role, branchIds: [...branchIds] });

/** What an invitation is to. */
export const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ['invitation', code],
    queryFn: async ({ signal }) => (await call(readInvitation, { body: { token: code } }, { signal })).data,
  });

/** Accepts an invitation, and opens the session. */
export async function accept(code: string, password: string): Promise<void> {
  session.open((await call(acceptInvitation, { body: { token: code, password } })).data);
}

export async function askForReset(email: string): Promise<void> {
  await call(askForStaffReset, { body: { email } });
}

export async function resetPassword(code: string, password: string): Promise<void> {
  await call(resetStaffPassword, { body: { code, password } });
}

export const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: async ({ signal }) => (await call(listStaff, {}, { signal })).data,
});

/** Invites somebody by email, and answers the link to hand them. */
export async function invite(person: Place & { name: string; email: string }): Promise<string> {
  const { name, email } = person;
  return (await call(inviteStaff, { body: { name, email, ...bodyOf(person) } })).data.link;
}

export async function withdraw(email: string): Promise<void> {
  await call(withdrawInvitation, { body: { email } });
}

export async function change(positionId: string, place: Place): Promise<void> {
  await call(changeStaff, { params: { positionId }, body: bodyOf(place) });
}

export async function revoke(positionId: string): Promise<void> {
  await call(revokeStaff, { params: { positionId } });
}

export async function signOutEverywhere(positionId: string): Promise<void> {
  await call(endStaffSessions, { params: { positionId } });
}

/** Sets whether owners of the shop need a passkey. */
export async function demandPasskeys(ownersNeedPasskey: boolean): Promise<void> {
  await call(setOwnerRule, { body: { ownersNeedPasskey } });
}

const shown = ({ openedAt, ...rest }: OpenStaffSession) => ({ ...rest, openedAt: new Date(openedAt) });
export type OpenSession = ReturnType<typeof shown>;

/** Where the person is signed in. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(listOwnSessions, {}, { signal })).data.map(shown),
});

/** Where somebody else of the shop is. */
export const sessionsQuery = (positionId: string) =>
  queryOptions({
    queryKey: ['sessions', positionId],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(listStaffSessions, { params: { positionId } }, { signal })).data.map(shown),
  });

export async function endSession(sessionId: string): Promise<void> {
  await call(endOwnSession, { params: { sessionId } });
}

export async function changePassword(current: string, password: string): Promise<void> {
  await call(changeStaffPassword, { body: { current, password } });
}

export async function changePin(password: string, pin: string): Promise<void> {
  await call(setPin, { body: { password, pin } });
}

/** What the owner is mailed of the shop. */
export const mailsQuery = queryOptions({
  queryKey: ['mails'],
  queryFn: async ({ signal }) => (await call(readMailChoices, {}, { signal })).data.mails,
});

export async function chooseMail(mail: ShopMail, isOn: boolean): Promise<void> {
  await call(setMailChoice, { body: { mail, isOn } });
}
