import { type Centavos, centavos, subtract, sum, zero } from '@aparta/domain/money';

/** A refund of the payment that is still owed, as it stands. */
export interface OwedRefund {
  readonly id: number;
  readonly method: 'card' | 'cash';
  readonly amountCentavos: Centavos;
}

/** A part of what left, and what it was of ours. `leftCentavos` of a refund stay owed. */
export type Taken = { readonly amountCentavos: Centavos } & (
  | { readonly was: 'refund'; readonly refund: OwedRefund; readonly leftCentavos: Centavos }
  /** All of the payment, which its purchase loses: its instalments are open again. */
  | { readonly was: 'purchase' }
  | { readonly was: 'loss' }
);

export interface Left {
  /** What was refunded externally and is in no book yet. */
  readonly goneCentavos: Centavos;
  readonly owed: readonly OwedRefund[];
  /** All of the payment, where an active purchase counts it. */
  readonly countedCentavos: Centavos | undefined;
  /** The operator's word: what nothing that is owed covers is the merchant's loss, and the purchase keeps what it counts. */
  readonly isLoss: boolean;
}

/**
 * What an external refund is taken from (rules/refunds#external-refunds): open refunds by card, then those in cash, then
 * the share of the active purchase, whole; else it is lost, if somebody says so. Answers also what is left without a place.
 * Pure.
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

/** What of it was none of our refunds at its end: a refund row of its own tells of it. */
export function apartOf(taken: readonly Taken[]): Centavos {
  const apart = taken.filter((part) => part.was !== 'refund' || part.leftCentavos > 0);
  return sum(apart.map(({ amountCentavos }) => amountCentavos));
}
