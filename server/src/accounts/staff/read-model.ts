import type { ShopMail } from '@aparta/domain/shop-mails';
import type { StaffRole } from '@aparta/domain/staff-rights';
import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { hasCode, type Invitation } from './invitation-store.ts';

/** A live position, as signing in and lists show it. */
export interface PositionRow {
  readonly positionId: string;
  /** What the person was at the merchant before. */
  readonly formerIds: readonly string[];
  readonly staffId: string;
  readonly merchantId: number;
  readonly tradeName: string;
  readonly name: string;
  readonly email: string;
  readonly role: StaffRole;
  readonly since: Date;
  /** The open branches that are theirs. */
  readonly branches: readonly { readonly id: number; readonly name: string }[];
}

/** Whether the position `p` is for the branch `b` of its merchant: each, or those that it names. */
export const COVERS = sql<boolean>`(p.role in ('owner', 'accountant')
  or exists (select from staff_position_branches o where o.position_id = p.id and o.branch_id = b.id))`;

/** The open branches of position `p`: those that it names, or all of its merchant. */
export const branchesOfPosition = sql`
  select b.id, b.name from branches b
  where b.merchant_id = p.merchant_id and b.closed_at is null and ${COVERS}`;

function livePositions(db: Db | Tx) {
  return db
    .selectFrom('staff_positions as p')
    .innerJoin('staff as s', 's.id', 'p.staff_id')
    .innerJoin('merchants as m', 'm.id', 'p.merchant_id')
    .select([
      'p.id as positionId',
      sql<string[]>`to_jsonb(array(select id from staff_positions
        where staff_id = p.staff_id and merchant_id = p.merchant_id and id <> p.id order by created_at desc))`.as(
        'formerIds',
      ),
      's.id as staffId',
      'm.id as merchantId',
      'm.trade_name as tradeName',
      's.name',
      's.email',
      'p.role',
      'p.created_at as since',
      sql<
        PositionRow['branches']
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by name), '[]')
        from (${branchesOfPosition}) as branch)`.as('branches'),
    ])
    .where('p.revoked_at', 'is', null)
    .orderBy('p.created_at')
    .orderBy('p.id');
}

/** The live positions of a person, oldest first. */
export async function listPositionsOf(db: Db | Tx, staffId: string): Promise<PositionRow[]> {
  return livePositions(db).where('p.staff_id', '=', staffId).execute();
}

/** The live positions at a merchant, oldest first. */
export async function listPositionsAt(db: Db, merchantId: number): Promise<PositionRow[]> {
  return livePositions(db).where('p.merchant_id', '=', merchantId).execute();
}

/** A live invitation as its link shows it. */
export interface ShownInvitation extends Invitation {
  readonly tradeName: string;
  readonly expiresAt: Date;
  readonly hasAccount: boolean;
  /** Of `branchIds`, those that are open. */
  readonly branches: readonly { readonly id: number; readonly name: string }[];
}

export async function findInvitation(db: Db | Tx, tokenHash: Buffer): Promise<ShownInvitation | undefined> {
  return db
    .selectFrom('staff_invitations as i')
    .innerJoin('merchants as m', 'm.id', 'i.merchant_id')
    .select([
      'i.merchant_id as merchantId',
      'i.email',
      'i.name',
      'i.role',
      sql<number[]>`to_jsonb(branch_ids)`.as('branchIds'),
      'i.invited_by as invitedBy',
      'i.expires_at as expiresAt',
      'm.trade_name as tradeName',
      sql<boolean>`exists (select from staff s where s.email = i.email)`.as('hasAccount'),
      sql<
        ShownInvitation['branches']
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name) order by b.name), '[]')
        from branches b where b.id = any (i.branch_ids) and b.closed_at is null)`.as('branches'),
    ])
    .where(hasCode(tokenHash))
    .where('expires_at', '>', sql<Date>`app_now()`)
    .executeTakeFirst();
}

/** Whether a merchant asks its owners for a passkey. */
export async function needOwnersPasskey(db: Db, merchantId: number): Promise<boolean> {
  const rule = await db
    .selectFrom('owner_passkey_rules')
    .select('merchant_id')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return rule !== undefined;
}

/** What a live position is mailed of its shop. */
export async function listMails(db: Db, positionId: string): Promise<ShopMail[]> {
  const { rows } = await sql<{ mail: ShopMail }>`
    select mail from staff_positions, unnest(case when digest_off_at is null then '{digest}'::text[] else '{}' end || mails) mail
    where id = ${positionId} and revoked_at is null`.execute(db);
  return rows.map(({ mail }) => mail);
}
