import { typedSum } from '@aparta/browser/typed-sum.ts';
import { add, type Centavos } from '@aparta/domain/money';
import type { Helped } from '../../data/helping.ts';

/** Which sum a helper gives. */
export type Which = 'goal' | 'all' | 'other';

/** By which method they pay. */
export type Method = 'card' | 'store';

/** What a helper has filled in. */
export interface Typed {
  /** Undefined until they choose. */
  readonly which: Which | undefined;
  readonly other: string;
  readonly method: Method;
  readonly name: string;
  readonly email: string;
}

/** The sums that are offered, the one that is chosen, and what it costs by each method; undefined for one that the link does not take. */
export function sumsOf(
  helped: Helped,
  { which, other, method }: Pick<Typed, 'which' | 'other' | 'method'>,
): {
  options: readonly Which[];
  which: Which;
  sum: Centavos | undefined;
  total: Centavos | undefined;
  totals: Record<Method, Centavos | undefined>;
  fee: Centavos;
} {
  const { goalLeft, least, most } = helped;
  const wantsGoal = goalLeft !== undefined && goalLeft >= least;
  const options: Which[] = [
    ...(wantsGoal && goalLeft < most ? (['goal'] as const) : []),
    'all',
    ...(most > least ? (['other'] as const) : []),
  ];
  // The goal's rest is what was asked for. Without one, nobody is told to pay the whole.
  const [first = 'all'] = wantsGoal || most === least ? options : options.toReversed();
  const chosen = which !== undefined && options.includes(which) ? which : first;
  const asked = { goal: goalLeft, all: most, other: typedSum(other) }[chosen];
  const sum = asked !== undefined && asked >= least && asked <= most ? asked : undefined;
  const totals = { card: sum && add(sum, helped.fee), store: sum && add(sum, helped.storeFee) };
  const fee = method === 'card' ? helped.fee : helped.storeFee;
  return { options, which: chosen, sum, total: totals[method], totals, fee };
}
