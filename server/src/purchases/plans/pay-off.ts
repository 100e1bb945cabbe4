import { allocateOldestFirst } from '@aparta/domain/allocation';
import { add, type Centavos, subtract } from '@aparta/domain/money';

import type { CompiledQuery } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { type Placed, placeMoney } from '../../ledger/place-money.ts';
import { queueingMail } from '../../platform/email/outbox.ts';
import { closingPaidCashReferences, type LockedPurchase } from './store.ts';

/** Money for a purchase, already certain. */
export interface InstalmentMoney {
  readonly channel: ReceiptChannel;
  /** The card attempt, till operation or notice that brought it: the same source never brings money twice. */
  readonly sourceId: string;
  /** At most the purchase's balance. */
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
  /** What came beyond the balance and could not be refused: owed back in cash (L4). */
  readonly surplusCentavos?: Centavos;
}

/** What a payment of instalments did. */
export interface Paid {
  readonly folio: string;
  /** Numbers of the instalments that got a part of it, oldest first. */
  readonly numbers: readonly number[];
  /** What is left of the purchase. */
  readonly balanceCentavos: Centavos;
}

export type PaidOff = Paid & Placed;

/**
 * Fills a purchase's instalments with money, oldest first, in the caller's transaction: receipt, allocations, ledger event and
 * mail (L2 to L4). The caller holds the purchase's lock and has seen that it is active and owes that much; more is refused by
 * the constraint `instalments_not_overpaid`. What `along` gives is sent behind it.
 */
export async function payOff(
  tx: Tx,
  purchase: LockedPurchase,
  money: InstalmentMoney,
  along: (paid: Paid) => readonly CompiledQuery[] = () => [],
): Promise<PaidOff> {
  const { parts, remainderCentavos } = allocateOldestFirst(purchase.instalments, money.principalCentavos);
  if (remainderCentavos > 0)
    throw new Error(`purchase ${purchase.id} does not owe ${money.principalCentavos}`);
  const numbers = parts.map(({ number }) => number);
  const balanceCentavos = subtract(purchase.balanceCentavos, money.principalCentavos);
  const idOf = new Map(purchase.instalments.map(({ id, number }) => [number, id]));
  const placed = await placeMoney(
    tx,
    {
      channel: money.channel,
      sourceId: money.sourceId,
      merchantId: purchase.merchantId,
      buyerId: purchase.buyerId,
    },
    {
      to: 'purchase',
      purchaseId: purchase.id,
      parts: parts.map(({ number, amountCentavos }) => ({
        instalmentId: idOf.get(number) ?? 0,
        amountCentavos,
      })),
      feeCentavos: money.feeCentavos,
      ...(money.surplusCentavos === undefined ? {} : { surplusCentavos: money.surplusCentavos }),
    },
    (folio) => [
      closingPaidCashReferences(tx, purchase.id),
      queueingMail(tx, {
        topic: 'instalment_paid',
        dedupeKey: `${money.channel}:${money.sourceId}`,
        buyerId: purchase.buyerId,
        facts: {
          amountCentavos: add(money.principalCentavos, money.feeCentavos),
          folio,
          purchaseId: purchase.id,
          balanceCentavos,
        },
      }),
      ...along({ folio, numbers, balanceCentavos }),
    ],
  );
  return { ...placed, numbers, balanceCentavos };
}
