import type { Centavos } from '@aparta/domain/money';
import type { Figures } from './wizard-address.ts';

export type Change =
  | { of: 'price' | 'deposit' | 'cardFee' | 'tillFee'; from: Centavos; to: Centavos }
  | { of: 'later' | 'deliveryDays'; from: number; to: number }
  | { of: 'endDaysLate'; from: number | null; to: number | null };

/** Differences between the terms that were shown and the frozen ones. */
export function changesBetween(shown: Figures, frozen: Figures): Change[] {
  const sums = (['price', 'deposit', 'cardFee', 'tillFee'] as const).flatMap((of): Change[] =>
    shown[of] === frozen[of] ? [] : [{ of, from: shown[of], to: frozen[of] }],
  );
  const numbers = (['later', 'deliveryDays'] as const).flatMap((of): Change[] =>
    shown[of] === frozen[of] ? [] : [{ of, from: shown[of], to: frozen[of] }],
  );
  const { endDaysLate: from } = shown;
  const { endDaysLate: to } = frozen;
  return [...sums, ...numbers, ...(from === to ? [] : [{ of: 'endDaysLate', from, to } as const])];
}
