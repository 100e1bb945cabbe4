import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import type { HoldState } from '../../platform/db/tables.ts';
import { defer } from '../../platform/db/transaction.ts';
import { deferMove } from '../../platform/lifecycle.ts';
import { HOLD } from './hold.ts';

/** Where a unit is kept, and for which reservation. */
export interface NewHold {
  readonly referenceId: number;
  readonly productId: number;
  readonly branchId: number;
  /** The hold that the reservation had before. */
  readonly before: HoldState | null;
}

/** Keeps a unit for a reservation, whose lock the caller holds, like that of the units. Deferred. */
export async function insertHold(
  tx: Tx,
  { referenceId, productId, branchId, before }: NewHold,
): Promise<void> {
  if (before === null) {
    await defer(
      tx,
      sql`insert into holds (layaway_reference_id, product_id, branch_id) values (${referenceId}, ${productId}, ${branchId})`,
    );
    return;
  }
  await deferMove(tx, HOLD, {
    event: 'taken_again',
    where: sql`layaway_reference_id = ${referenceId}`,
    set: {
      branch_id: branchId,
      held_at: sql`app_now()`,
      ended_at: null,
      checked_at: null,
      missing_since: null,
    },
  });
}

/** Puts the units that are kept for these reservations back on sale, where any are; their locks the caller holds. Deferred. */
export async function releaseHolds(tx: Tx, referenceIds: readonly number[]): Promise<void> {
  await deferMove(tx, HOLD, {
    event: 'released',
    where: sql`layaway_reference_id = any(${referenceIds}::bigint[])`,
    set: { ended_at: sql`app_now()` },
  });
}

/** Ends the hold of a purchase that ends, where it has one. The caller holds the purchase's lock. Deferred. */
export async function endHoldOf(tx: Tx, purchaseId: number, event: 'released' | 'delivered'): Promise<void> {
  await deferMove(tx, HOLD, {
    event,
    where: sql`layaway_reference_id = (select layaway_reference_id from purchases where id = ${purchaseId})`,
    set: { ended_at: sql`app_now()` },
  });
}

/** Writes that staff looked for the unit of a reservation, and since when it is missing where it was not there. Deferred. */
export async function markChecked(
  tx: Tx,
  referenceId: number,
  { isThere }: { readonly isThere: boolean },
): Promise<void> {
  const checked = isThere
    ? sql`checked_at = app_now(), missing_since = null`
    : sql`missing_since = coalesce(missing_since, app_now())`;
  await defer(
    tx,
    sql`update holds set ${checked} where layaway_reference_id = ${referenceId} and state = 'held'`,
  );
}

/** Locks the hold of a reservation against whoever ends or moves it; false where it is not, or no more, in that branch. */
export async function lockHoldAt(tx: Tx, referenceId: number, branchId: number): Promise<boolean> {
  const { rows } = await sql`select from holds
    where layaway_reference_id = ${referenceId} and branch_id = ${branchId} and state = 'held' for no key update`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Says in which branch a unit is kept from now on. The caller holds its lock and that of the units. Deferred. */
export async function setHoldBranch(tx: Tx, referenceId: number, branchId: number): Promise<void> {
  await defer(tx, sql`update holds set branch_id = ${branchId} where layaway_reference_id = ${referenceId}`);
}
