import { centavosToPesos, pesosToCentavos, type Centavos } from '@aparta/domain/money';
import * as v from 'valibot';

/** Money on the wire: a JSON number of pesos, never negative, at most 2 decimals (rules/wire#amounts). */
export const pesos = v.pipe(
  v.number(),
  v.minValue(0),
  v.check((amount) => pesosToCentavos(amount) !== undefined, 'not pesos with at most 2 decimals'),
);

/** Pesos of the wire to centavos. RangeError for a number that has not passed {@link pesos}. */
export function centavosFromPesos(amount: number): Centavos {
  const whole = pesosToCentavos(amount);
  if (whole === undefined) throw new RangeError(`not an amount of pesos: ${amount}`);
  return whole;
}

/** The same of a sum that may be left out. */
export function optionalCentavos(amount: number | undefined): Centavos | undefined {
  return amount === undefined ? undefined : centavosFromPesos(amount);
}

/** Centavos to the JSON number of pesos, which prints with at most 2 decimals. */
export function pesosFromCentavos(amount: Centavos): number {
  return centavosToPesos(amount);
}
