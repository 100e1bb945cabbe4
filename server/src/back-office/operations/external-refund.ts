import { type Centavos, centavos, subtract, sum, zero } from '@aparta/domain/money';

/** A refund of the payment that is still owed. */
export interface OwedRefund {
  readonly id: number;
  readonly method: 'card' | 'cash';
  readonly amountCentavos: Centavos;
}

/** A part of the external refund, and what it was taken from. `leftCentavos` of a refund stay owed. */
export type Taken = { readonly amountCentavos: Centavos } & (
  | { readonly was: 'refund'; readonly refund: OwedRefund; readonly leftCentavos: Centavos }
  /** The whole payment: the purchase loses it, and its instalments are open again. */
  | { readonly was: 'purchase' }
  | { readonly was: 'loss' }
);

export interface Left {
  /** What was refunded externally and is not booked yet. */
  readonly goneCentavos: Centavos;
  readonly owed: readonly OwedRefund[];
  /** The whole payment, if an active purchase counts it. */
  readonly countedCentavos: Centavos | undefined;
  /** The operator decides that what no open refund covers is the merchant's loss; the purchase keeps the payment. */
  readonly isLoss: boolean;
}

/**
 * What an external refund is taken from (rules/refunds#external-refunds): open card refunds, then those in cash, then the whole
 * payment from its active purchase, or the rest is a loss if the operator says so. Returns also what nothing covers. Pure.
 */
export function takesOf({ goneCentavos, owed, countedCentavos, isLoss }: Left): {
  readonly taken: readonly Taken[];
  readonly unplacedCentavos: Centavos;
} {
  const taken: Taken[] = [];
  let rest = goneCentavos;
  const inOrder = owed.toSorted((one, other) => one.method.localeCompare(other.method) || one.id - other.id);
  for (const refund of inOrder) {
    const amountCentavos = centavos(Math.min(rest, refund.amountCentavos));
    if (amountCentavos === 0) break;
    const leftCentavos = subtract(refund.amountCentavos, amountCentavos);
    taken.push({ was: 'refund', refund, amountCentavos, leftCentavos });
    rest = subtract(rest, amountCentavos);
  }
  if (rest > 0 && isLoss)
    return { taken: [...taken, { was: 'loss', amountCentavos: rest }], unplacedCentavos: zero };
  if (rest > 0 && rest === countedCentavos)
    return { taken: [...taken, { was: 'purchase', amountCentavos: rest }], unplacedCentavos: zero };
  return { taken, unplacedCentavos: rest };
}

/** The part that completed no refund of ours: it gets a refund row of its own. */
export function apartOf(taken: readonly Taken[]): Centavos {
  const apart = taken.filter((part) => part.was !== 'refund' || part.leftCentavos > 0);
  return sum(apart.map(({ amountCentavos }) => amountCentavos));
}
