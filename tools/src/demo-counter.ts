import { randomUUID } from 'node:crypto';
import { add, centavos, subtract } from '@aparta/domain/money';
import { closeDrawer } from '@aparta/server/payments/counter/cuts/close-cut';
import { readShifts } from '@aparta/server/payments/counter/cuts/read-cuts';
import { reverseAtCounter } from '@aparta/server/payments/counter/reverse';
import { takeAtCounter } from '@aparta/server/payments/counter/take';
import { readOwed } from '@aparta/server/payments/owed/read-owed';
import type { Settings } from '@aparta/server/env';
import type { Db } from '@aparta/server/platform/db/db';
import { createLimiter } from '@aparta/server/platform/limiter';
import { createLog } from '@aparta/server/platform/logging';
import type { Staff } from '@aparta/server/platform/principal';
import { findReference } from '@aparta/server/purchases/layaways/shown.read-model';
import { SHORT_CUT, type Visit } from '../demo/counter-month.ts';

/** What a drawer begins with. */
const FLOAT = centavos(50_000);
/** What a customer hands over in cash: whole hundreds. */
const NOTE = 10_000;

const log = createLog('silent');

/** Somebody at the counter, in the branch where they stand. */
export interface Cashier {
  readonly staff: Staff;
  readonly branchId: number;
}

/** Takes a customer's money for what they reserved; the manager takes it back where it was a mistake. Throws unless it ended well. */
export async function payAtCounter(
  { db, settings, manager }: { readonly db: Db; readonly settings: Settings; readonly manager: Staff },
  { staff, branchId }: Cashier,
  reserved: { readonly buyerId: number; readonly referenceId: number },
  [, wanted, , way]: Visit,
): Promise<void> {
  const layaway = await findReference(db, reserved.buyerId, reserved.referenceId);
  if (layaway === undefined) throw new Error(`no reservation ${reserved.referenceId}`);
  const { id: layawayReferenceId, merchantId, purchaseId } = layaway;
  const payable = { merchantId, layawayReferenceId, purchaseId, isDeposit: purchaseId === null };
  const { reference, quote } = await readOwed(db, payable);
  if (quote === undefined) throw new Error(`nothing is owed by ${reference}`);
  const amountCentavos = typeof wanted === 'number' ? centavos(wanted * 100) : quote[wanted].amountCentavos;
  const deps = { db, limiter: createLimiter(db), tillCaps: settings.tillCaps };
  const { operation } = await takeAtCounter(
    deps,
    staff,
    {
      id: randomUUID(),
      branchId,
      reference,
      amountCentavos,
      handedOver:
        way === 'terminal'
          ? {
              method: 'terminal',
              last4: '4417',
              authorisation: String(amountCentavos).padStart(6, '0').slice(-6),
            }
          : { method: 'cash', tenderedCentavos: centavos(Math.ceil(amountCentavos / NOTE) * NOTE) },
    },
    log,
  );
  if (way === 'reversed')
    await reverseAtCounter(
      deps,
      manager,
      { folio: operation.folio, reason: 'Se cobró en la compra equivocada' },
      log,
    );
}

/** Counts and closes what went through somebody's drawers on a day, wherever they work: what they gave back, too. */
export async function closeDay(db: Db, staff: Staff, daysAgo: number): Promise<void> {
  for (const branchId of staff.branchIds) {
    const drawers = await readShifts(db, staff, branchId);
    const own = drawers.find(({ positionId }) => positionId === staff.positionId);
    if (own === undefined || own.movements === 0) continue;
    const { movements, cashTakenCentavos, cashReturnedCentavos, floatBeforeCentavos } = own;
    const should = subtract(add(FLOAT, cashTakenCentavos), cashReturnedCentavos);
    const isShort = daysAgo === SHORT_CUT.daysAgo;
    await closeDrawer({ db }, staff, {
      id: randomUUID(),
      branchId,
      positionId: undefined,
      seen: { movements, cashTakenCentavos, cashReturnedCentavos, floatBeforeCentavos },
      floatCentavos: FLOAT,
      countedCentavos: isShort ? subtract(should, centavos(SHORT_CUT.centavos)) : should,
      reason: isShort ? SHORT_CUT.reason : undefined,
    });
  }
}
