import { parseDecimal, type Centavos } from '@aparta/domain/money';

/** A sum as people type it, `$1,200.50`; undefined for what is none. */
export function typedSum(typed: string): Centavos | undefined {
  return parseDecimal(typed.replaceAll(/[$,\s]/g, ''));
}
