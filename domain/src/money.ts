/**
 * Money is whole centavos of Mexican pesos, from 0 to 999,999,999.99 pesos. It is never negative: a debt
 * the other way round is another figure with another name.
 */
export type Centavos = number & { readonly __unit: 'centavos' };

const LARGEST = 99_999_999_999;

/** Marks whole centavos as money. Throws RangeError for a fraction, a negative or more than the limit. */
export function centavos(amount: number): Centavos {
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > LARGEST) {
    throw new RangeError(`not an amount of centavos: ${amount}`);
  }
  // Adding 0 turns -0 into 0, which would else survive into JSON comparisons.
  return (amount + 0) as Centavos;
}

export const zero = 0 as Centavos;

/** The sum of a list, 0 for none. Throws RangeError above the limit. */
export function sum(amounts: readonly Centavos[]): Centavos {
  return centavos(amounts.reduce((total: number, amount) => total + amount, 0));
}

/** The sum of its arguments. Throws RangeError above the limit. */
export function add(...amounts: Centavos[]): Centavos {
  return sum(amounts);
}

/** `from` less `amount`. Throws RangeError when the result would be below zero. */
export function subtract(from: Centavos, amount: Centavos): Centavos {
  return centavos(from - amount);
}

/** A share of an amount in basis points (20 % = 2000, at most 10,000), rounded half up to the centavo. */
export function percentOf(amount: Centavos, basisPoints: number): Centavos {
  if (!Number.isSafeInteger(basisPoints) || basisPoints < 0 || basisPoints > 10_000) {
    throw new RangeError(`not basis points from 0 to 10000: ${basisPoints}`);
  }
  // Whole numbers below 2^53 throughout, so nothing is lost before the division, and that one is exact.
  const scaled = amount * basisPoints + 5_000;
  return centavos((scaled - (scaled % 10_000)) / 10_000);
}

/** `$1,234.50`: two decimals and commas between thousands (spec §9). */
export function formatMoney(amount: Centavos): string {
  const [pesos, cents] = decimal(amount).split('.');
  return `$${formatCount(Number(pesos))}.${cents}`;
}

/** `1,234`: a whole number from 0, as Mexico writes it. The platform's formatter costs a slow phone 150 ms at its first use. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Pesos with two decimals and nothing else, `1234.50`: for texts that a computer reads back. */
export function decimal(amount: Centavos): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads `1234`, `1234.5` or `1234.50`; undefined for anything else, or above the limit. */
export function parseDecimal(text: string): Centavos | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : centavos(Number(whole + fraction.padEnd(2, '0')));
}

/**
 * Pesos of a JSON number. Undefined unless it is 0 or more and has at most two decimals as written: the
 * shortest decimal form decides, so 615.15 is money and 0.1 + 0.2 is not.
 */
export function pesosToCentavos(pesos: number): Centavos | undefined {
  return Object.is(pesos, -0) ? undefined : parseDecimal(String(pesos));
}

/** Pesos as a JSON number, the double nearest to the two decimals, so that it prints as them. */
export function centavosToPesos(amount: Centavos): number {
  return amount / 100;
}
