import { useQuery } from '@tanstack/react-query';
import { refundsQuery } from './refunds.ts';
import type { Receipt } from './receipts.ts';

/** What became of a payment that does not stand as it was made. */
export interface Undone {
  /** All its money went back, or is on its way: nothing is paid by it any more. */
  readonly isWhole: boolean;
  /** Whether that is back already; undefined until it is known. */
  readonly isBack: boolean | undefined;
  /** Its purchase is cancelled. One payment of several purchases is not over with the first of them. */
  readonly isOver: boolean;
}

/** Undefined while the payment stands, or is not known to be undone. */
export function useUndone(receipt: Receipt | undefined): Undone | undefined {
  const isWhole = receipt !== undefined && receipt.refunded >= receipt.amount;
  // A receipt does not say whether the money is back already; its purchase does.
  const { data: refunds } = useQuery({ ...refundsQuery(receipt?.purchaseId ?? 0), enabled: isWhole });
  if (receipt === undefined) return undefined;
  const isOver = receipt.isCancelled && receipt.others.length === 0;
  if (!isWhole && !isOver) return undefined;
  const isBack = refunds?.every(({ folio, state }) => folio !== receipt.folio || state === 'done');
  return { isWhole, isBack, isOver };
}
