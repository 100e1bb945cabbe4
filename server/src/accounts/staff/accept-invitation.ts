import type { Db } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import { Refusal } from '../../platform/refusal.ts';
import { guardSignIn, rememberOwner } from '../credentials/guard-sign-in.ts';
import { tokenHash } from '../credentials/token.ts';
import { takeInvitation } from './invitation-store.ts';
import { findInvitation, listPositionsOf, type ShownInvitation } from './read-model.ts';
import { chosenPassword } from './reset-password.ts';
import { openStaffSession } from './session.ts';
import type { OpenedSession, StaffDeps } from './sign-in-staff.ts';
import {
  confirmStaffEmail,
  findStaffByEmail,
  insertPosition,
  insertStaff,
  recordStaffAct,
  type StaffRow,
} from './store.ts';

/** What a live invitation is to. Refuses with INVITATION_DEAD; wrong codes of one address are counted. */
export async function readInvitation(
  deps: StaffDeps,
  { code, address }: { code: string; address: string },
): Promise<ShownInvitation> {
  const invitation = await findInvitation(deps.db, tokenHash(code));
  if (invitation !== undefined) return invitation;
  await deps.limiter.take('invitation-address', ipPrefixOf(address), deps.limits.confirmPerAddress);
  throw new Refusal('INVITATION_DEAD');
}

/**
 * Accepts an invitation, once, and signs in (rules/accounts#staff). A link is no proof of who somebody is: whoever has an account
 * already gives its password, which stays; anybody else chooses one. The code of the email also confirms the address.
 */
export async function acceptInvitation(
  deps: StaffDeps,
  input: { code: string; password: string; address: string; deviceId: string | undefined; browser?: string },
): Promise<OpenedSession> {
  const { email } = await readInvitation(deps, input);
  const claim = { kind: 'staff', name: email, address: input.address, deviceId: input.deviceId } as const;
  const found = await findStaffByEmail(deps.db, email);
  const known =
    found &&
    (await guardSignIn(deps, claim, async () =>
      (await deps.passwords.verify(found.passwordHash, input.password)) ? found : undefined,
    ));
  const passwordHash = known?.passwordHash ?? (await chosenPassword(deps, input.password, email));
  const letIn = { passwordHash, browser: input.browser ?? '' };
  const session = await accept(deps.db, tokenHash(input.code), known, letIn);
  await rememberOwner(deps.limiter, claim);
  return session;
}

async function accept(
  db: Db,
  codeHash: Buffer,
  known: StaffRow | undefined,
  letIn: { readonly passwordHash: string; readonly browser: string },
): Promise<OpenedSession> {
  try {
    return await transaction(db, async (tx) => {
      const invitation = await takeInvitation(tx, codeHash);
      if (invitation === undefined) throw new Refusal('INVITATION_DEAD');
      const { isMailed } = invitation;
      const person = { ...invitation, passwordHash: letIn.passwordHash, isConfirmed: isMailed };
      const staffId = known?.id ?? (await insertStaff(tx, person));
      if (known && isMailed) await confirmStaffEmail(tx, staffId, { unlessPasskeys: true });
      const positionId = await insertPosition(tx, { ...invitation, staffId });
      const opened = await openStaffSession(tx, positionId, letIn);
      await recordStaffAct(tx, {
        by: { positionId, merchantId: invitation.merchantId },
        act: 'accept_invitation',
        subject: invitation.email,
        detail: { invitedBy: invitation.invitedBy },
      });
      const positions = await listPositionsOf(tx, staffId);
      const position = positions.find((each) => each.positionId === positionId);
      if (position === undefined) throw new Error('a position that is not there');
      return { ...opened, position };
    });
  } catch (error) {
    const constraint = refusedBy(error);
    if (constraint === 'staff_positions_one_live') throw new Refusal('STAFF_EXISTS');
    // Their other invitation was accepted at this moment, so they have a password now.
    if (constraint === 'staff_email_once') throw new Refusal('WRONG_CREDENTIALS');
    throw error;
  }
}
