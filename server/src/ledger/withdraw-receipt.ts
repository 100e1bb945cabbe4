import { type Centavos, centavos, sum, zero } from '@aparta/domain/money';

import type { Tx } from '../db/db.ts';
import type { ReceiptChannel } from '../db/tables.ts';
import { subtractPaid } from '../purchases/store.ts';
import { receiptReversed } from './postings.ts';
import { book, findAllocations, insertAllocations, markWithdrawn } from './store.ts';

/**
 * Takes a receipt of a purchase out of the books, whole: its allocations are reversed by rows of their own, what the purchase
 * has paid goes down, and the ledger gets the mirror of the receipt's event (L9). `allocations_reversed_once` and
 * `ledger_events_once` refuse a second time. The caller holds the purchase's lock. False, and nothing done, when a part of it
 * is owed back already, which is on its own way, or when a deposit brought it: that money is a matter between people.
 */
export async function withdrawReceipt(
  tx: Tx,
  money: { channel: ReceiptChannel; sourceId: string; purchaseId: number },
): Promise<boolean> {
  const receipt = await findAllocations(tx, money.channel, money.sourceId);
  if (receipt.allocations.some(({ target }) => target === 'refund')) return false;
  if (!(await markWithdrawn(tx, receipt.id))) return false;
  const parts = receipt.allocations.flatMap(({ instalmentId, amountCentavos }) =>
    instalmentId === null ? [] : [{ instalmentId, amountCentavos }],
  );
  const principalCentavos: Centavos = sum(parts.map((part) => part.amountCentavos));
  await insertAllocations(
    tx,
    receipt.id,
    receipt.allocations.map((allocation) => ({
      target: allocation.target,
      ...(allocation.instalmentId === null ? {} : { instalmentId: allocation.instalmentId }),
      reversesId: allocation.id,
      amountCentavos: zero - allocation.amountCentavos,
    })),
  );
  await subtractPaid(tx, money.purchaseId, parts);
  await book(
    tx,
    receiptReversed(
      { channel: money.channel, merchantId: receipt.merchantId, sourceId: money.sourceId },
      {
        to: 'purchase',
        purchaseId: money.purchaseId,
        principalCentavos,
        feeCentavos: centavos(receipt.amountCentavos - principalCentavos),
      },
    ),
  );
  return true;
}
