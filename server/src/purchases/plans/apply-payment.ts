import { allocateOldestFirst } from '@aparta/domain/allocation';
import { add, type Centavos, subtract } from '@aparta/domain/money';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { type Placed, placeMoney } from '../../ledger/receipts/place-money.ts';
import { closePaidCashReferences } from '../cash-references/store.ts';
import { addPaid, type LockedPurchase } from './store.ts';

/** Money for a purchase, already certain. */
export interface PaymentMoney {
  readonly channel: ReceiptChannel;
  /** The card attempt, till operation or notice that brought it: the same source never brings money twice. */
  readonly sourceId: string;
  /** At most the purchase's balance. */
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
  /** What came beyond the balance and could not be refused: owed back in cash (rules/ledger#cash-receipt). */
  readonly surplusCentavos?: Centavos;
}

/** What a payment of instalments did. */
export interface AppliedPayment extends Placed {
  /** Numbers of the instalments that got a part of it, oldest first. */
  readonly numbers: readonly number[];
  /** What is left of the purchase. */
  readonly balanceCentavos: Centavos;
}

/**
 * Fills a purchase's instalments with money, oldest first, in the caller's transaction: receipt, allocations, ledger event and
 * email (rules/ledger#postings). The caller holds the purchase's lock and has seen that it is active and owes that much; more
 * is refused by the constraint `instalments_not_overpaid`.
 */
export async function applyPayment(
  tx: Tx,
  purchase: LockedPurchase,
  money: PaymentMoney,
): Promise<AppliedPayment> {
  const { parts, remainderCentavos } = allocateOldestFirst(purchase.instalments, money.principalCentavos);
  if (remainderCentavos > 0)
    throw new Error(`purchase ${purchase.id} does not owe ${money.principalCentavos}`);
  const balanceCentavos = subtract(purchase.balanceCentavos, money.principalCentavos);
  const idOf = new Map(purchase.instalments.map(({ id, number }) => [number, id]));
  const { channel, sourceId, principalCentavos, ...rest } = money;
  const placed = await receiveMoney(
    tx,
    { channel, sourceId, merchantId: purchase.merchantId, buyerId: purchase.buyerId },
    {
      purchaseId: purchase.id,
      parts: parts.map(({ number, amountCentavos }) => ({
        instalmentId: idOf.get(number) ?? 0,
        amountCentavos,
      })),
      ...rest,
    },
  );
  await closePaidCashReferences(tx, purchase.id);
  await sendEmail(tx, {
    topic: 'instalment_paid',
    dedupeKey: `${channel}:${sourceId}`,
    buyerId: purchase.buyerId,
    facts: {
      amountCentavos: add(principalCentavos, money.feeCentavos),
      folio: placed.folio,
      purchaseId: purchase.id,
      balanceCentavos,
    },
  });
  return { ...placed, numbers: parts.map(({ number }) => number), balanceCentavos };
}

type Money = Parameters<typeof placeMoney>[1];
type Use = Omit<Extract<Parameters<typeof placeMoney>[2], { to: 'purchase' }>, 'to'>;

/** Books money that a purchase takes and adds it to what its instalments have. */
export async function receiveMoney(tx: Tx, money: Money, use: Use): Promise<Placed> {
  const placed = await placeMoney(tx, money, { to: 'purchase', ...use });
  await addPaid(tx, use.purchaseId, use.parts);
  return placed;
}
