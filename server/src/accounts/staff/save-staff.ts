import { isEmailAddress } from '@aparta/domain/email-address';
import type { StaffRole } from '@aparta/domain/staff-rights';

import type { Tx } from '../../platform/db/db.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import { demandNoAddress, RefusedChange } from '../../platform/refused-change.ts';
import { normaliseEmail } from '../buyers/email.ts';
import { makeInvitation, type MadeInvitation } from './invite.ts';
import { deleteInvitation } from './invitation-store.ts';
import { listPositionsOf } from './read-model.ts';
import { findStaffByEmail, revokePosition } from './store.ts';

/** The operator invites somebody to a merchant: its first owner, or anybody else. */
export async function inviteByOperator(
  tx: Tx,
  publicOrigin: string,
  given: {
    readonly merchantId: number;
    readonly email: string;
    readonly name: string;
    readonly role: StaffRole;
    readonly branchIds: readonly number[];
  },
): Promise<MadeInvitation> {
  const email = normaliseEmail(given.email);
  if (!isEmailAddress(email)) throw new RefusedChange('email_wrong', { email });
  if (given.name === '' || [...given.name].length > 80)
    throw new RefusedChange('field_length', { field: 'name', least: 1, most: 80 });
  demandNoAddress('name', given.name);
  try {
    const made = await makeInvitation(tx, publicOrigin, { ...given, email, invitedBy: null });
    if (made === 'taken') throw new RefusedChange('staff_exists', { email });
    if (made === 'branches') throw new RefusedChange('staff_branches', { id: given.merchantId });
    return made;
  } catch (error) {
    if (refusedBy(error) !== 'staff_invitations_merchant_id_fkey') throw error;
    throw new RefusedChange('merchant_unknown', { id: given.merchantId });
  }
}

/** The operator ends somebody's position at a merchant and their invitation to it, whichever there is. */
export async function revokeByOperator(tx: Tx, merchantId: number, address: string): Promise<void> {
  const email = normaliseEmail(address);
  const isWithdrawn = await deleteInvitation(tx, merchantId, email);
  const person = await findStaffByEmail(tx, email);
  const positions = person === undefined ? [] : await listPositionsOf(tx, person.id);
  const position = positions.find((each) => each.merchantId === merchantId);
  if (position !== undefined) await revokePosition(tx, merchantId, position.positionId);
  if (!isWithdrawn && position === undefined)
    throw new RefusedChange('staff_unknown', { email, id: merchantId });
}
