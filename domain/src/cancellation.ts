import { add, centavos, subtract, sum, zero, type Centavos } from './money.ts';

/** Money that a purchase received and still holds. */
export interface ReceivedMoney {
  /** The receipt's id, to find it again in the quote. */
  readonly id: string;
  readonly paidAt: Date;
  /** How it goes back: a card payment through the provider, else a refund owed in cash. */
  readonly method: 'card' | 'cash';
  /** What of it was applied to the purchase. */
  readonly appliedCentavos: Centavos;
  /** The service fee paid with it. */
  readonly feeCentavos: Centavos;
  /** Somebody else paid it, to help the buyer. */
  readonly isHelp?: boolean;
}

export interface CancellationTerms {
  /** `ammountoCancel`, frozen with the reference. */
  readonly penaltyCentavos: Centavos;
  /** The last moment at which a cancel costs nothing; see `penaltyFreeUntil` of calendar.ts. */
  readonly penaltyFreeUntil: Date;
}

/** What happens to one receipt: applied = penalty + principal back, fee = fee back + fee kept. */
export interface QuotedReturn {
  readonly id: string;
  readonly method: 'card' | 'cash';
  readonly penaltyCentavos: Centavos;
  readonly principalCentavos: Centavos;
  readonly feeCentavos: Centavos;
  /** Principal and fee that come back; 0 when the penalty took all of it. */
  readonly refundCentavos: Centavos;
}

export interface CancellationQuote {
  /** Applied to the purchase so far, fees apart. */
  readonly paidCentavos: Centavos;
  readonly penaltyCentavos: Centavos;
  readonly feeReturnedCentavos: Centavos;
  readonly feeKeptCentavos: Centavos;
  /** All that comes back, `refundShown` of the call. */
  readonly refundCentavos: Centavos;
  /** One per receipt, oldest first. */
  readonly returns: readonly QuotedReturn[];
}

/**
 * What cancelling at a moment costs and returns. The penalty, at most what was paid and nothing up to
 * `penaltyFreeUntil`, takes the buyer's own money first and then their helpers', the oldest first; the rest returns the way each
 * peso came. The fees return when the cancel is free of penalty, and are kept when it is not. Money of one moment keeps its given
 * order.
 */
export function quoteCancellation(
  received: readonly ReceivedMoney[],
  terms: CancellationTerms,
  at: Date,
): CancellationQuote {
  const paidCentavos = sum(received.map((each) => each.appliedCentavos));
  const isInTime = at.getTime() <= terms.penaltyFreeUntil.getTime();
  const penaltyCentavos = isInTime ? zero : centavos(Math.min(terms.penaltyCentavos, paidCentavos));
  const isFree = penaltyCentavos === 0;

  const inOrder = received.toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
  const taken = new Map<ReceivedMoney, Centavos>();
  let penaltyLeft = penaltyCentavos;
  for (const each of [...inOrder.filter((one) => !one.isHelp), ...inOrder.filter((one) => one.isHelp)]) {
    const part = centavos(Math.min(penaltyLeft, each.appliedCentavos));
    penaltyLeft = subtract(penaltyLeft, part);
    taken.set(each, part);
  }
  const returns = inOrder.map((each) => {
    const { id, method, appliedCentavos } = each;
    const part = taken.get(each) ?? zero;
    const principalCentavos = subtract(appliedCentavos, part);
    const feeCentavos = isFree ? each.feeCentavos : zero;
    const refundCentavos = add(principalCentavos, feeCentavos);
    return { id, method, penaltyCentavos: part, principalCentavos, feeCentavos, refundCentavos };
  });

  const feeReturnedCentavos = sum(returns.map((each) => each.feeCentavos));
  return {
    paidCentavos,
    penaltyCentavos,
    feeReturnedCentavos,
    feeKeptCentavos: subtract(sum(received.map((each) => each.feeCentavos)), feeReturnedCentavos),
    refundCentavos: sum(returns.map((each) => each.refundCentavos)),
    returns,
  };
}
