import { DEVICE_HEADER } from '@aparta/contract/account';
import * as branches from '@aparta/contract/counter-branches';
import * as passwords from '@aparta/contract/counter-passwords';
import * as mails from '@aparta/contract/counter-mails';
import * as sessions from '@aparta/contract/counter-sessions';
import type { StaffSession } from '@aparta/contract/counter-sessions';
import * as staff from '@aparta/contract/counter-staff';

import type { Db } from '../../platform/db/db.ts';
import { type RawCall, route, success, type Route } from '../../platform/http/route.ts';
import { browserOf } from '../credentials/browser.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import { changeStaff } from './change-staff.ts';
import { inviteStaff, withdrawInvitation } from './invite.ts';
import { branchesOf, staffOf } from './list-staff.ts';
import { chooseMail } from './mails.ts';
import { listMails } from './read-model.ts';
import {
  presentInvitation,
  presentOpenSession,
  presentPosition,
  presentStaffSession,
  presentWorkplace,
} from './present.ts';
import {
  askForStaffReset,
  changeStaffPassword,
  type ResetDeps,
  resetStaffPassword,
} from './reset-password.ts';
import { revokeStaff } from './revoke-staff.ts';
import { endStaffSession } from './session.ts';
import { endOwnSession, endStaffSessions, staffSessionsOf } from './sessions.ts';
import { type OpenedSession, signInStaff } from './sign-in-staff.ts';

const DEVICE = DEVICE_HEADER.toLowerCase();

/** Where a call comes from. */
export const fromOf = ({ address, header }: Pick<RawCall, 'address' | 'header'>) => ({
  address,
  deviceId: header(DEVICE),
  browser: browserOf(header('user-agent')),
});

/** Presents a session with its branches as they are now. */
export function sessionPresenter(db: Db): (session: OpenedSession) => Promise<StaffSession> {
  return async (session) => {
    const ids = session.position.branches.map(({ id }) => id);
    return presentStaffSession(session, await branchesOf(db, ids));
  };
}

export function staffRoutes(deps: ResetDeps): Route[] {
  const { db } = deps;
  const present = sessionPresenter(db);

  return [
    route(sessions.signInStaff, async ({ body, ...call }) => {
      const { session, positions } = await signInStaff(deps, {
        ...body,
        merchantId: body.merchantId,
        ...fromOf(call),
      });
      return success({
        session: session === undefined ? null : await present(session),
        merchants: positions.map(presentWorkplace),
      });
    }),

    route(sessions.signOutStaff, async ({ token }) => {
      await endStaffSession(db, token);
      return success(null);
    }),

    route(branches.listBranches, async ({ caller }) => success(await branchesOf(db, caller.branchIds))),

    route(staff.readInvitation, async ({ body, address }) =>
      success(presentInvitation(await readInvitation(deps, { code: body.token, address }))),
    ),

    route(staff.acceptInvitation, async ({ body, ...call }) =>
      success(
        await present(
          await acceptInvitation(deps, {
            code: body.token,
            password: body.password,
            ...fromOf(call),
          }),
        ),
      ),
    ),

    route(staff.inviteStaff, async ({ caller, body }) => {
      const { link, expiresAt } = await inviteStaff(deps, caller, body);
      return success({ link, expiresAt: expiresAt.toISOString() });
    }),

    route(staff.withdrawInvitation, async ({ caller, body }) => {
      await withdrawInvitation(db, caller, body.email);
      return success(null);
    }),

    route(staff.listStaff, async ({ caller }) => {
      const { positions, invitations, ownersNeedPasskey } = await staffOf(db, caller);
      return success({
        staff: positions.map((position) => presentPosition(position, caller.positionId)),
        invitations: invitations.map(({ expiresAt, ...rest }) => ({
          ...rest,
          expiresAt: expiresAt.toISOString(),
        })),
        ownersNeedPasskey,
      });
    }),

    route(staff.revokeStaff, async ({ caller, params }) => {
      await revokeStaff(db, caller, params.positionId);
      return success(null);
    }),

    route(staff.changeStaff, async ({ caller, params, body }) =>
      success({ positionId: await changeStaff(db, caller, { ...params, ...body }) }),
    ),

    route(staff.listStaffSessions, async ({ caller, params, token }) =>
      success((await staffSessionsOf(db, caller, params.positionId, token)).map(presentOpenSession)),
    ),

    route(staff.endStaffSessions, async ({ caller, params }) => {
      await endStaffSessions(db, caller, params.positionId);
      return success(null);
    }),

    route(sessions.listOwnSessions, async ({ caller, token }) =>
      success((await staffSessionsOf(db, caller, caller.positionId, token)).map(presentOpenSession)),
    ),

    route(sessions.endOwnSession, async ({ caller, params }) => {
      await endOwnSession(db, caller, params.sessionId);
      return success(null);
    }),

    route(mails.readMailChoices, async ({ caller }) =>
      success({ mails: await listMails(db, caller.positionId) }),
    ),

    route(mails.setMailChoice, async ({ caller, body }) => {
      await chooseMail(db, caller, body.mail, body.isOn);
      return success(null);
    }),

    route(passwords.askForStaffReset, async ({ body, ...call }) => {
      await askForStaffReset(deps, { email: body.email, ...fromOf(call) });
      return success(null);
    }),

    route(passwords.resetStaffPassword, async ({ body, ...call }) => {
      await resetStaffPassword(deps, { ...body, ...fromOf(call) });
      return success(null);
    }),

    route(passwords.changeStaffPassword, async ({ caller, token, body, ...call }) => {
      await changeStaffPassword(deps, caller, { token, ...body, ...fromOf(call) });
      return success(null);
    }),
  ];
}
