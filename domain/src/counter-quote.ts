import { allocateOldestFirst, type Allocation } from './allocation.ts';
import { add, centavos, subtract, sum, zero, type Centavos } from './money.ts';

/** A sum that a counter may take, fee inside, and what it fills. */
export interface CounterSum {
  readonly amountCentavos: Centavos;
  readonly fills: Allocation['parts'];
}

/** What is owed at a counter. */
export interface Owed {
  readonly instalments: readonly { readonly number: number; readonly balanceCentavos: Centavos }[];
  readonly feeCentavos: Centavos;
  /** A deposit is taken whole; of a purchase any part. */
  readonly isDeposit: boolean;
}

export interface CounterQuote {
  /** What comes next: the oldest unpaid instalment's rest. */
  readonly next: CounterSum;
  readonly all: CounterSum;
  readonly minimumCentavos: Centavos;
}

/** The sums that a counter offers; undefined when nothing is owed. */
export function counterQuote(owed: Owed): CounterQuote | undefined {
  const open = owed.instalments
    .filter(({ balanceCentavos }) => balanceCentavos > zero)
    .toSorted((a, b) => a.number - b.number);
  const [oldest] = open;
  if (oldest === undefined) return undefined;
  const withFee = (principal: Centavos) => add(principal, owed.feeCentavos);
  const whole = withFee(sum(open.map(({ balanceCentavos }) => balanceCentavos)));
  const next = withFee(oldest.balanceCentavos);
  return {
    next: { amountCentavos: next, fills: fillsOf(owed, next) ?? [] },
    all: { amountCentavos: whole, fills: fillsOf(owed, whole) ?? [] },
    minimumCentavos: owed.isDeposit ? whole : withFee(centavos(1)),
  };
}

/** What a sum would fill, by the rule that books it; undefined for one that is refused. */
export function fillsOf(owed: Owed, amountCentavos: Centavos): Allocation['parts'] | undefined {
  if (amountCentavos <= owed.feeCentavos) return undefined;
  const { parts, remainderCentavos } = allocateOldestFirst(
    owed.instalments,
    subtract(amountCentavos, owed.feeCentavos),
  );
  const left = subtract(
    sum(owed.instalments.map(({ balanceCentavos }) => balanceCentavos)),
    sum(parts.map((part) => part.amountCentavos)),
  );
  return remainderCentavos > zero || (owed.isDeposit && left > zero) ? undefined : parts;
}
