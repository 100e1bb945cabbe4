import { sql, type Selectable } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { BranchesTable } from '../../platform/db/tables.ts';

export interface NewBranch {
  readonly merchantId: number;
  readonly name: string;
  readonly address: string;
  readonly hours: string;
  readonly phone: string;
  /** What the merchant's own tills call it, where they have any. */
  readonly tills: { readonly chain: string; readonly branch: string } | undefined;
}

/** Adds a branch and returns its id. Throws on `branches_name_once`. */
export async function insertBranch(tx: Tx, branch: NewBranch): Promise<number> {
  const { id } = await tx
    .insertInto('branches')
    .values({
      merchant_id: branch.merchantId,
      name: branch.name,
      address: branch.address,
      hours: branch.hours,
      phone: branch.phone,
      till_chain: branch.tills?.chain ?? null,
      till_branch: branch.tills?.branch ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Closes an open branch; undefined when there is none with that number. */
export async function setBranchClosed(
  tx: Tx,
  id: number,
): Promise<{ readonly merchantId: number; readonly name: string } | undefined> {
  return tx
    .updateTable('branches')
    .set({ closed_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returning(['merchant_id as merchantId', 'name'])
    .executeTakeFirst();
}

/** The branches of a merchant, or of all; the closed ones too. */
export async function listAllBranches(
  db: Db,
  merchantId: number | undefined,
): Promise<Selectable<BranchesTable>[]> {
  return db
    .selectFrom('branches')
    .selectAll()
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .orderBy('merchant_id')
    .orderBy('id')
    .execute();
}

export type BranchRow = Pick<Selectable<BranchesTable>, 'id' | 'name' | 'address' | 'hours' | 'phone'>;

/** Open branches by their numbers. */
export async function listBranches(db: Db | Tx, ids: readonly number[]): Promise<BranchRow[]> {
  return db
    .selectFrom('branches')
    .select(['id', 'name', 'address', 'hours', 'phone'])
    .where('id', 'in', [...ids, 0])
    .where('closed_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** How many of these are open branches of the merchant. */
export async function countBranches(tx: Tx, merchantId: number, ids: readonly number[]): Promise<number> {
  const rows = await tx
    .selectFrom('branches')
    .select('id')
    .where('id', 'in', [...ids, 0])
    .where('merchant_id', '=', merchantId)
    .where('closed_at', 'is', null)
    .execute();
  return rows.length;
}
