import { parseDecimal, type Centavos } from '@aparta/domain/money';

/** A sum as people type it, `$1,200.50`; undefined for what is none. */
export function typedSum(typed: string): Centavos | undefined {
  const sum = typed.replaceAll(/[$\s]/g, '');
  // Any other comma may be meant as a point: who types "50,00" does not mean 5,000.
  return parseDecimal(/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(sum) ? sum.replaceAll(',', '') : sum);
}
