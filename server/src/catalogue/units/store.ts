import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Takes the units of a product off sale, in all its branches. The caller holds its lock. A deferred write. */
export async function forgetFree(tx: Tx, productId: number): Promise<void> {
  await defer(
    tx,
    sql`update product_units set free_units = 0, entered_units = entered_units - free_units
      where product_id = ${productId} and free_units > 0`,
  );
}

/** Says how many units of a product a branch has for sale, which makes it a product that is counted. The caller holds its lock. */
export async function setFree(
  tx: Tx,
  at: { readonly productId: number; readonly branchId: number; readonly merchantId: number },
  free: number,
): Promise<void> {
  await defer(
    tx,
    sql`insert into product_units as u (product_id, branch_id, merchant_id, free_units, entered_units)
      values (${at.productId}, ${at.branchId}, ${at.merchantId}, ${free}, ${free})
      on conflict (product_id, branch_id) do update
      set free_units = excluded.free_units, entered_units = u.entered_units + excluded.free_units - u.free_units`,
  );
}

/** One more unit of a product that a branch has. The caller holds its lock. Deferred. */
export async function addUnit(
  tx: Tx,
  at: { readonly productId: number; readonly branchId: number; readonly merchantId: number },
): Promise<void> {
  await defer(
    tx,
    sql`insert into product_units as u (product_id, branch_id, merchant_id, free_units, entered_units)
      values (${at.productId}, ${at.branchId}, ${at.merchantId}, 1, 1)
      on conflict (product_id, branch_id) do update
      set free_units = u.free_units + 1, entered_units = u.entered_units + 1`,
  );
}

/** One less that it has for sale. The caller holds its lock. Deferred. */
export async function removeUnit(
  tx: Tx,
  at: { readonly productId: number; readonly branchId: number },
): Promise<void> {
  await defer(
    tx,
    sql`update product_units set free_units = free_units - 1, entered_units = entered_units - 1
      where product_id = ${at.productId} and branch_id = ${at.branchId}`,
  );
}
