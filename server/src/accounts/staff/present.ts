import type { ReplyData } from '@aparta/contract/endpoint';
import type { OpenStaffSession, StaffSession } from '@aparta/contract/counter-sessions';
import type { listStaff, readInvitation } from '@aparta/contract/counter-staff';

import type { BranchRow } from '../branches/store.ts';
import type { PositionRow, ShownInvitation } from './read-model.ts';
import type { StaffSessionRow } from './session-store.ts';
import type { OpenedSession } from './sign-in-staff.ts';

export function presentStaffSession(
  { token, expiresAt, position, lacksPasskey, isShared = false }: OpenedSession,
  branches: readonly BranchRow[],
): StaffSession {
  const { positionId, formerIds, name, email, role, merchantId, tradeName } = position;
  return {
    token,
    expiresAt: expiresAt.toISOString(),
    position: { positionId, formerIds: [...formerIds], name, email, role },
    merchant: { id: merchantId, tradeName },
    branches: [...branches],
    isShared,
    needsPasskey: lacksPasskey,
  };
}

export function presentWorkplace({ merchantId, tradeName, role }: PositionRow) {
  return { id: merchantId, tradeName, role };
}

export function presentPosition(
  { positionId, name, email, role, branches, since }: PositionRow,
  askedBy: string,
): ReplyData<typeof listStaff>['staff'][number] {
  return {
    positionId,
    name,
    email,
    role,
    branches: [...branches],
    since: since.toISOString(),
    isYou: positionId === askedBy,
  };
}

export function presentInvitation({
  email,
  name,
  role,
  tradeName,
  branches,
  hasAccount,
  expiresAt,
}: ShownInvitation): ReplyData<typeof readInvitation> {
  return {
    email,
    name,
    role,
    tradeName,
    branches: [...branches],
    hasAccount,
    expiresAt: expiresAt.toISOString(),
  };
}

export function presentOpenSession({ openedAt, expiresAt, ...session }: StaffSessionRow): OpenStaffSession {
  return { ...session, openedAt: openedAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
