import type { BranchUnits } from '@aparta/domain/units';
import { sql } from 'kysely';

import { gathered, HELD } from '../../platform/db/batch.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { lockRows } from '../../platform/db/rows.ts';
import { pipeline } from '../../platform/db/transaction.ts';

/** What an open branch has for sale of a product, and what its tills call it. */
export interface UnitsAt extends BranchUnits {
  readonly merchantId: number;
  readonly tillChain: string | null;
  readonly tillBranch: string | null;
}

/**
 * Locks the units of a product and reads them (rules/ledger#lock-order, level 5): until the transaction ends nobody else takes
 * one. Of a batch, one call alone may have them.
 */
export const lockUnits = gathered<number, { readonly productId: number; readonly units: readonly UnitsAt[] }>(
  {
    async many(tx, productIds, locking) {
      const [locked, units] = await pipeline(
        tx,
        lockRows(tx, 'products', productIds, locking),
        tx
          .selectFrom('product_units as u')
          .innerJoin('branches as b', 'b.id', 'u.branch_id')
          .select(['u.product_id as productId', 'u.branch_id as branchId', 'u.merchant_id as merchantId'])
          .select(['u.free_units as free', 'b.till_chain as tillChain', 'b.till_branch as tillBranch'])
          .where('b.closed_at', 'is', null)
          .where(sql<boolean>`u.product_id = any(${productIds})`)
          .compile(),
      );
      const mine = new Set(locked.map(({ id }) => id));
      const those = Map.groupBy(units, ({ productId }) => productId);
      return productIds.map((productId) =>
        mine.has(productId) ? { productId, units: those.get(productId) ?? [] } : HELD,
      );
    },
    headOf: ({ productId }) => `units of product ${productId}`,
  },
);

/**
 * Locks how many units of a product a branch has for sale, against who takes one and who puts one back, and reads it; undefined
 * where it never had any. Who puts one back does not wait for {@link lockUnits}.
 */
export async function lockFree(tx: Tx, productId: number, branchId: number): Promise<number | undefined> {
  await lockUnits(tx, productId);
  const unit = await tx
    .selectFrom('product_units')
    .select('free_units')
    .where('product_id', '=', productId)
    .where('branch_id', '=', branchId)
    .forUpdate()
    .executeTakeFirst();
  return unit?.free_units;
}

/** How many units of a counted product are for sale, in all its open branches. */
export async function countFree(db: Db | Tx, productId: number): Promise<number> {
  const { free } = await db
    .selectFrom('product_units as u')
    .innerJoin('branches as b', 'b.id', 'u.branch_id')
    .select(sql<number>`coalesce(sum(u.free_units), 0)::int`.as('free'))
    .where('u.product_id', '=', productId)
    .where('b.closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return free;
}

/** What a branch has of a product. */
export interface UnitsOfBranch {
  readonly productId: number;
  readonly branchId: number;
  readonly branch: string;
  readonly free: number;
  readonly held: number;
}

/** What the open branches have of these products, by the branches' names; a branch that never had any is left out. */
export async function listUnits(db: Db, productIds: readonly number[]): Promise<UnitsOfBranch[]> {
  const { rows } = await sql<UnitsOfBranch>`
    select u.product_id as "productId", u.branch_id as "branchId", b.name as branch, u.free_units as free,
      (select count(*)::int from holds h
        where h.branch_id = u.branch_id and h.product_id = u.product_id and h.state = 'held') as held
    from product_units u join branches b on b.id = u.branch_id
    where u.product_id = any(${productIds}) and b.closed_at is null
    order by b.name, b.id`.execute(db);
  return rows;
}
