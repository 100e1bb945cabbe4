import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import {
  movedPlan,
  moveProblem,
  type MovingProblem,
  type ReplannedInstalment,
  splitPlan,
  splitProblem,
} from '@aparta/domain/moving';

import { announce } from '../../platform/changes/announce.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import { replan } from '../plans/store.ts';
import { newReferenceIds } from '../references/reference-ids.ts';
import { type LockedMovable, lockMovable, movablePlanOf, type MovableRow } from './read-model.ts';
import { insertPlanChange } from './store.ts';

/** A change that a buyer asks for, with the plan that they were shown. */
export interface AskedChange {
  /** The one after the last that was shown. */
  readonly sequence: number;
  readonly number: number;
  /** The day and the amount that were shown. */
  readonly fromDay: DateOnly;
  readonly amountCentavos: Centavos;
  readonly toDay: DateOnly;
  /** What stays on its day, of one that is split; undefined: it is moved. */
  readonly firstCentavos?: Centavos | undefined;
}

/**
 * Moves the day of an instalment, or splits it, within its merchant's rule, and mails its buyer (rules/layaways#moving). The same change
 * again answers the same. Refuses NOT_FOUND, PLAN_CHANGED, PURCHASE_CANCELLED, PURCHASE_SETTLED, ATTEMPT_OPEN, and NOT_MOVABLE with why.
 */
export async function changePlan(
  db: Db,
  buyerId: number,
  purchaseId: number,
  asked: AskedChange,
): Promise<MovableRow> {
  return transaction(db, async (tx) => {
    const before = await lockMovable(tx, buyerId, purchaseId);
    if (before === undefined) throw new Refusal('NOT_FOUND');
    if (isRepeated(before, asked)) return before;
    refuseUnlessOpen(before);
    refuseUnlessShown(before, asked);
    const problem = problemOf(before, asked);
    if (problem !== undefined) throw new Refusal('NOT_MOVABLE', { problem });
    await carryOut(tx, purchaseId, before, asked);
    await tell(tx, { buyerId, purchaseId }, asked);
    const after = await lockMovable(tx, buyerId, purchaseId);
    if (after === undefined) throw new Error(`purchase ${purchaseId} is gone`);
    return after;
  });
}

/** Whether it is a change that was made before. Refuses PLAN_CHANGED where another was made in its place. */
function isRepeated({ changes }: LockedMovable, asked: AskedChange): boolean {
  const made = changes.find(({ sequence }) => sequence === asked.sequence);
  if (made === undefined) return false;
  const isSame =
    made.number === asked.number &&
    made.fromDay === asked.fromDay &&
    made.toDay === asked.toDay &&
    made.amountCentavos === asked.amountCentavos &&
    made.firstCentavos === (asked.firstCentavos ?? null);
  if (!isSame) throw new Refusal('PLAN_CHANGED');
  return true;
}

function refuseUnlessOpen({ state, paidCentavos, priceCentavos, attempt }: LockedMovable): void {
  if (state === 'cancelled') throw new Refusal('PURCHASE_CANCELLED');
  if (paidCentavos >= priceCentavos) throw new Refusal('PURCHASE_SETTLED');
  // What it fills was shown of this plan.
  if (attempt !== null)
    throw new Refusal('ATTEMPT_OPEN', { intentoId: attempt.intentId, state: attempt.state });
}

function refuseUnlessShown({ changes, instalments }: LockedMovable, asked: AskedChange): void {
  const instalment = instalments.find(({ number }) => number === asked.number);
  const isShown =
    asked.sequence === changes.length + 1 &&
    (instalment === undefined ||
      (instalment.dueOn === asked.fromDay && instalment.amountCentavos === asked.amountCentavos));
  if (!isShown) throw new Refusal('PLAN_CHANGED');
}

function problemOf(
  before: LockedMovable,
  { number, toDay, firstCentavos }: AskedChange,
): MovingProblem | undefined {
  const plan = movablePlanOf(before);
  return firstCentavos === undefined
    ? moveProblem(plan, number, toDay)
    : splitProblem(plan, number, { dueOn: toDay, firstCentavos });
}

async function carryOut(
  tx: Tx,
  purchaseId: number,
  before: LockedMovable,
  asked: AskedChange,
): Promise<void> {
  const { number, toDay, firstCentavos } = asked;
  const { instalments } = before;
  const after =
    firstCentavos === undefined
      ? movedPlan(instalments, number, toDay)
      : splitPlan(instalments, number, { dueOn: toDay, firstCentavos });
  const changed = after.filter((each) => {
    const was = instalments.find((one) => one.number === each.number);
    return was !== undefined && !isSame(was, each);
  });
  const added = after.filter((each) => !instalments.some((one) => one.number === each.number));
  const ids = added.length === 0 ? [] : await newReferenceIds(tx, added.length);
  await replan(tx, purchaseId, [...changed, ...added.map((each, at) => ({ ...each, id: ids[at] }))]);
  await insertPlanChange(tx, {
    purchaseId,
    sequence: asked.sequence,
    kind: firstCentavos === undefined ? 'moved' : 'split',
    number,
    fromDay: asked.fromDay,
    toDay,
    amountCentavos: asked.amountCentavos,
    firstCentavos: firstCentavos ?? null,
  });
}

const isSame = (a: ReplannedInstalment, b: ReplannedInstalment) =>
  a.dueOn === b.dueOn && a.amountCentavos === b.amountCentavos;

async function tell(
  tx: Tx,
  { buyerId, purchaseId }: { readonly buyerId: number; readonly purchaseId: number },
  { sequence, number, fromDay, toDay, amountCentavos, firstCentavos }: AskedChange,
): Promise<void> {
  await announce(tx, `buyer:${buyerId}`);
  await sendEmail(tx, {
    topic: 'plan_changed',
    dedupeKey: `plan_change:${purchaseId}:${sequence}`,
    buyerId,
    facts: {
      amountCentavos,
      purchaseId,
      number,
      dueOn: fromDay,
      toDay,
      ...(firstCentavos !== undefined && { firstCentavos }),
    },
  });
}
