import { countBranches } from '../../accounts/branches/store.ts';
import { recordStaffAct } from '../../accounts/staff/store.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findProductForChange, type ProductRow, setCountsUnits } from '../merchants/store.ts';
import { lockFree, lockUnits } from './read-model.ts';
import { forgetFree, setFree } from './store.ts';

/**
 * Says how many units of a product a branch of the caller's has for sale; from then on the product is counted. Refuses with
 * UNITS_CHANGED what was counted over another number than `was`, unless it is so already: then its reply was lost.
 */
export async function setUnitsByStaff(
  db: Db,
  caller: Staff,
  productId: number,
  { branchId, free, was }: { readonly branchId: number; readonly free: number; readonly was: number },
): Promise<void> {
  const { merchantId } = caller;
  if (!caller.branchIds.includes(branchId)) throw new Refusal('NOT_FOUND');
  await transaction(db, async (tx) => {
    await demandOwn(tx, caller, productId);
    if ((await countBranches(tx, merchantId, [branchId])) === 0) throw new Refusal('NOT_FOUND');
    const before = await lockCounted(tx, productId, branchId);
    if (before === free) return;
    if ((before ?? 0) !== was) throw new Refusal('UNITS_CHANGED', { free: before ?? 0 });
    await setFree(tx, { productId, branchId, merchantId }, free);
    await setCountsUnits(tx, productId, true);
    const detail = { before: before ?? 0, after: free };
    await recordStaffAct(tx, { by: caller, branchId, act: 'set_units', subject: String(productId), detail });
  });
}

/**
 * Puts right how many units of a product a branch has for sale, whatever it said before. Refuses product_unknown, and
 * units_merchant for a branch that is closed or not the merchant's. Resolves with what it said.
 */
export async function setUnitsByOperator(
  tx: Tx,
  {
    productId,
    branchId,
    free,
  }: { readonly productId: number; readonly branchId: number; readonly free: number },
): Promise<{ readonly before: number | null }> {
  const product = await findProductForChange(tx, productId);
  if (product === undefined) throw new RefusedChange('product_unknown', { id: productId });
  const merchantId = product.merchant_id;
  if ((await countBranches(tx, merchantId, [branchId])) === 0)
    throw new RefusedChange('units_merchant', { branch: branchId });
  const before = (await lockCounted(tx, productId, branchId)) ?? null;
  await setFree(tx, { productId, branchId, merchantId }, free);
  await setCountsUnits(tx, productId, true);
  return { before };
}

/**
 * Locks and reads what a branch has for sale of a product; undefined where it never had any. Of one that is not counted that is
 * nothing, in all its branches: what was counted before is long untrue, and no screen shows it.
 */
async function lockCounted(tx: Tx, productId: number, branchId: number): Promise<number | undefined> {
  const free = await lockFree(tx, productId, branchId);
  // Read under the lock: somebody may have begun a moment ago.
  const product = await findProductForChange(tx, productId);
  if (product?.counts_units) return free;
  await forgetFree(tx, productId);
  return undefined;
}

/** Stops counting a product: it can be reserved without end again. What is kept stays kept. */
export async function stopCountingByStaff(db: Db, caller: Staff, productId: number): Promise<void> {
  await transaction(db, async (tx) => {
    const product = await demandOwn(tx, caller, productId);
    if (!product.counts_units) return;
    await lockUnits(tx, productId);
    await setCountsUnits(tx, productId, false);
    await recordStaffAct(tx, { by: caller, act: 'stop_counting', subject: String(productId) });
  });
}

async function demandOwn(tx: Tx, { merchantId }: Staff, productId: number): Promise<ProductRow> {
  const product = await findProductForChange(tx, productId);
  if (product?.merchant_id !== merchantId) throw new Refusal('NOT_FOUND');
  return product;
}
