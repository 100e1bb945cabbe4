import { randomInt } from 'node:crypto';

// Crockford's digits: no I, L, O or U, so that a folio read aloud is written the same.
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

/** The number on a receipt: ten random digits and letters, unique by constraint, telling nothing of its neighbours. */
export function newFolio(): string {
  return Array.from({ length: LENGTH }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('');
}
