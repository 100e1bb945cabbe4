import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { HoldState } from '../../platform/db/tables.ts';

/** Where the unit of a purchase is kept, and what is known of it. */
export interface KeptUnit {
  readonly branch: string;
  readonly since: Date;
  /** When staff last saw it where it should be. */
  readonly checkedAt: Date | null;
}

/** The unit that is kept for a purchase; undefined where none is, or it was handed over. */
export async function findKeptUnit(db: Db, purchaseId: number): Promise<KeptUnit | undefined> {
  const { rows } = await sql<KeptUnit>`
    select b.name as branch, h.held_at as since, h.checked_at as "checkedAt"
    from purchases p join holds h on h.layaway_reference_id = p.layaway_reference_id join branches b on b.id = h.branch_id
    where p.id = ${purchaseId} and h.state = 'held'`.execute(db);
  return rows[0];
}

/** The hold of a purchase, whatever became of it. */
export interface HoldRow extends KeptUnit {
  readonly state: HoldState;
  readonly missingSince: Date | null;
  readonly endedAt: Date | null;
}

/** The hold that a purchase has or had; undefined where its product was not counted. */
export async function findHold(db: Db, purchaseId: number): Promise<HoldRow | undefined> {
  const { rows } = await sql<HoldRow>`
    select b.name as branch, h.held_at as since, h.checked_at as "checkedAt", h.state, h.missing_since as "missingSince",
      h.ended_at as "endedAt"
    from purchases p join holds h on h.layaway_reference_id = p.layaway_reference_id join branches b on b.id = h.branch_id
    where p.id = ${purchaseId}`.execute(db);
  return rows[0];
}

/** A unit that is kept, by the printed number of its deposit; `isNeeded`: its reservation waits, or its purchase goes on. */
export async function findHeld(
  tx: Tx,
  reference: string,
): Promise<
  { readonly referenceId: number; readonly branch: string; readonly isNeeded: boolean } | undefined
> {
  const { rows } = await sql<{ referenceId: number; branch: string; isNeeded: boolean }>`
    select h.layaway_reference_id as "referenceId", b.name as branch,
      l.state = 'open' or coalesce(p.state = 'active', false) as "isNeeded"
    from payment_references r join holds h on h.layaway_reference_id = r.id join branches b on b.id = h.branch_id
    join layaway_references l on l.id = r.id left join purchases p on p.layaway_reference_id = l.id
    where r.reference = ${reference} and h.state = 'held'`.execute(tx);
  return rows[0];
}
