import { randomInt } from 'node:crypto';

// Crockford's digits: no I, L, O or U, so that a folio read aloud is written the same.
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

/**
 * The number on a receipt: ten random digits and letters, unique by constraint, telling nothing of its neighbours. One of
 * either alone is drawn anew: typed into a search it would be taken for a printed number, or for a name.
 */
export function newFolio(): string {
  for (;;) {
    const folio = Array.from({ length: LENGTH }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('');
    if (/\d/.test(folio) && /[A-Z]/.test(folio)) return folio;
  }
}
