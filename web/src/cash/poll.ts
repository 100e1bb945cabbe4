/** Where nobody tells a store screen of a payment, it polls this often and this long, only while visible. */
export const POLL_EVERY_MS = 10_000;
export const POLL_FOR_MS = 15 * 60_000;
