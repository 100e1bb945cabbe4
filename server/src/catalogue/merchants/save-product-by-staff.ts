import { recordStaffAct } from '../../accounts/staff/store.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { addProduct, demandProduct, editProduct, withdrawProduct } from './save-product.ts';
import { demandMerchant } from './save-merchant.ts';
import type { ProductEntry } from './store.ts';

export type { ProductEntry } from './store.ts';

/** Adds a product of the caller's merchant; a repeated press finds it. Returns its number. */
export async function addProductByStaff(
  db: Db,
  caller: Staff,
  requestId: string,
  entry: ProductEntry,
): Promise<number> {
  return asStaff(db, async (tx) => {
    const { id, isNew } = await addProduct(tx, caller.merchantId, requestId, entry);
    if (isNew)
      await recordStaffAct(tx, {
        by: caller,
        act: 'add_product',
        subject: String(id),
        detail: { ...entry },
      });
    return id;
  });
}

/**
 * Changes a product of the caller's merchant. Refuses with PRODUCT_CHANGED what was written over an older version, unless it
 * says what stands there already: then its reply was lost.
 */
export async function editProductByStaff(
  db: Db,
  caller: Staff,
  { id, version, entry }: { readonly id: number; readonly version: number; readonly entry: ProductEntry },
): Promise<void> {
  await asStaff(db, async (tx) => {
    const row = await demandOwn(tx, caller, id);
    try {
      const { before, after } = await editProduct(tx, id, entry);
      if (row.version !== version) throw new Refusal('PRODUCT_CHANGED');
      await recordStaffAct(tx, {
        by: caller,
        act: 'edit_product',
        subject: String(id),
        detail: { before, after },
      });
    } catch (error) {
      if (!isNothing(error)) throw error;
    }
  });
}

/** Takes a product of the caller's merchant off sale, or puts it back; one that is so already stays so. */
export async function setOnSaleByStaff(
  db: Db,
  caller: Staff,
  id: number,
  { onSale }: { readonly onSale: boolean },
): Promise<void> {
  await asStaff(db, async (tx) => {
    await demandOwn(tx, caller, id);
    try {
      await withdrawProduct(tx, id, { isWithdrawn: !onSale });
      const act = onSale ? 'restore_product' : 'withdraw_product';
      await recordStaffAct(tx, { by: caller, act, subject: String(id) });
    } catch (error) {
      if (!isNothing(error)) throw error;
    }
  });
}

/** The product under its merchant's lock, so that the version which is read is the one that is changed. */
async function demandOwn(tx: Tx, { merchantId }: Staff, id: number) {
  await demandMerchant(tx, merchantId);
  const row = await demandProduct(tx, id);
  if (row.merchant_id !== merchantId) throw new Refusal('NOT_FOUND');
  return row;
}

const isNothing = (error: unknown) => error instanceof RefusedChange && error.code === 'nothing_to_change';

/** One transaction, whose refusals are said as the counter says them. */
async function asStaff<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await transaction(db, work);
  } catch (error) {
    if (!(error instanceof RefusedChange)) throw error;
    if (error.code === 'product_unknown') throw new Refusal('NOT_FOUND');
    if (error.code === 'sku_taken') throw new Refusal('SKU_TAKEN');
    if (error.code.startsWith('plan_')) throw new Refusal('PRICE_WITHOUT_PLAN');
    throw error;
  }
}
