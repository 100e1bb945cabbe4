import { add, type Centavos, sum, zero } from '@aparta/domain/money';
import { announce } from '../../platform/changes/announce.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel, RefundCause, RefundMethod } from '../../platform/db/tables.ts';
import { type ReceiptUse, receiptEvent, suspenseResolved } from '../books/postings.ts';
import { book } from '../books/store.ts';
import { oweRefund } from '../refunds/store.ts';
import { newFolio } from './folio.ts';
import {
  type Allocation,
  findInSuspense,
  insertAllocatedReceipt,
  insertAllocations,
  insertReceipt,
  type Receipt,
} from './store.ts';

/** Money that arrived for certain. */
export interface ReceivedMoney {
  readonly channel: ReceiptChannel;
  /** The id of the card attempt, till operation or cash notice that brought it. */
  readonly sourceId: string;
  readonly merchantId: number;
  /** Null while nobody knows whose it is. */
  readonly buyerId: number | null;
  /** When it was paid (`paidMoment`); where that is not known, now. */
  readonly paidAt?: Date | undefined;
}

/** What a payment fills of a purchase. */
export interface PaidParts {
  readonly purchaseId: number;
  readonly parts: readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[];
}

/** What the whole of it is used for. */
export type MoneyUse =
  | (PaidParts & {
      readonly to: 'purchase';
      /** The other purchases that the same payment fills, of the same buyer and merchant. */
      readonly others?: readonly PaidParts[];
      readonly feeCentavos: Centavos;
      /** What came beyond the balance and could not be refused: owed back in cash. */
      readonly surplusCentavos?: Centavos;
    })
  | {
      readonly to: 'refund';
      readonly cause: RefundCause;
      readonly method: RefundMethod;
      readonly attemptId: string | null;
      /** That it was for; of cash that a person assigned nothing else says so. */
      readonly purchaseId?: number | null;
      /** The reservation that it was for, where it has no purchase. */
      readonly layawayReferenceId?: number | null;
      readonly amountCentavos: Centavos;
    }
  | { readonly to: 'suspense'; readonly amountCentavos: Centavos };

export interface RecordedReceipt {
  readonly folio: string;
  /** The refund of what is owed back, if anything is. */
  readonly refundId: number | undefined;
}

/**
 * Records money in the books: receipt, allocations and a balanced ledger event (rules/ledger#postings), in the caller's
 * transaction. No money enters them otherwise. Money of the source that stands in suspense is taken from there; else
 * `receipts_money_arrives_once` refuses a source that has brought its money already. Throws when suspense holds another amount.
 */
export async function recordReceipt(
  tx: Tx,
  money: ReceivedMoney,
  moneyUse: MoneyUse,
): Promise<RecordedReceipt> {
  const amountCentavos = moneyUse.to === 'purchase' ? wholeOf(moneyUse) : moneyUse.amountCentavos;
  // A till is refused what cannot be applied, so its money never stood in suspense.
  const suspended =
    moneyUse.to === 'suspense' || money.channel === 'till'
      ? undefined
      : await findInSuspense(tx, money.channel, money.sourceId);
  if (suspended !== undefined && suspended.amountCentavos !== amountCentavos) {
    throw new Error(`receipt ${suspended.id} holds ${suspended.amountCentavos}, not ${amountCentavos}`);
  }
  const folio = suspended?.folio ?? newFolio();
  // The common case, in deferred writes alone: nothing needs the receipt's id.
  if (suspended === undefined && moneyUse.to === 'purchase' && (moneyUse.surplusCentavos ?? zero) === zero) {
    const { use, allocations } = appliedTo(moneyUse);
    await insertAllocatedReceipt(tx, { receipt: { ...money, amountCentavos, folio }, allocations });
    await book(tx, receiptEvent(money, use));
    await tellBuyer(tx, money);
    return { folio, refundId: undefined };
  }
  const receipt = suspended ?? (await insertReceipt(tx, { ...money, amountCentavos, folio }));
  const reversal: Allocation[] =
    suspended === undefined
      ? []
      : [{ target: 'suspense', reversesId: suspended.allocationId, amountCentavos: 0 - amountCentavos }];
  const { use, allocations } = await allocate(tx, receipt, moneyUse, amountCentavos);
  await insertAllocations(tx, receipt.id, [...reversal, ...allocations]);
  await book(
    tx,
    suspended === undefined || use.to === 'suspense'
      ? receiptEvent(money, use)
      : suspenseResolved({ ...money, receiptId: receipt.id }, use),
  );
  await tellBuyer(tx, money);
  return { folio, refundId: refundOf(use) };
}

/** Their open screens ask again. */
async function tellBuyer(tx: Tx, { buyerId }: ReceivedMoney): Promise<void> {
  if (buyerId !== null) await announce(tx, `buyer:${buyerId}`);
}

function refundOf(use: ReceiptUse): number | undefined {
  switch (use.to) {
    case 'purchase':
      return use.surplus?.refundId;
    case 'refund':
      return use.refundId;
    case 'suspense':
      return undefined;
  }
}

type PurchaseUse = Extract<MoneyUse, { to: 'purchase' }>;

const principalOf = ({ parts }: PaidParts): Centavos => sum(parts.map((part) => part.amountCentavos));

const wholeOf = (use: PurchaseUse): Centavos =>
  add(sum([use, ...(use.others ?? [])].map(principalOf)), use.feeCentavos, use.surplusCentavos ?? zero);

function appliedTo(moneyUse: PurchaseUse) {
  const { purchaseId, feeCentavos, others } = moneyUse;
  const allocations: Allocation[] = [moneyUse, ...(others ?? [])].flatMap(({ parts }) =>
    parts.map((part) => ({ target: 'instalment' as const, ...part })),
  );
  if (feeCentavos > 0) allocations.push({ target: 'service_fee', amountCentavos: feeCentavos });
  const use = {
    to: 'purchase' as const,
    purchaseId,
    principalCentavos: principalOf(moneyUse),
    ...(others && {
      others: others.map((other) => ({
        purchaseId: other.purchaseId,
        principalCentavos: principalOf(other),
      })),
    }),
    feeCentavos,
  };
  return { use, allocations };
}

/** Where each centavo of a receipt goes. What is owed back becomes a refund here. */
async function allocate(
  tx: Tx,
  receipt: Receipt,
  moneyUse: MoneyUse,
  amountCentavos: Centavos,
): Promise<{ use: ReceiptUse; allocations: Allocation[] }> {
  switch (moneyUse.to) {
    case 'purchase': {
      const { use, allocations } = appliedTo(moneyUse);
      const { surplusCentavos = zero } = moneyUse;
      if (surplusCentavos === 0) return { use, allocations };
      const refundId = await oweRefund(tx, {
        receiptId: receipt.id,
        attemptId: null,
        cause: 'surplus',
        method: 'cash',
        amountCentavos: surplusCentavos,
      });
      allocations.push({ target: 'refund', refundId, amountCentavos: surplusCentavos });
      return { use: { ...use, surplus: { refundId, amountCentavos: surplusCentavos } }, allocations };
    }
    case 'refund': {
      const refundId = await oweRefund(tx, { receiptId: receipt.id, ...moneyUse });
      return {
        use: { to: 'refund', refundId, method: moneyUse.method, amountCentavos },
        allocations: [{ target: 'refund', refundId, amountCentavos }],
      };
    }
    case 'suspense':
      return {
        use: { to: 'suspense', receiptId: receipt.id, amountCentavos },
        allocations: [{ target: 'suspense', amountCentavos }],
      };
  }
}
