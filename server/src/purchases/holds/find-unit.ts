import { branchToTakeFrom } from '@aparta/domain/units';

import { countFree, lockUnits, type UnitsAt } from '../../catalogue/units/read-model.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { HoldState } from '../../platform/db/tables.ts';
import { insertHold } from './store.ts';

interface Till {
  readonly chain: string;
  readonly branch: string;
}

/** What a reservation of a counted product asks for. */
interface Wanting {
  readonly productId: number;
  readonly countsUnits: boolean;
  readonly holdState: HoldState | null;
}

/** A unit for a reservation: one to be taken, or none where it has its own already or its product is not counted. */
export interface Unit {
  readonly take:
    | { readonly productId: number; readonly branchId: number; readonly before: HoldState | null }
    | undefined;
}

/**
 * Finds the unit that a reservation would take now, and locks it until the transaction ends. `till`: where the
 * deposit is paid, as tills call it. Undefined when the product is sold out. The caller holds the reference's lock.
 */
export async function lockUnit(tx: Tx, reference: Wanting, till?: Till): Promise<Unit | undefined> {
  if (!needsUnit(reference)) return { take: undefined };
  const { productId } = reference;
  const { units } = await lockUnits(tx, productId);
  const paidIn = till && units.find((branch) => isAt(branch, till))?.branchId;
  const branchId = branchToTakeFrom(units, paidIn);
  return branchId === undefined ? undefined : { take: { productId, branchId, before: reference.holdState } };
}

/** Takes the unit that {@link lockUnit} found. */
export async function takeUnit(tx: Tx, referenceId: number, { take }: Unit): Promise<void> {
  if (take !== undefined) await insertHold(tx, { referenceId, ...take });
}

/** Whether a reservation would find its product sold out, as far as can be seen without a lock. */
export async function isSoldOut(tx: Tx, reference: Wanting): Promise<boolean> {
  return needsUnit(reference) && (await countFree(tx, reference.productId)) === 0;
}

function needsUnit({ countsUnits, holdState }: Wanting): boolean {
  return countsUnits && holdState !== 'held';
}

/** A till of the merchant's own calls its branch by a name of its own; a counter by the branch's number. */
function isAt({ branchId, merchantId, tillChain, tillBranch }: UnitsAt, { chain, branch }: Till): boolean {
  return chain === `mostrador-${merchantId}`
    ? branch === String(branchId)
    : tillChain === chain && tillBranch === branch;
}
