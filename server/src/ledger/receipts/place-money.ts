import { add, type Centavos, sum, zero } from '@aparta/domain/money';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel, RefundCause, RefundMethod } from '../../platform/db/tables.ts';
import { type ReceiptUse, receiptEvent, suspenseResolved } from '../books/postings.ts';
import { book } from '../books/store.ts';
import { oweRefund } from '../refunds/store.ts';
import { newFolio } from './folio.ts';
import {
  type Allocation,
  findSuspended,
  insertAllocatedReceipt,
  insertAllocations,
  insertReceipt,
  type Receipt,
} from './store.ts';

/** Money that certainly arrived, from one source, once. */
export interface Money {
  readonly channel: ReceiptChannel;
  /** The attempt, till operation or notice that brought it. */
  readonly sourceId: string;
  readonly merchantId: number;
  /** Null for money that nobody claims yet. */
  readonly buyerId: number | null;
}

/** What becomes of it, whole. */
export type Place =
  | {
      readonly to: 'purchase';
      readonly purchaseId: number;
      readonly parts: readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[];
      readonly feeCentavos: Centavos;
      /** Money beyond what is owed that could not be refused: owed back in cash. */
      readonly surplusCentavos?: Centavos;
    }
  | {
      readonly to: 'refund';
      readonly cause: RefundCause;
      readonly method: RefundMethod;
      readonly attemptId: string | null;
      readonly amountCentavos: Centavos;
    }
  | { readonly to: 'suspense'; readonly amountCentavos: Centavos };

export interface Placed {
  readonly folio: string;
  /** What is owed back of it, if anything is. */
  readonly refundId: number | undefined;
}

/**
 * The one way that money enters the books: receipt, allocations and a balanced ledger event (rules/ledger#postings), in the
 * caller's transaction. Money of the same source that stands in suspense is taken from there instead of arriving again;
 * otherwise `receipts_money_arrives_once` refuses a source that already brought its money.
 */
export async function placeMoney(tx: Tx, money: Money, place: Place): Promise<Placed> {
  const amountCentavos = place.to === 'purchase' ? wholeOf(place) : place.amountCentavos;
  // A till is refused what cannot be applied: its money never stood in suspense.
  const suspended =
    place.to === 'suspense' || money.channel === 'till'
      ? undefined
      : await findSuspended(tx, money.channel, money.sourceId);
  if (suspended !== undefined && suspended.amountCentavos !== amountCentavos) {
    throw new Error(`receipt ${suspended.id} holds ${suspended.amountCentavos}, not ${amountCentavos}`);
  }
  const folio = suspended?.folio ?? newFolio();
  // Almost all money goes to a purchase, whole: nothing waits for the receipt's id.
  if (suspended === undefined && place.to === 'purchase' && (place.surplusCentavos ?? zero) === zero) {
    const { use, allocations } = appliedTo(place);
    await insertAllocatedReceipt(tx, { ...money, amountCentavos, folio }, allocations);
    await book(tx, receiptEvent(money, use));
    return { folio, refundId: undefined };
  }
  const receipt = suspended ?? (await insertReceipt(tx, { ...money, amountCentavos, folio }));
  const reversal: Allocation[] =
    suspended === undefined
      ? []
      : [{ target: 'suspense', reversesId: suspended.allocationId, amountCentavos: 0 - amountCentavos }];
  const { use, allocations } = await useOf(tx, receipt, place, amountCentavos);
  await insertAllocations(tx, receipt.id, [...reversal, ...allocations]);
  await book(
    tx,
    suspended === undefined || use.to === 'suspense'
      ? receiptEvent(money, use)
      : suspenseResolved({ ...money, receiptId: receipt.id }, use),
  );
  return {
    folio,
    refundId: use.to === 'refund' ? use.refundId : use.to === 'purchase' ? use.surplus?.refundId : undefined,
  };
}

type PurchasePlace = Extract<Place, { to: 'purchase' }>;

const wholeOf = ({ parts, feeCentavos, surplusCentavos = zero }: PurchasePlace): Centavos =>
  add(sum(parts.map((part) => part.amountCentavos)), feeCentavos, surplusCentavos);

function appliedTo({ purchaseId, parts, feeCentavos }: PurchasePlace) {
  const allocations: Allocation[] = parts.map((part) => ({ target: 'instalment', ...part }));
  if (feeCentavos > 0) allocations.push({ target: 'service_fee', amountCentavos: feeCentavos });
  const principalCentavos = sum(parts.map((part) => part.amountCentavos));
  return { use: { to: 'purchase', purchaseId, principalCentavos, feeCentavos } as const, allocations };
}

async function useOf(
  tx: Tx,
  receipt: Receipt,
  place: Place,
  amountCentavos: Centavos,
): Promise<{ use: ReceiptUse; allocations: Allocation[] }> {
  switch (place.to) {
    case 'purchase': {
      const { use, allocations } = appliedTo(place);
      const { surplusCentavos = zero } = place;
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
      const refundId = await oweRefund(tx, { receiptId: receipt.id, ...place });
      return {
        use: { to: 'refund', refundId, method: place.method, amountCentavos },
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
