import type { StaffRole } from '@aparta/domain/staff-rights';
import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

export interface Invitation {
  readonly merchantId: number;
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  readonly branchIds: readonly number[];
  /** The position of whoever invites; null: the operator. */
  readonly invitedBy: string | null;
}

/** Makes this the one invitation of the address to the merchant, for 7 days, and returns its end. */
export async function replaceInvitation(tx: Tx, invitation: Invitation, tokenHash: Buffer): Promise<Date> {
  const { merchantId, email, name, role, branchIds, invitedBy } = invitation;
  const { rows } = await sql<{ expiresAt: Date }>`
    insert into staff_invitations (merchant_id, email, token_hash, name, role, branch_ids, invited_by, expires_at)
    values (${merchantId}, ${email}, ${tokenHash}, ${name}, ${role}, ${[...branchIds]}::bigint[], ${invitedBy},
      app_now() + interval '7 days')
    on conflict (merchant_id, email) do update set token_hash = excluded.token_hash, name = excluded.name, role = excluded.role,
      branch_ids = excluded.branch_ids, mailed_token_hash = null, invited_by = excluded.invited_by, created_at = app_now(), expires_at = excluded.expires_at
    returning expires_at as "expiresAt"`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('an invitation without an end');
  return row.expiresAt;
}

const BRANCH_IDS = sql<number[]>`to_jsonb(branch_ids)`;

/** Whether it is an invitation's code, of the link that was shown or of the one that was mailed. */
export const hasCode = (tokenHash: Buffer) =>
  sql<boolean>`(token_hash = ${tokenHash} or mailed_token_hash = ${tokenHash})`;

/** Gives a live invitation the code of the email that is being sent; the one that was shown stays. False when there is none. */
export async function setMailedCode(
  tx: Tx,
  merchantId: number,
  email: string,
  tokenHash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_invitations')
    .set({ mailed_token_hash: tokenHash })
    .where('merchant_id', '=', merchantId)
    .where('email', '=', email)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Uses a live invitation up; of two who accept it at once, one gets it. `isMailed`: by the code that only the mailbox has. */
export async function takeInvitation(
  tx: Tx,
  tokenHash: Buffer,
): Promise<(Invitation & { readonly isMailed: boolean }) | undefined> {
  return tx
    .deleteFrom('staff_invitations')
    .where(hasCode(tokenHash))
    .where('expires_at', '>', sql<Date>`app_now()`)
    .returning([
      'merchant_id as merchantId',
      'email',
      'name',
      'role',
      BRANCH_IDS.as('branchIds'),
      'invited_by as invitedBy',
      sql<boolean>`mailed_token_hash is not distinct from ${tokenHash}`.as('isMailed'),
    ])
    .executeTakeFirst();
}

/** Withdraws the invitation of an address; false when there is none. */
export async function deleteInvitation(tx: Tx, merchantId: number, email: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('staff_invitations')
    .where('merchant_id', '=', merchantId)
    .where('email', '=', email)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The live invitations to a merchant, oldest first. */
export async function listInvitations(
  db: Db,
  merchantId: number,
): Promise<{ email: string; name: string; role: StaffRole; expiresAt: Date }[]> {
  return db
    .selectFrom('staff_invitations')
    .select(['email', 'name', 'role', 'expires_at as expiresAt'])
    .where('merchant_id', '=', merchantId)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .orderBy('created_at')
    .execute();
}
