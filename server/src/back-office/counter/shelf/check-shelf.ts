import { recordStaffAct } from '../../../accounts/staff/store.ts';
import { findPayable } from '../../../payments/owed/read-model.ts';
import { worksAt } from '../../../payments/counter/cuts/read-cuts.ts';
import type { Db } from '../../../platform/db/db.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import type { Staff } from '../../../platform/principal.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { moveUnit } from '../../../purchases/holds/move-unit.ts';
import { markChecked } from '../../../purchases/holds/store.ts';
import { findKept, type KeptRow, listKept } from './shelf.read-model.ts';

/** What a branch keeps for buyers whose drawers the caller sees, a closed one too. Refuses NOT_FOUND for any other. */
export async function readShelf(db: Db, caller: Staff, branchId: number): ReturnType<typeof listKept> {
  if (!(await worksAt(db, caller, branchId))) throw new Refusal('NOT_FOUND');
  return listKept(db, branchId);
}

/**
 * Says of a unit that is kept that it is where it should be, or that it is not (rules/goods#shelf); one of a branch that closed is
 * kept from then on where it is seen. Refuses NOT_FOUND for a code of nobody's or of another merchant, NOT_KEPT where nothing is kept for it, KEPT_ELSEWHERE with the branch that keeps it.
 */
export async function checkUnit(
  db: Db,
  caller: Staff,
  {
    branchId,
    code,
    isThere,
  }: { readonly branchId: number; readonly code: string; readonly isThere: boolean },
): Promise<KeptRow> {
  if (!(await worksAt(db, caller, branchId))) throw new Refusal('NOT_FOUND');
  const payable = await findPayable(db, code);
  if (payable?.merchantId !== caller.merchantId) throw new Refusal('NOT_FOUND');
  const referenceId = payable.layawayReferenceId;
  return transaction(db, async (tx) => {
    const before = await findKept(tx, referenceId);
    if (before?.isBranchClosed && isThere && caller.branchIds.includes(branchId))
      await moveUnit(tx, {
        ...before,
        merchantId: caller.merchantId,
        from: before.branchId,
        to: branchId,
      });
    const kept = await findKept(tx, referenceId);
    if (kept === undefined) throw new Refusal('NOT_KEPT');
    if (kept.branchId !== branchId) throw new Refusal('KEPT_ELSEWHERE', { branch: kept.branch });
    await markChecked(tx, referenceId, { isThere });
    await recordStaffAct(tx, {
      by: caller,
      branchId,
      act: isThere ? 'unit_seen' : 'unit_missing',
      subject: kept.reference,
    });
    return (await findKept(tx, referenceId)) ?? kept;
  });
}
