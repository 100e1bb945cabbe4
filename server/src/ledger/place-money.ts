import { add, type Centavos, sum, zero } from '@aparta/domain/money';
import type { Tx } from '../db/db.ts';
import type { ReceiptChannel, RefundCause, RefundWay } from '../db/tables.ts';
import { addPaid } from '../purchases/store.ts';
import { type ReceiptUse, receiptEvent, suspenseResolved } from './postings.ts';
import {
  type Allocation,
  book,
  findSuspended,
  insertAllocations,
  insertReceipt,
  insertRefund,
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
      readonly way: RefundWay;
      readonly attemptId: string | null;
      readonly amountCentavos: Centavos;
    }
  | { readonly to: 'suspense'; readonly amountCentavos: Centavos };

export interface Placed extends Receipt {
  /** Of a refund only. */
  readonly refundId: number | undefined;
}

/**
 * The one way that money enters the books: receipt, allocations, what the purchase has paid, and a balanced ledger event (L1 to
 * L8), in the caller's transaction. Money of the same source that stands in suspense is taken from there instead of arriving
 * again; otherwise `receipts_money_arrives_once` refuses a source that already brought its money.
 */
export async function placeMoney(tx: Tx, money: Money, place: Place): Promise<Placed> {
  const amountCentavos =
    place.to === 'purchase'
      ? add(
          sum(place.parts.map((part) => part.amountCentavos)),
          place.feeCentavos,
          place.surplusCentavos ?? zero,
        )
      : place.amountCentavos;
  const suspended =
    place.to === 'suspense' ? undefined : await findSuspended(tx, money.channel, money.sourceId);
  if (suspended !== undefined && suspended.amountCentavos !== amountCentavos) {
    throw new Error(`receipt ${suspended.id} holds ${suspended.amountCentavos}, not ${amountCentavos}`);
  }
  const receipt = suspended ?? (await insertReceipt(tx, { ...money, amountCentavos }));
  const reversal: Allocation[] =
    suspended === undefined
      ? []
      : [{ target: 'suspense', reversesId: suspended.allocationId, amountCentavos: 0 - amountCentavos }];
  const { use, allocations } = await useOf(tx, receipt, place, amountCentavos);
  await insertAllocations(tx, receipt.id, [...reversal, ...allocations]);
  if (place.to === 'purchase') await addPaid(tx, place.purchaseId, place.parts);
  await book(
    tx,
    suspended === undefined || use.to === 'suspense'
      ? receiptEvent(money, use)
      : suspenseResolved({ ...money, receiptId: receipt.id }, use),
  );
  return {
    id: receipt.id,
    folio: receipt.folio,
    refundId: use.to === 'refund' ? use.refundId : use.to === 'purchase' ? use.surplus?.refundId : undefined,
  };
}

async function useOf(
  tx: Tx,
  receipt: Receipt,
  place: Place,
  amountCentavos: Centavos,
): Promise<{ use: ReceiptUse; allocations: Allocation[] }> {
  switch (place.to) {
    case 'purchase': {
      const { purchaseId, parts, feeCentavos, surplusCentavos = zero } = place;
      const principalCentavos = sum(parts.map((part) => part.amountCentavos));
      const allocations: Allocation[] = parts.map((part) => ({ target: 'instalment', ...part }));
      if (feeCentavos > 0) allocations.push({ target: 'service_fee', amountCentavos: feeCentavos });
      const refundId =
        surplusCentavos === 0
          ? undefined
          : await insertRefund(tx, {
              receiptId: receipt.id,
              attemptId: null,
              cause: 'surplus',
              way: 'cash',
              amountCentavos: surplusCentavos,
            });
      if (refundId !== undefined)
        allocations.push({ target: 'refund', refundId, amountCentavos: surplusCentavos });
      const surplus = refundId === undefined ? undefined : { refundId, amountCentavos: surplusCentavos };
      return { use: { to: 'purchase', purchaseId, principalCentavos, feeCentavos, surplus }, allocations };
    }
    case 'refund': {
      const refundId = await insertRefund(tx, { receiptId: receipt.id, ...place });
      return {
        use: { to: 'refund', refundId, way: place.way, amountCentavos },
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
