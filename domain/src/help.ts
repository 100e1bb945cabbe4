import { LEAST_CHOSEN } from './buyer-sums.ts';
import { centavos, zero, type Centavos } from './money.ts';

/** How many live links a purchase has at most, and for how many days each lives. */
export const LIVE_HELP_LINKS = 3;
export const HELP_LINK_DAYS = 30;

/** What card testers may try at one link: so many rejected cards close it, so many payments are under way, so many in a day. */
export const REJECTIONS_THAT_CLOSE = 5;
export const MOST_HELPERS_AT_ONCE = 8;
export const MOST_HELPS_A_DAY = 30;
/** And at all links of a buyer, so many rejected cards in a day as the live ones of a purchase let through: one that was closed is soon made anew. */
export const MOST_REJECTIONS_A_DAY = LIVE_HELP_LINKS * REJECTIONS_THAT_CLOSE;

/** The numbers that helpers take to stores: so many of a link wait for their money, so many of a purchase in a day, of an address in an hour. */
export const WAITING_AT_STORES = 5;
export const MOST_AT_STORES_A_DAY = 20;
export const MOST_AT_STORES_AN_HOUR = 10;

/** The most characters of what a buyer writes to their helpers, and of a helper's name. */
export const LONGEST_HELP_MESSAGE = 140;
export const LONGEST_HELPER_NAME = 40;

/** The sums, without fee, that a helper may give to a purchase which owes `balance`; undefined when nothing is owed. */
export function helperSums(
  balance: Centavos,
): { readonly least: Centavos; readonly most: Centavos } | undefined {
  if (balance <= zero) return undefined;
  return { least: centavos(Math.min(LEAST_CHOSEN, balance)), most: balance };
}

/** Whether a helper may give this sum, without fee, to a purchase which owes `balance`. */
export function isHelperSum(balance: Centavos, principal: Centavos): boolean {
  const sums = helperSums(balance);
  return sums !== undefined && principal >= sums.least && principal <= sums.most;
}

/** What of a goal is still wanted; zero once it is reached, and never more than the purchase owes. */
export function leftOfGoal(goal: Centavos, helped: Centavos, balance: Centavos): Centavos {
  return centavos(Math.max(zero, Math.min(goal - helped, balance)));
}
