import { type Centavos, centavos, sum, zero } from '@aparta/domain/money';

import { announce } from '../../platform/changes/announce.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { receiptReversed, type ReceiptUse } from '../books/postings.ts';
import { book } from '../books/store.ts';
import { findAllocations, insertAllocations, markWithdrawn } from './store.ts';

/** What instalments had of a receipt that was reversed. */
export type ReversedParts = readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[];

type Source = { readonly channel: ReceiptChannel; readonly sourceId: string };
type AllocatedReceipt = Awaited<ReturnType<typeof findAllocations>>;

/**
 * Reverses a purchase's receipt, whole (rules/ledger#reversal): each allocation by a row of its own, and the receipt's event by
 * its mirror. `allocations_reversed_once` and `ledger_events_once` refuse a second time. The caller holds the purchase's lock,
 * and takes the parts off its instalments. Undefined, and nothing is done, when a part of it is owed back, or when a deposit of
 * a settlement brought the money: people decide about that. Throws when the source brought no money.
 */
export async function reverseReceipt(
  tx: Tx,
  source: Source & { readonly purchaseId: number },
): Promise<ReversedParts | undefined> {
  const receipt = await findAllocations(tx, source.channel, source.sourceId);
  if (receipt.allocations.some(({ target }) => target === 'refund')) return undefined;
  return reverse(tx, receipt, source, false);
}

/**
 * Reverses a receipt of which a part, or all, was owed back in cash. That debt goes too, or is a loss where `refundIsPaid`. The
 * caller holds the locks of purchase and refund, and ends the refund.
 */
export async function reverseReceiptWithRefund(
  tx: Tx,
  source: Source & { readonly purchaseId: number | undefined },
  { refundIsPaid }: { readonly refundIsPaid: boolean },
): Promise<ReversedParts | undefined> {
  return reverse(tx, await findAllocations(tx, source.channel, source.sourceId), source, refundIsPaid);
}

async function reverse(
  tx: Tx,
  receipt: AllocatedReceipt,
  { channel, sourceId, purchaseId }: Source & { readonly purchaseId: number | undefined },
  refundIsPaid: boolean,
): Promise<ReversedParts | undefined> {
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
  if (receipt.buyerId !== null) await announce(tx, `buyer:${receipt.buyerId}`);
  return parts;
}

/** What the receipt's money was used for, as its event has it. */
function useOf(
  { amountCentavos, allocations }: AllocatedReceipt,
  purchaseId: number | undefined,
  principalCentavos: Centavos,
): Exclude<ReceiptUse, { to: 'suspense' }> {
  const owed = allocations.find(({ target }) => target === 'refund');
  const surplus =
    owed === undefined ? undefined : { refundId: owed.refundId ?? 0, amountCentavos: owed.amountCentavos };
  if (purchaseId === undefined) {
    if (surplus === undefined) throw new Error('a receipt of neither a purchase nor a refund');
    return { to: 'refund', method: 'cash', ...surplus };
  }
  const feeCentavos = centavos(amountCentavos - principalCentavos - (surplus?.amountCentavos ?? 0));
  return { to: 'purchase', purchaseId, principalCentavos, feeCentavos, surplus };
}
