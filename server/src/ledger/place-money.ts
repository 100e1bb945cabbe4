import { add, type Centavos, sum, zero } from '@aparta/domain/money';
import type { CompiledQuery } from 'kysely';
import type { Tx } from '../platform/db/db.ts';
import type { ReceiptChannel, RefundCause, RefundWay } from '../platform/db/tables.ts';
import { together } from '../platform/db/transaction.ts';
import { newFolio } from './folio.ts';
import { addingPaid } from '../purchases/overview/store.ts';
import { type ReceiptUse, receiptEvent, suspenseResolved } from './postings.ts';
import {
  type Allocation,
  booking,
  findSuspended,
  insertAllocations,
  insertReceipt,
  insertRefund,
  type NewReceipt,
  type Receipt,
  receiving,
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
 * again; otherwise `receipts_money_arrives_once` refuses a source that already brought its money. What `along` gives for the
 * receipt's folio is sent behind it.
 */
export async function placeMoney(
  tx: Tx,
  money: Money,
  place: Place,
  along: (folio: string) => readonly CompiledQuery[] = () => [],
): Promise<Placed> {
  const amountCentavos = place.to === 'purchase' ? wholeOf(place) : place.amountCentavos;
  // A till is refused what has no home: its money never stood in suspense.
  const suspended =
    place.to === 'suspense' || money.channel === 'till'
      ? undefined
      : await findSuspended(tx, money.channel, money.sourceId);
  if (suspended !== undefined && suspended.amountCentavos !== amountCentavos) {
    throw new Error(`receipt ${suspended.id} holds ${suspended.amountCentavos}, not ${amountCentavos}`);
  }
  if (suspended === undefined && place.to === 'purchase' && (place.surplusCentavos ?? zero) === zero)
    return applyAtOnce(tx, { ...money, amountCentavos }, place, along);
  const receipt = suspended ?? (await insertReceipt(tx, { ...money, amountCentavos, folio: newFolio() }));
  const reversal: Allocation[] =
    suspended === undefined
      ? []
      : [{ target: 'suspense', reversesId: suspended.allocationId, amountCentavos: 0 - amountCentavos }];
  const { use, allocations } = await useOf(tx, receipt, place, amountCentavos);
  await insertAllocations(tx, receipt.id, [...reversal, ...allocations]);
  if (place.to === 'purchase') await tx.executeQuery(addingPaid(tx, place.purchaseId, place.parts));
  const event =
    suspended === undefined || use.to === 'suspense'
      ? receiptEvent(money, use)
      : suspenseResolved({ ...money, receiptId: receipt.id }, use);
  await together(tx, booking(tx, event), ...along(receipt.folio));
  return {
    id: receipt.id,
    folio: receipt.folio,
    refundId: use.to === 'refund' ? use.refundId : use.to === 'purchase' ? use.surplus?.refundId : undefined,
  };
}

type PurchasePlace = Extract<Place, { to: 'purchase' }>;

const wholeOf = ({ parts, feeCentavos, surplusCentavos = zero }: PurchasePlace): Centavos =>
  add(sum(parts.map((part) => part.amountCentavos)), feeCentavos, surplusCentavos);

/** Money that a purchase takes whole, as almost all is: nothing is owed back, so no statement waits for another's id. */
async function applyAtOnce(
  tx: Tx,
  money: Omit<NewReceipt, 'folio'>,
  place: PurchasePlace,
  along: (folio: string) => readonly CompiledQuery[],
): Promise<Placed> {
  const receipt = { ...money, folio: newFolio() };
  const { use, allocations } = appliedTo(place);
  const [[placed]] = await together(
    tx,
    receiving(tx, receipt, allocations),
    addingPaid(tx, place.purchaseId, place.parts),
    booking(tx, receiptEvent(receipt, use)),
    ...along(receipt.folio),
  );
  if (placed === undefined) throw new Error(`no receipt of ${receipt.channel} ${receipt.sourceId}`);
  return { id: placed.id, folio: receipt.folio, refundId: undefined };
}

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
      const refundId = await insertRefund(tx, {
        receiptId: receipt.id,
        attemptId: null,
        cause: 'surplus',
        way: 'cash',
        amountCentavos: surplusCentavos,
      });
      allocations.push({ target: 'refund', refundId, amountCentavos: surplusCentavos });
      return { use: { ...use, surplus: { refundId, amountCentavos: surplusCentavos } }, allocations };
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
