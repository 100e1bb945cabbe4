import { centavos, subtract, type Centavos } from './money.ts';

export interface Allocation {
  /** What goes to which instalment, oldest first; nobody gets a part of 0. */
  readonly parts: readonly { readonly number: number; readonly amountCentavos: Centavos }[];
  /** What is left when every instalment is full. */
  readonly remainderCentavos: Centavos;
}

/** Fills instalments with an amount from the lowest number up, whatever order they come in. */
export function allocateOldestFirst(
  instalments: readonly { readonly number: number; readonly balanceCentavos: Centavos }[],
  amount: Centavos,
): Allocation {
  let remainderCentavos = amount;
  const parts = [];
  for (const { number, balanceCentavos } of instalments.toSorted((a, b) => a.number - b.number)) {
    const amountCentavos = centavos(Math.min(balanceCentavos, remainderCentavos));
    if (amountCentavos === 0) continue;
    parts.push({ number, amountCentavos });
    remainderCentavos = subtract(remainderCentavos, amountCentavos);
  }
  return { parts, remainderCentavos };
}
