import { sql } from 'kysely';

import { pictureOf } from '../../../catalogue/read-model.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';

const MOST = 500;

/** A unit that a branch keeps for a buyer. */
export interface KeptRow {
  readonly referenceId: number;
  readonly reference: string;
  readonly branchId: number;
  readonly branch: string;
  readonly isBranchClosed: boolean;
  readonly productId: number;
  readonly productName: string;
  /** What names the product's picture; null without one. */
  readonly picture: string | null;
  readonly buyerName: string;
  readonly purchaseId: number | null;
  readonly isPaidOff: boolean;
  readonly since: Date;
  readonly checkedAt: Date | null;
  readonly missingSince: Date | null;
}

const KEPT = sql`
  select h.layaway_reference_id as "referenceId", r.reference, h.branch_id as "branchId", w.name as branch,
    w.closed_at is not null as "isBranchClosed", d.id as "productId", coalesce(p.product_name, d.name) as "productName", ${pictureOf('d.id')} as picture, b.name as "buyerName", p.id as "purchaseId",
    coalesce(p.paid_centavos = p.price_centavos, false) as "isPaidOff", h.held_at as since, h.checked_at as "checkedAt",
    h.missing_since as "missingSince"
  from holds h join payment_references r on r.id = h.layaway_reference_id
  join layaway_references l on l.id = h.layaway_reference_id join products d on d.id = h.product_id
  join branches w on w.id = h.branch_id join buyers b on b.id = l.buyer_id
  left join purchases p on p.layaway_reference_id = l.id
  where h.state = 'held'`;

/** What a branch keeps: what is missing first, then what was not looked at the longest. */
export async function listKept(
  db: Db,
  branchId: number,
): Promise<{ readonly units: readonly KeptRow[]; readonly total: number }> {
  const [{ rows }, { total }] = await Promise.all([
    sql<KeptRow>`${KEPT} and h.branch_id = ${branchId}
      order by h.missing_since, coalesce(h.checked_at, h.held_at), h.layaway_reference_id limit ${MOST}`.execute(
      db,
    ),
    db
      .selectFrom('holds')
      .where('branch_id', '=', branchId)
      .where('state', '=', 'held')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { units: rows, total };
}

/** The unit that is kept for a reservation; undefined where none is. */
export async function findKept(db: Db | Tx, referenceId: number): Promise<KeptRow | undefined> {
  const { rows } = await sql<KeptRow>`${KEPT} and h.layaway_reference_id = ${referenceId}`.execute(db);
  return rows[0];
}
