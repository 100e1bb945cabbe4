import { type Centavos, centavos, sum, zero } from '@aparta/domain/money';

import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { receiptReversed, type ReceiptUse } from '../books/postings.ts';
import { book } from '../books/store.ts';
import { findAllocations, insertAllocations, markWithdrawn } from './store.ts';

/** What instalments had of a receipt that was withdrawn. */
export type WithdrawnParts = readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[];

type Withdrawal = { readonly channel: ReceiptChannel; readonly sourceId: string };
type Standing = Awaited<ReturnType<typeof findAllocations>>;

/**
 * Takes a receipt of a purchase out of the books, whole: its allocations are reversed by rows of their own, and the ledger gets
 * the mirror of the receipt's event (rules/ledger#reversal). `allocations_reversed_once` and `ledger_events_once` refuse a
 * second time. The caller holds the purchase's lock, and takes the parts that come back off its instalments. Undefined, and
 * nothing done, when a part of it is owed back already, which is on its own way, or when a settlement brought it: that money is
 * a matter between people.
 */
export async function withdrawReceipt(
  tx: Tx,
  money: Withdrawal & { readonly purchaseId: number },
): Promise<WithdrawnParts | undefined> {
  const receipt = await findAllocations(tx, money.channel, money.sourceId);
  if (receipt.allocations.some(({ target }) => target === 'refund')) return undefined;
  return takeOut(tx, receipt, money, false);
}

/**
 * The same of a receipt of which a part, or all, was owed back in cash: nothing of it is owed any more, or, where `refundIsPaid`,
 * that part is lost. The caller holds the locks of purchase and refund, and ends the refund.
 */
export async function withdrawWithRefund(
  tx: Tx,
  money: Withdrawal & { readonly purchaseId: number | undefined },
  { refundIsPaid }: { readonly refundIsPaid: boolean },
): Promise<WithdrawnParts | undefined> {
  return takeOut(tx, await findAllocations(tx, money.channel, money.sourceId), money, refundIsPaid);
}

async function takeOut(
  tx: Tx,
  receipt: Standing,
  { channel, sourceId, purchaseId }: Withdrawal & { readonly purchaseId: number | undefined },
  refundIsPaid: boolean,
): Promise<WithdrawnParts | undefined> {
  if (!(await markWithdrawn(tx, receipt.id))) return undefined;
  const parts = receipt.allocations.flatMap(({ instalmentId, amountCentavos }) =>
    instalmentId === null ? [] : [{ instalmentId, amountCentavos }],
  );
  await insertAllocations(
    tx,
    receipt.id,
    receipt.allocations.map(({ id, target, instalmentId, refundId, amountCentavos }) => ({
      target,
      ...(instalmentId === null ? {} : { instalmentId }),
      ...(refundId === null ? {} : { refundId }),
      reversesId: id,
      amountCentavos: zero - amountCentavos,
    })),
  );
  const { merchantId } = receipt;
  const principalCentavos = sum(parts.map((part) => part.amountCentavos));
  await book(
    tx,
    receiptReversed({ channel, merchantId, sourceId }, useOf(receipt, purchaseId, principalCentavos), {
      refundIsPaid,
    }),
  );
  return parts;
}

/** What the receipt's money was used for, as its event said. */
function useOf(
  { amountCentavos, allocations }: Standing,
  purchaseId: number | undefined,
  principalCentavos: Centavos,
): Exclude<ReceiptUse, { to: 'suspense' }> {
  const owed = allocations.find(({ target }) => target === 'refund');
  const surplus =
    owed === undefined ? undefined : { refundId: owed.refundId ?? 0, amountCentavos: owed.amountCentavos };
  if (purchaseId === undefined) {
    if (surplus === undefined) throw new Error('a receipt that neither a purchase nor a refund has');
    return { to: 'refund', method: 'cash', ...surplus };
  }
  const feeCentavos = centavos(amountCentavos - principalCentavos - (surplus?.amountCentavos ?? 0));
  return { to: 'purchase', purchaseId, principalCentavos, feeCentavos, surplus };
}
