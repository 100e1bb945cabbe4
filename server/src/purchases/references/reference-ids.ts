import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { dammCheckDigit } from '@aparta/domain/payment-reference';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';

const SMALLEST = 100_000_000; // nine digits, never starting with 0
const SPAN = 900_000_000;
const HALF_BITS = 15; // 2^30 is the smallest power of four above the span
const HALF = 1 << HALF_BITS;
const ROUNDS = 4;

/**
 * The nine digits of a serial: a keyed permutation of 0 … 899,999,999 (a Feistel network, walked until it lands inside), so
 * that no two serials share digits and neighbours tell nothing. Throws RangeError when the numbers are used up.
 */
export function permutedDigits(serial: number, key: Buffer): string {
  if (!Number.isSafeInteger(serial) || serial < 0 || serial >= SPAN)
    throw new RangeError(`no digits for the serial ${serial}`);
  const secret = createSecretKey(key); // a round with the bare bytes takes five times as long
  let value = serial;
  // The walk ends: a permutation's cycle through a value inside comes back inside. It takes 1.2 steps on average.
  do {
    let left = value >>> HALF_BITS;
    let right = value & (HALF - 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      [left, right] = [right, left ^ mix(right, round, secret)];
    }
    value = left * HALF + right;
  } while (value >= SPAN);
  return String(SMALLEST + value);
}

function mix(half: number, round: number, secret: KeyObject): number {
  return createHmac('sha256', secret).update(`${round}:${half}`).digest().readUInt16BE(0) & (HALF - 1);
}

/** So many new ids of payment references, unique for ever: ten digits, the last one a check digit. */
export async function newReferenceIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ serial: number; key: Buffer }>`
    select nextval('payment_reference_serials') as serial, key from reference_key cross join generate_series(1, ${count})
  `.execute(tx);
  return rows.map(({ serial, key }) => {
    const digits = permutedDigits(serial, key);
    return Number(digits + dammCheckDigit(digits));
  });
}
