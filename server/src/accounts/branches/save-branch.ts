import type { Tx } from '../../platform/db/db.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import { demandNoAddress, RefusedChange } from '../../platform/refused-change.ts';
import { addCounter } from '../service-accounts/save-service-account.ts';
import { insertBranch, type NewBranch, setBranchClosed } from './store.ts';

/** Opens a branch of a merchant; the first brings the account under which its counters take money. Returns its number. */
export async function addBranch(tx: Tx, branch: NewBranch): Promise<number> {
  checkLength('name', branch.name, 1, 60);
  demandNoAddress('name', branch.name);
  checkLength('address', branch.address, 0, 200);
  checkLength('hours', branch.hours, 0, 200);
  checkLength('phone', branch.phone, 0, 30);
  if (branch.tills !== undefined) {
    checkLength('chain', branch.tills.chain, 1, 60);
    checkLength('branch', branch.tills.branch, 1, 60);
  }
  try {
    const id = await insertBranch(tx, branch);
    await addCounter(tx, branch.merchantId);
    return id;
  } catch (error) {
    const constraint = refusedBy(error);
    if (constraint === 'branches_merchant_id_fkey')
      throw new RefusedChange('merchant_unknown', { id: branch.merchantId });
    if (constraint === 'branches_name_once')
      throw new RefusedChange('branch_name_taken', { name: branch.name });
    throw error;
  }
}

/** Closes a branch: from the next call on nobody takes money there. What was taken stays. */
export async function closeBranch(
  tx: Tx,
  id: number,
): Promise<{ readonly merchantId: number; readonly name: string }> {
  const closed = await setBranchClosed(tx, id);
  if (closed === undefined) throw new RefusedChange('branch_unknown', { id });
  return closed;
}

function checkLength(field: string, text: string, least: number, most: number): void {
  const { length } = [...text];
  if (length < least || length > most) throw new RefusedChange('field_length', { field, least, most });
}
