import { mexicoCityDate, penaltyFreeUntil } from '@aparta/domain/calendar';
import { add, type Centavos } from '@aparta/domain/money';
import { buildPlan } from '@aparta/domain/plan';
import type { CompiledQuery } from 'kysely';
import { queueingMail } from '../../platform/email/outbox.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { placeMoney } from '../../ledger/place-money.ts';
import { insertPurchase } from '../overview/store.ts';
import { newReferenceIds } from './reference-ids.ts';
import { closingReference, type LayawayReference } from './store.ts';

/** The money that pays a deposit, already certain. */
export interface DepositMoney {
  readonly channel: ReceiptChannel;
  /** The card attempt or till operation that brought it: the same source never brings money twice. */
  readonly sourceId: string;
  readonly feeCentavos: Centavos;
}

export interface Reservation {
  readonly purchaseId: number;
  readonly folio: string;
}

/**
 * Turns a paid reference into a purchase: schedule, receipt, allocation, ledger event and mail, in the caller's transaction
 * (decisions §4 'Reserving'; payments.md §1.4). The caller holds the reference's lock and has seen that it has no purchase;
 * `purchases_one_per_reference` and `receipts_money_arrives_once` refuse what slips through. What `along` gives is sent behind it.
 */
export async function reserve(
  tx: Tx,
  reference: LayawayReference,
  money: DepositMoney,
  along: (folio: string) => readonly CompiledQuery[] = () => [],
): Promise<Reservation> {
  const plan = buildPlan(
    {
      priceCentavos: reference.priceCentavos,
      depositBasisPoints: reference.depositBasisPoints,
      frequencyDays: reference.frequencyDays,
      durationDays: reference.planDurationDays,
    },
    mexicoCityDate(reference.now),
  );
  const ids = await newReferenceIds(tx, plan.length);
  const instalments = plan.map((instalment, index) => ({ ...instalment, id: ids[index] ?? 0 }));
  const purchaseId = await insertPurchase(tx, reference, instalments, penaltyFreeUntil(reference.now));
  const receipt = await placeMoney(
    tx,
    {
      channel: money.channel,
      sourceId: money.sourceId,
      merchantId: reference.merchantId,
      buyerId: reference.buyerId,
    },
    {
      to: 'purchase',
      purchaseId,
      parts: [{ instalmentId: ids[0] ?? 0, amountCentavos: reference.depositCentavos }],
      feeCentavos: money.feeCentavos,
    },
    (folio) => [
      closingReference(tx, reference.id, 'paid'),
      queueingMail(tx, {
        topic: 'layaway_paid',
        dedupeKey: `${money.channel}:${money.sourceId}`,
        buyerId: reference.buyerId,
        facts: {
          amountCentavos: add(reference.depositCentavos, money.feeCentavos),
          folio,
          purchaseId,
        },
      }),
      ...along(folio),
    ],
  );
  return { purchaseId, folio: receipt.folio };
}
