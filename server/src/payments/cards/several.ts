import type { Allocation } from '@aparta/domain/allocation';
import { fillsOfSum, fillsTheSame } from '@aparta/domain/buyer-sums';
import { add, centavos, centavosToPesos, sum } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';

import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findPurchaseIds } from '../../purchases/plans/store.ts';
import { type Due, dueOf, lockShares, type Payable } from './payable.ts';

/** What a buyer was shown that a payment of several fills of one of them. */
export interface ShownShare {
  /** As printed, of its oldest unpaid instalment. */
  readonly reference: string;
  readonly fills: Allocation['parts'];
}

type Several = Extract<Payable, { kind: 'several' }>;

const principalOf = ({ fills }: ShownShare) => sum(fills.map(({ amountCentavos }) => amountCentavos));

/**
 * Locks the purchases of printed numbers, each with the sum that is shown for it. Undefined when one is none of ours; refuses
 * INVALID_INPUT two of one purchase.
 */
export async function lockPrintedShares(tx: Tx, shown: readonly ShownShare[]): Promise<Several | undefined> {
  const printed = shown.map(({ reference }) => parsePaymentReference(reference));
  const purchases = await findPurchaseIds(
    tx,
    printed.map((parsed) => ({ id: Number(parsed?.id ?? 0), prefix: parsed?.prefix ?? '' })),
  );
  const shares = [];
  for (const [index, purchaseId] of purchases.entries()) {
    const share = shown[index];
    if (purchaseId === undefined || share === undefined) return undefined;
    const instalmentId = Number(printed[index]?.id);
    shares.push({ purchaseId, instalmentId, principalCentavos: principalOf(share) });
  }
  if (new Set(purchases).size < purchases.length)
    throw new Refusal('INVALID_INPUT', { fields: { compras: 'one purchase twice' } });
  return lockShares(tx, shares);
}

/** What is due of several purchases, if all of it still stands as it was shown; else refuses AMOUNT_CHANGED. */
export function severalAsShown(payable: Several, shown: readonly ShownShare[], totalCentavos: number): Due {
  const due = dueOf(payable);
  const shownOf = new Map(shown.map((share) => [Number(parsePaymentReference(share.reference)?.id), share]));
  const stands = payable.shares.every(({ purchase, instalmentId, principalCentavos }) => {
    const now = fillsOfSum(purchase.instalments, principalCentavos);
    return now !== undefined && fillsTheSame(now, shownOf.get(instalmentId)?.fills ?? []);
  });
  if (stands && totalCentavos === add(due.principalCentavos, due.feeCentavos)) return due;
  const left = payable.shares.map(({ purchase, principalCentavos }) =>
    centavos(Math.min(principalCentavos, purchase.balanceCentavos)),
  );
  throw new Refusal('AMOUNT_CHANGED', { amount: centavosToPesos(add(...left, due.feeCentavos)) });
}
