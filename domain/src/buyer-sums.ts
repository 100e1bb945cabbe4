import { allocateOldestFirst, type Allocation } from './allocation.ts';
import type { DateOnly } from './calendar.ts';
import { isLate, type Instalment } from './instalments.ts';
import { centavos, sum, zero, type Centavos } from './money.ts';

/** From here on a buyer chooses the sum: less than this is not worth a provider's fee. */
export const LEAST_CHOSEN = centavos(5_000);

/** The sums that a buyer of a plan is offered, without fees; at least one instalment is owed. */
export interface BuyerSums {
  /** What is left of the oldest unpaid instalment. */
  readonly next: Centavos;
  /** What catches up: all that is late, where that is more than `next`. */
  readonly late: Centavos | undefined;
  /** All that is left. */
  readonly all: Centavos;
  /** Any sum from here to `all` is taken too. */
  readonly least: Centavos;
}

/** What a buyer may pay of a plan today; undefined when nothing is owed. */
export function buyerSums(instalments: readonly Instalment[], today: DateOnly): BuyerSums | undefined {
  const open = instalments
    .filter(({ balanceCentavos }) => balanceCentavos > zero)
    .toSorted((a, b) => a.number - b.number);
  const [oldest] = open;
  if (oldest === undefined) return undefined;
  const next = oldest.balanceCentavos;
  const late = balanceOf(open.filter((instalment) => isLate(instalment, today)));
  const all = balanceOf(open);
  return { next, late: late > next ? late : undefined, all, least: centavos(Math.min(LEAST_CHOSEN, all)) };
}

/** What a chosen sum fills, oldest first; undefined for one that is refused: neither `next` nor from `least` to `all`. */
export function fillsOfSum(
  instalments: readonly Pick<Instalment, 'number' | 'balanceCentavos'>[],
  principal: Centavos,
): Allocation['parts'] | undefined {
  const { parts, remainderCentavos } = allocateOldestFirst(instalments, principal);
  const [oldest] = parts;
  if (oldest === undefined || remainderCentavos > zero) return undefined;
  const isNext = instalments.some(
    ({ number, balanceCentavos }) => number === oldest.number && balanceCentavos === principal,
  );
  const least = Math.min(LEAST_CHOSEN, balanceOf(instalments));
  return isNext || principal >= least ? parts : undefined;
}

/** Whether two lists of parts fill the same. */
export function fillsTheSame(one: Allocation['parts'], other: Allocation['parts']): boolean {
  return (
    one.length === other.length &&
    one.every(
      ({ number, amountCentavos }, index) =>
        other[index]?.number === number && other[index].amountCentavos === amountCentavos,
    )
  );
}

function balanceOf(instalments: readonly { readonly balanceCentavos: Centavos }[]): Centavos {
  return sum(instalments.map(({ balanceCentavos }) => balanceCentavos));
}
