import { canBeCut, differenceIn, whatNeedsReason } from '@aparta/domain/cut';
import type { Centavos } from '@aparta/domain/money';
import { may, seesAllDrawers } from '@aparta/domain/staff-rights';

import { recordStaffAct } from '../../../accounts/staff/store.ts';
import type { Db } from '../../../platform/db/db.ts';
import { refusedBy, transaction } from '../../../platform/db/transaction.ts';
import type { Staff } from '../../../platform/principal.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { type CutRow, findCut, findFloatBefore, hasPosition } from './read-model.ts';
import { worksAt } from './read-cuts.ts';
import { type DrawerKey, insertCut, lockCutsOf, moveIntoCut } from './store.ts';

/** What somebody counted in a drawer, and what they saw of it. */
export interface Count {
  /** Made by the device with the press. */
  readonly id: string;
  readonly branchId: number;
  /** Whose drawer; the caller's own when it is not said. */
  readonly positionId: string | undefined;
  readonly seen: {
    readonly movements: number;
    readonly cashTakenCentavos: Centavos;
    readonly cashReturnedCentavos: Centavos;
    /** Null of a drawer without a cut before; a screen of the version before does not say. */
    readonly floatBeforeCentavos: Centavos | null | undefined;
  };
  readonly floatCentavos: Centavos;
  readonly countedCentavos: Centavos;
  readonly reason: string | undefined;
}

/**
 * Closes the cut of a drawer, once (rules/tills-and-cash#cuts). The same press gets the same cut; the same id for anything else is
 * INTENT_CONFLICT. CUT_CHANGED: what is in the drawer is not what was seen, or nothing, and nothing was closed. Refuses
 * INVALID_INPUT what differs without its reason.
 */
export async function closeDrawer({ db }: { db: Db }, caller: Staff, count: Count): Promise<CutRow> {
  const { merchantId } = caller;
  const { id, branchId, positionId = caller.positionId } = count;
  if (!(await worksAt(db, caller, branchId))) throw new Refusal('NOT_FOUND');
  if (positionId !== caller.positionId) {
    if (!may(caller.role, 'close_day')) throw new Refusal('ROLE_NOT_ALLOWED');
    if (!(await hasPosition(db, merchantId, positionId))) throw new Refusal('NOT_FOUND');
  }
  const drawer: DrawerKey = { merchantId, branchId, positionId };
  try {
    await closeOnce(db, caller, drawer, count);
  } catch (error) {
    // Another merchant's cut has this id.
    if (refusedBy(error) === 'counter_cuts_pkey') throw new Refusal('INTENT_CONFLICT');
    throw error;
  }
  const cut = await findCut(db, merchantId, id);
  if (cut === undefined) throw new Error(`a cut without its row: ${id}`);
  return cut;
}

async function closeOnce(db: Db, caller: Staff, drawer: DrawerKey, count: Count): Promise<void> {
  const { id, seen, floatCentavos, countedCentavos } = count;
  await transaction(db, async (tx) => {
    await lockCutsOf(tx, drawer.branchId);
    const before = await findCut(tx, drawer.merchantId, id);
    if (before !== undefined) {
      if (!isSame(before, drawer, count)) throw new Refusal('INTENT_CONFLICT');
      return;
    }
    const isListed = seen.floatBeforeCentavos === undefined && seesAllDrawers(caller.role);
    const floatBefore = await findFloatBefore(tx, drawer, isListed);
    const { taken, returned } = await moveIntoCut(tx, id, drawer);
    const now = {
      movements: taken.times + returned.times,
      cashTakenCentavos: taken.cashCentavos,
      cashReturnedCentavos: returned.cashCentavos,
    };
    if (
      !canBeCut(now.movements) ||
      now.movements !== seen.movements ||
      now.cashTakenCentavos !== seen.cashTakenCentavos ||
      now.cashReturnedCentavos !== seen.cashReturnedCentavos ||
      (seen.floatBeforeCentavos !== undefined && seen.floatBeforeCentavos !== floatBefore)
    )
      throw new Refusal('CUT_CHANGED');
    const closed = { ...now, floatCentavos };
    const { isOff, isOtherFloat } = whatNeedsReason(closed, countedCentavos, floatBefore);
    if ((isOff || isOtherFloat) && count.reason === undefined)
      throw new Refusal('INVALID_INPUT', { fields: { reason: 'missing' } });
    const said = count.reason ?? null;
    const { positionId: closedBy, device } = caller;
    await insertCut(tx, {
      ...drawer,
      id,
      closedBy,
      deviceId: device?.id ?? null,
      floatCentavos,
      countedCentavos,
      reason: isOff ? said : null,
      // What is said where nothing is off is said of the float.
      floatReason: isOtherFloat || !isOff ? said : null,
      taken,
      returned,
    });
    await recordStaffAct(tx, {
      by: caller,
      branchId: drawer.branchId,
      act: drawer.positionId === closedBy ? 'close_cut' : 'close_day',
      subject: id,
      detail: {
        positionId: drawer.positionId,
        countedCentavos,
        difference: differenceIn(closed, countedCentavos),
      },
    });
  });
}

function isSame(cut: CutRow, { branchId, positionId }: DrawerKey, count: Count): boolean {
  return (
    cut.branchId === branchId &&
    cut.positionId === positionId &&
    cut.floatCentavos === count.floatCentavos &&
    cut.countedCentavos === count.countedCentavos
  );
}
