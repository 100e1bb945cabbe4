/** So many leading bits of the hash are zero: 65,536 tries on average, seconds of a cheap phone and a cost for who tests cards. */
export const WORK_BITS = 16;
/** The most digits of a proof; nobody needs as many tries. */
export const LONGEST_PROOF = 9;

/** What is hashed (SHA-256, as UTF-8) for a try at the work of one intent: done for one, it is worth nothing for another. */
export function workText(code: string, intentId: string, attempt: number): string {
  return `${beforeTries(code, intentId)}${attempt}`;
}

/** What is the same for every try at the work of one intent. */
export function beforeTries(code: string, intentId: string): string {
  return `aparta-help|${code}|${intentId}|`;
}

/** Whether a hash shows the work. */
export function showsWork(hash: Uint8Array, bits = WORK_BITS): boolean {
  const whole = Math.floor(bits / 8);
  for (let index = 0; index < whole; index += 1) if (hash[index] !== 0) return false;
  return (hash[whole] ?? 255) >> (8 - (bits % 8)) === 0;
}
