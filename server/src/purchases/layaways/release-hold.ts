import type { Tx } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { findHeld } from '../holds/read-model.ts';
import { releaseHolds } from '../holds/store.ts';
import { lockReference } from './store.ts';

/**
 * Puts a unit back on sale that is kept for nobody any more (rules/goods#holds), by the printed number of its deposit. Refuses
 * hold_unknown where nothing is kept, and hold_needed while its reservation waits or its purchase goes on.
 */
export async function releaseHoldByOperator(tx: Tx, reference: string): Promise<{ readonly branch: string }> {
  const found = await findHeld(tx, reference);
  // Read again under the lock: it may be ending.
  if (found !== undefined) await lockReference(tx, found.referenceId);
  const held = found && (await findHeld(tx, reference));
  if (held === undefined) throw new RefusedChange('hold_unknown', { reference });
  if (held.isNeeded) throw new RefusedChange('hold_needed', { reference });
  await releaseHolds(tx, [held.referenceId]);
  return { branch: held.branch };
}
