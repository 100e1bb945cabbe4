import { randomBytes } from 'node:crypto';

import { type StaffRole, worksInBranches } from '@aparta/domain/staff-rights';

import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { countBranches } from '../branches/store.ts';
import { normaliseEmail } from '../buyers/email.ts';
import { tokenHash } from '../credentials/token.ts';
import { deleteInvitation, type Invitation, replaceInvitation, setMailedCode } from './invitation-store.ts';
import { findInvitation, listPositionsOf } from './read-model.ts';
import { findStaffByEmail, holdPosition, recordStaffAct } from './store.ts';
import type { StaffDeps } from './sign-in-staff.ts';

/** An invitation's link: it is told once, and only its code's hash is kept. */
export interface MadeInvitation {
  readonly link: string;
  readonly expiresAt: Date;
}

/** Why nobody is invited: they have a position there, or the branches are not the merchant's, too many or none. */
export type InviteProblem = 'taken' | 'branches';

const linkOf = (publicOrigin: string, code: string) => `${publicOrigin}/mostrador/invitacion#code=${code}`;

/** What the email of an invitation says, with a code of its own; undefined when the invitation was used or withdrawn. */
export async function mailedInvitation(
  { db, publicOrigin }: Pick<StaffDeps, 'db' | 'publicOrigin'>,
  merchantId: number,
  email: string,
): Promise<{ readonly tradeName: string; readonly role: StaffRole; readonly link: string } | undefined> {
  const code = randomBytes(32).toString('base64url');
  const isLive = await transaction(db, (tx) => setMailedCode(tx, merchantId, email, tokenHash(code)));
  const invitation = isLive ? await findInvitation(db, tokenHash(code)) : undefined;
  return (
    invitation && { tradeName: invitation.tradeName, role: invitation.role, link: linkOf(publicOrigin, code) }
  );
}

/** Invites somebody to a merchant, in the caller's transaction, and by email; the code is random enough to be its own proof. */
export async function makeInvitation(
  tx: Tx,
  publicOrigin: string,
  invitation: Invitation,
): Promise<MadeInvitation | InviteProblem> {
  const email = normaliseEmail(invitation.email);
  const branchIds = [...new Set(invitation.branchIds)];
  if (worksInBranches(invitation.role) !== branchIds.length > 0) return 'branches';
  if ((await countBranches(tx, invitation.merchantId, branchIds)) < branchIds.length) return 'branches';
  const known = await findStaffByEmail(tx, email);
  const positions = known === undefined ? [] : await listPositionsOf(tx, known.id);
  if (positions.some(({ merchantId }) => merchantId === invitation.merchantId)) return 'taken';
  const code = randomBytes(32).toString('base64url');
  const expiresAt = await replaceInvitation(tx, { ...invitation, email, branchIds }, tokenHash(code));
  await sendEmailTo(tx, 'staff_invitation', email, { merchantId: invitation.merchantId });
  return { link: linkOf(publicOrigin, code), expiresAt };
}

/**
 * Somebody of a merchant invites somebody else. Refuses with STAFF_EXISTS who has a position there, and with NOT_FOUND branches
 * that are not the merchant's; cashiers and managers have some, owners and accountants name none.
 */
export async function inviteStaff(
  { db, publicOrigin, limiter, limits }: StaffDeps,
  caller: Staff,
  input: { email: string; name: string; role: StaffRole; branchIds: readonly number[] },
): Promise<MadeInvitation> {
  if (worksInBranches(input.role) !== input.branchIds.length > 0)
    throw new Refusal('INVALID_INPUT', { fields: { branchIds: 'not for this role' } });
  await limiter.take('invitations', String(caller.merchantId), limits.invitationsPerMerchant);
  return transaction(db, async (tx) => {
    if (!(await holdPosition(tx, caller.positionId))) throw new Refusal('SESSION_DEAD');
    const { merchantId, positionId } = caller;
    const made = await makeInvitation(tx, publicOrigin, { ...input, merchantId, invitedBy: positionId });
    if (made === 'branches') throw new Refusal('NOT_FOUND');
    if (made === 'taken') throw new Refusal('STAFF_EXISTS');
    const { email, role, branchIds } = input;
    await recordStaffAct(tx, {
      by: caller,
      act: 'invite_staff',
      subject: normaliseEmail(email),
      detail: { role, branchIds },
    });
    return made;
  });
}

/** Withdraws an open invitation to the caller's merchant. Refuses with NOT_FOUND. */
export async function withdrawInvitation(db: Db, caller: Staff, address: string): Promise<void> {
  const email = normaliseEmail(address);
  await transaction(db, async (tx) => {
    if (!(await holdPosition(tx, caller.positionId))) throw new Refusal('SESSION_DEAD');
    if (!(await deleteInvitation(tx, caller.merchantId, email))) throw new Refusal('NOT_FOUND');
    await recordStaffAct(tx, { by: caller, act: 'withdraw_invitation', subject: email });
  });
}
