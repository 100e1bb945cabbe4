/** Wrong tries that lock a code until its buyer replaces it. */
export const PICKUP_TRIES = 5;

/** How long a code is good for; its buyer gets another as soon as they look. */
export const PICKUP_DAYS = 90;

/** Codes that were replaced and are still told apart from wrong ones. */
export const PICKUP_REPLACED = 4;

const TEXT = /^E1\|([1-9]\d{0,14})\|(\d{6})$/;

/** What the QR of a pickup code holds: its purchase and its digits. */
export function pickupText(purchaseId: number, digits: string): string {
  return `E1|${purchaseId}|${digits}`;
}

/** What a scanned text says, or undefined where it is no pickup code. */
export function readPickupText(text: string): { purchaseId: number; digits: string } | undefined {
  const found = TEXT.exec(text.trim());
  return found === null ? undefined : { purchaseId: Number(found[1]), digits: String(found[2]) };
}

/** A code of a purchase: its digits first, then those that it replaced, the newest first. */
export interface PickupCode {
  readonly digits: readonly string[];
  /** Wrong ones since it was made. */
  readonly tries: number;
  readonly expiresAt: Date;
}

export type PickupVerdict = 'right' | 'wrong' | 'locked' | 'replaced' | 'expired';

/** What digits are to a code. A locked one says nothing of them; replaced ones were the buyer's once, so they are no try. */
export function judgePickup(code: PickupCode, digits: string, now: Date): PickupVerdict {
  if (code.tries >= PICKUP_TRIES) return 'locked';
  const place = code.digits.indexOf(digits);
  if (place > 0) return 'replaced';
  if (place < 0) return 'wrong';
  return now < code.expiresAt ? 'right' : 'expired';
}

/** Strokes of a signature, points of all of them, and the side of the square that they are drawn in. */
export const SIGNATURE = { strokes: 60, points: 2_000, side: 1_000 } as const;

/** Whether strokes are a signature: x and y in turn, of whole numbers within the square, neither empty nor too many. */
export function isSignature(strokes: readonly (readonly number[])[]): boolean {
  const points = strokes.flat();
  return (
    strokes.length > 0 &&
    strokes.length <= SIGNATURE.strokes &&
    points.length <= 2 * SIGNATURE.points &&
    strokes.every((stroke) => stroke.length >= 4 && stroke.length % 2 === 0) &&
    points.every((at) => Number.isInteger(at) && at >= 0 && at <= SIGNATURE.side)
  );
}
