import { mexicoCityDate, penaltyFreeUntil } from '@aparta/domain/calendar';
import { add, type Centavos, zero } from '@aparta/domain/money';
import { buildPlan, type PlannedInstalment } from '@aparta/domain/plan';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import { takeUnit, type Unit } from '../holds/find-unit.ts';
import { insertPurchase } from '../plans/insert-purchase.ts';
import { newPurchaseIds } from '../references/reference-ids.ts';
import type { LayawayReference } from './read-model.ts';
import { closeReference } from './store.ts';

/** Money for a deposit that arrived for certain. */
export interface DepositMoney {
  readonly channel: ReceiptChannel;
  /** The id of the card attempt, till operation or cash notice that brought it: no source brings money twice. */
  readonly sourceId: string;
  readonly feeCentavos: Centavos;
  /** What came beyond deposit and fee, and could not be refused: owed back in cash. */
  readonly surplusCentavos?: Centavos;
  /** Plan and penalty count from it; without it, from now. */
  readonly paidAt?: Date | undefined;
  /** What the deposit takes out of sale. */
  readonly unit: Unit;
  /** By {@link planPurchase}, where it was begun before: its question then travels with others. */
  readonly planned?: Promise<PlannedPurchase>;
}

export interface Reservation {
  readonly purchaseId: number;
  readonly folio: string;
}

/** A purchase before anything of it is written: its id, and its plan with the instalments' ids. */
export interface PlannedPurchase {
  readonly id: number;
  readonly plan: readonly (PlannedInstalment & { readonly id: number })[];
}

/** Plans the purchase that a reference becomes when it is paid at `paidAt`. */
export async function planPurchase(
  tx: Tx,
  reference: LayawayReference,
  paidAt = reference.now,
): Promise<PlannedPurchase> {
  const plan = buildPlan(
    {
      priceCentavos: reference.priceCentavos,
      depositBasisPoints: reference.depositBasisPoints,
      frequencyDays: reference.frequencyDays,
      durationDays: reference.planDurationDays,
    },
    mexicoCityDate(paidAt),
  );
  const { purchaseId, instalmentIds } = await newPurchaseIds(tx, plan.length);
  return {
    id: purchaseId,
    plan: plan.map((instalment, index) => ({ ...instalment, id: instalmentIds[index] ?? 0 })),
  };
}

/**
 * Turns a paid reference into a purchase: schedule, receipt, allocation, ledger event and email, in the caller's transaction
 * (rules/layaways#reserving). The caller holds the reference's lock (rules/ledger#lock-order, level 0) and has seen that it has
 * no purchase. `purchases_one_per_reference` and `receipts_money_arrives_once` refuse it, at the latest at the commit.
 */
export async function reserve(
  tx: Tx,
  reference: LayawayReference,
  { planned, ...money }: DepositMoney,
): Promise<Reservation> {
  const paidAt = money.paidAt ?? reference.now;
  const { id: purchaseId, plan } = await (planned ?? planPurchase(tx, reference, paidAt));
  await insertPurchase(tx, {
    id: purchaseId,
    terms: reference,
    plan,
    penaltyFreeUntil: penaltyFreeUntil(paidAt),
  });
  const { folio } = await recordReceipt(
    tx,
    {
      channel: money.channel,
      sourceId: money.sourceId,
      merchantId: reference.merchantId,
      buyerId: reference.buyerId,
      paidAt: money.paidAt,
    },
    {
      to: 'purchase',
      purchaseId,
      parts: [{ instalmentId: plan[0]?.id ?? 0, amountCentavos: reference.depositCentavos }],
      feeCentavos: money.feeCentavos,
      ...(money.surplusCentavos !== undefined && { surplusCentavos: money.surplusCentavos }),
    },
  );
  await closeReference(tx, reference.id, 'paid');
  await takeUnit(tx, reference.id, money.unit);
  await sendEmail(tx, {
    topic: 'layaway_paid',
    dedupeKey: `${money.channel}:${money.sourceId}`,
    buyerId: reference.buyerId,
    facts: {
      amountCentavos: add(reference.depositCentavos, money.feeCentavos, money.surplusCentavos ?? zero),
      folio,
      purchaseId,
    },
  });
  return { purchaseId, folio };
}
