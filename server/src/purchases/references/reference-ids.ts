import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { dammCheckDigit } from '@aparta/domain/payment-reference';
import { sql } from 'kysely';
import { gathered } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import { pipeline } from '../../platform/db/transaction.ts';

const SMALLEST = 100_000_000; // nine digits, never starting with 0
const SPAN = 900_000_000;
const HALF_BITS = 15; // 2^30 is the smallest power of four above the span
const HALF = 1 << HALF_BITS;
const ROUNDS = 4;

/**
 * The nine digits of a serial: a keyed permutation of 0 … 899,999,999 (a Feistel network with cycle walking). No two serials
 * have the same digits, and none can be guessed from its neighbours. Throws RangeError when the numbers are used up.
 */
export function permutedDigits(serial: number, secret: KeyObject): string {
  if (!Number.isSafeInteger(serial) || serial < 0 || serial >= SPAN)
    throw new RangeError(`no digits for the serial ${serial}`);
  let value = serial;
  // Ends, as the cycle of a value in the range comes back to the range; after 1.2 steps on average.
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

/** Draws so many ids of payment references, never the same twice: ten digits, the last a check digit. */
export const newReferenceIds = gathered<number, number[]>({
  async many(tx, counts) {
    const { rows } = await tx.executeQuery(serials(tx, { count: sum(counts) }));
    return idsOf(rows, counts);
  },
});

/** A purchase's id, and those of its instalments. */
export interface PurchaseIds {
  readonly purchaseId: number;
  readonly instalmentIds: readonly number[];
}

/** Draws the ids of a purchase of so many instalments, before anything of it is written. What is not used is gone. */
export const newPurchaseIds = gathered<number, PurchaseIds>({
  async many(tx, counts) {
    const [purchases, rows] = await pipeline(
      tx,
      purchaseIds(tx, { count: counts.length }),
      serials(tx, { count: sum(counts) }),
    );
    return idsOf(rows, counts).map((instalmentIds, place) => {
      const purchaseId = purchases[place]?.id;
      if (purchaseId === undefined) throw new Error('the sequence gave no number');
      return { purchaseId, instalmentIds };
    });
  },
});

interface Serial {
  readonly serial: number;
  readonly key: Buffer;
}

const serials = builtOnce(
  (_, { count }: { count: number }) => sql<Serial>`
    select nextval('payment_reference_serials') as serial, key
    from reference_key cross join generate_series(1, ${count}::int)`,
);

const purchaseIds = builtOnce(
  (_, { count }: { count: number }) =>
    sql<{ id: number }>`select nextval('purchases_id_seq') as id from generate_series(1, ${count}::int)`,
);

/** The ids of these serials, so many for each. */
function idsOf(rows: readonly Serial[], counts: readonly number[]): number[][] {
  const [first] = rows;
  if (first === undefined) return counts.map(() => []);
  const secret = createSecretKey(first.key); // a round with the bare bytes takes five times as long
  const ids = rows.map(({ serial }) => {
    const digits = permutedDigits(serial, secret);
    return Number(digits + dammCheckDigit(digits));
  });
  return counts.map((count) => ids.splice(0, count));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
