import { DEVICE_HEADER } from '@aparta/contract/account';
import * as branches from '@aparta/contract/counter-branches';
import * as sessions from '@aparta/contract/counter-sessions';
import type { StaffSession } from '@aparta/contract/counter-sessions';
import * as staff from '@aparta/contract/counter-staff';

import type { Db } from '../../platform/db/db.ts';
import { route, success, type Route } from '../../platform/http/route.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import { inviteStaff } from './invite.ts';
import { branchesOf, staffOf } from './list-staff.ts';
import { presentInvitation, presentPosition, presentStaffSession } from './present.ts';
import { revokeStaff } from './revoke-staff.ts';
import { endStaffSession } from './session.ts';
import { type OpenedSession, signInStaff, type StaffDeps } from './sign-in-staff.ts';

const DEVICE = DEVICE_HEADER.toLowerCase();

/** Presents a session with its branches as they are now. */
export function sessionPresenter(db: Db): (session: OpenedSession) => Promise<StaffSession> {
  return async (session) => {
    const ids = session.position.branches.map(({ id }) => id);
    return presentStaffSession(session, await branchesOf(db, ids));
  };
}

export function staffRoutes(deps: StaffDeps): Route[] {
  const { db } = deps;
  const present = sessionPresenter(db);

  return [
    route(sessions.signInStaff, async ({ body, address, header }) => {
      const { session, positions } = await signInStaff(deps, {
        ...body,
        merchantId: body.merchantId,
        address,
        deviceId: header(DEVICE),
      });
      return success({
        session: session === undefined ? null : await present(session),
        merchants: positions.map(({ merchantId, tradeName, role }) => ({ id: merchantId, tradeName, role })),
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

    route(staff.acceptInvitation, async ({ body, address, header }) =>
      success(
        await present(
          await acceptInvitation(deps, {
            code: body.token,
            password: body.password,
            address,
            deviceId: header(DEVICE),
          }),
        ),
      ),
    ),

    route(staff.inviteStaff, async ({ caller, body }) => {
      const { link, expiresAt } = await inviteStaff(deps, caller, body);
      return success({ link, expiresAt: expiresAt.toISOString() });
    }),

    route(staff.listStaff, async ({ caller }) => {
      const { positions, invitations } = await staffOf(db, caller);
      return success({
        staff: positions.map((position) => presentPosition(position, caller.positionId)),
        invitations: invitations.map(({ expiresAt, ...rest }) => ({
          ...rest,
          expiresAt: expiresAt.toISOString(),
        })),
      });
    }),

    route(staff.revokeStaff, async ({ caller, params }) => {
      await revokeStaff(db, caller, params.positionId);
      return success(null);
    }),
  ];
}
