import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';

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
