import { lockUnits } from '../../catalogue/units/read-model.ts';
import { addUnit, removeUnit } from '../../catalogue/units/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { lockHoldAt, setHoldBranch } from './store.ts';

/**
 * Moves a unit that is kept to another branch of its merchant; what each has for sale stays. Does nothing where it is not kept
 * there any more.
 */
export async function moveUnit(
  tx: Tx,
  unit: {
    readonly referenceId: number;
    readonly productId: number;
    readonly merchantId: number;
    readonly from: number;
    readonly to: number;
  },
): Promise<void> {
  const { referenceId, productId, merchantId, from, to } = unit;
  await lockUnits(tx, productId);
  if (!(await lockHoldAt(tx, referenceId, from))) return;
  // In this order: no branch ever has fewer than none for sale.
  await addUnit(tx, { productId, merchantId, branchId: to });
  await setHoldBranch(tx, referenceId, to);
  await removeUnit(tx, { productId, branchId: from });
}
