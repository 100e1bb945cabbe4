import { allocateOldestFirst } from '@aparta/domain/allocation';
import { add, type Centavos, subtract, zero } from '@aparta/domain/money';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import {
  type MoneyUse,
  type ReceivedMoney,
  type RecordedReceipt,
  recordReceipt,
} from '../../ledger/receipts/record-receipt.ts';
import { closePaidCashReferences } from '../cash-references/store.ts';
import { addPaid, type LockedPurchase } from './store.ts';

/** Money for a purchase that arrived for certain. */
export interface PaymentMoney {
  readonly channel: ReceiptChannel;
  /** The id of the card attempt, till operation or cash notice that brought it: no source brings money twice. */
  readonly sourceId: string;
  readonly paidAt?: Date | undefined;
  /** At most the purchase's balance. */
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
  /** What came beyond the balance and could not be refused: owed back in cash (rules/ledger#cash-receipt). */
  readonly surplusCentavos?: Centavos;
  /** Somebody paid it to help the buyer. */
  readonly isHelp?: boolean;
}

/** A payment, and what it did to the purchase. */
export interface AppliedPayment extends RecordedReceipt {
  /** The numbers of the instalments that it paid, or paid in part, oldest first. */
  readonly numbers: readonly number[];
  /** What is left of the purchase. */
  readonly balanceCentavos: Centavos;
}

/**
 * Pays a purchase's instalments, oldest first, in the caller's transaction: receipt, allocations, ledger event and email
 * (rules/layaways#paying). The caller holds the purchase's lock (rules/ledger#lock-order, level 1), of a card payment the
 * attempt's too (level 2), and has seen that the purchase is active. Its cash references are closed under that lock. Throws when
 * it owes less; `instalments_not_overpaid` refuses the same.
 */
export async function applyPayment(
  tx: Tx,
  purchase: LockedPurchase,
  money: PaymentMoney,
): Promise<AppliedPayment> {
  const { channel, sourceId, paidAt, principalCentavos, isHelp = false, ...rest } = money;
  const { numbers, ...filled } = fill(purchase, principalCentavos);
  const balanceCentavos = subtract(purchase.balanceCentavos, principalCentavos);
  const receipt = await receiveMoney(
    tx,
    { channel, sourceId, merchantId: purchase.merchantId, buyerId: purchase.buyerId, paidAt },
    { ...filled, ...rest },
  );
  await closePaidCashReferences(tx, purchase.id);
  await sendEmail(tx, {
    topic: 'instalment_paid',
    dedupeKey: `${channel}:${sourceId}`,
    buyerId: purchase.buyerId,
    facts: {
      amountCentavos: add(principalCentavos, money.feeCentavos, money.surplusCentavos ?? zero),
      folio: receipt.folio,
      purchaseId: purchase.id,
      balanceCentavos,
      ...(isHelp && { isHelp: 1 }),
    },
  });
  return { ...receipt, numbers, balanceCentavos };
}

/**
 * {@link applyPayment} for one payment of several purchases of a buyer at one merchant: one receipt, one fee, one email. The caller
 * holds the locks of all of them.
 */
export async function applyPaymentToSeveral(
  tx: Tx,
  shares: readonly { readonly purchase: LockedPurchase; readonly principalCentavos: Centavos }[],
  money: Omit<PaymentMoney, 'principalCentavos' | 'surplusCentavos' | 'isHelp'>,
): Promise<RecordedReceipt> {
  const [first, ...others] = shares.map(({ purchase, principalCentavos }) =>
    fill(purchase, principalCentavos),
  );
  const [share] = shares;
  if (share === undefined || first === undefined) throw new Error('a payment of no purchase');
  const { channel, sourceId, paidAt, feeCentavos } = money;
  const { merchantId, buyerId } = share.purchase;
  const receipt = await receiveMoney(
    tx,
    { channel, sourceId, merchantId, buyerId, paidAt },
    { ...first, others, feeCentavos },
  );
  for (const { purchase } of shares) await closePaidCashReferences(tx, purchase.id);
  await sendEmail(tx, {
    topic: 'several_paid',
    dedupeKey: `${channel}:${sourceId}`,
    buyerId,
    facts: {
      amountCentavos: add(...shares.map(({ principalCentavos }) => principalCentavos), feeCentavos),
      folio: receipt.folio,
      purchases: shares.length,
    },
  });
  return receipt;
}

/** Which instalments of a purchase a sum fills, oldest first. Throws when it owes less. */
function fill({ id: purchaseId, instalments }: LockedPurchase, principalCentavos: Centavos) {
  const { parts, remainderCentavos } = allocateOldestFirst(instalments, principalCentavos);
  if (remainderCentavos > 0) throw new Error(`purchase ${purchaseId} does not owe ${principalCentavos}`);
  const idOf = new Map(instalments.map(({ id, number }) => [number, id]));
  return {
    purchaseId,
    parts: parts.map(({ number, amountCentavos }) => ({
      instalmentId: idOf.get(number) ?? 0,
      amountCentavos,
    })),
    numbers: parts.map(({ number }) => number),
  };
}

/** Records money that is paid to a purchase, whose lock the caller holds, and adds it to what its instalments have. */
export async function receiveMoney(
  tx: Tx,
  money: ReceivedMoney,
  use: Omit<Extract<MoneyUse, { to: 'purchase' }>, 'to'>,
): Promise<RecordedReceipt> {
  const receipt = await recordReceipt(tx, money, { to: 'purchase', ...use });
  for (const { purchaseId, parts } of [use, ...(use.others ?? [])]) await addPaid(tx, purchaseId, parts);
  return receipt;
}
