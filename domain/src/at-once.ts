/** The most purchases that one payment pays. Apart from the sums, which few screens need. */
export const MOST_AT_ONCE = 10;
