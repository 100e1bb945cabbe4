/** The payment is in dispute at the bank (rules/refunds#disputed). */
export const DISPUTED = 'AI1804';
/** The merchant's balance does not cover it today (rules/refunds#no-balance). */
export const NO_BALANCE = 'AI1400';
/** What a refund is told that may be asked for again: Clip's status, or why. */
export const NOT_NOW: readonly string[] = ['declined', NO_BALANCE];
/** Our word for no answer, and nothing refunded by two readings: it may be on its way still (rules/refunds#read-before-repeating). */
export const NOT_SEEN = 'it did not happen';
