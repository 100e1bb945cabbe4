import type { Limit } from '../../platform/limiter.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * How often the account calls may be made. Many buyers share one address on mobile networks, so limits per address are wide
 * and those per account narrow. Sign-ins that succeed do not count.
 */
export const ACCOUNT_LIMITS = {
  /** Wrong passwords of one account from one device, or else address, before each makes the next wait: a minute, two, four… */
  signInPerPair: { times: 10, seconds: 15 * MINUTE },
  /** Wrong passwords of one account from all places it has never been signed in from. */
  signInPerAccount: { times: 50, seconds: 15 * MINUTE },
  /** Wrong passwords from one address, for accounts that have never been signed in from there; people's and tills' apart. */
  signInPerAddress: { times: 100, seconds: 15 * MINUTE },
  /** Sign-ins by passkey that are begun from one address: each keeps a row for 5 minutes. */
  passkeyStartsPerAddress: { times: 120, seconds: 10 * MINUTE },
  lookUpPerAddress: { times: 120, seconds: 10 * MINUTE },
  signUpPerAddress: { times: 120, seconds: HOUR },
  /** Reset emails to one mailbox while the code of the first still lives: with it full, the mailbox holds a good one. */
  resetPerAccount: { times: 2, seconds: 30 * MINUTE },
  resetPerAddress: { times: 30, seconds: 10 * MINUTE },
  /** Wrong codes of reset links from one address. */
  resetCodePerAddress: { times: 30, seconds: 15 * MINUTE },
  /** Wrong codes of confirmation links from one address. */
  confirmPerAddress: { times: 30, seconds: 15 * MINUTE },
  /** Confirmation emails that a buyer asks for. */
  confirmationsPerBuyer: { times: 3, seconds: HOUR },
  /** Addresses of their calendar that a buyer makes: each takes the place of the one before. */
  calendarsPerBuyer: { times: 20, seconds: HOUR },
  /** Downloads of all that is kept of a buyer. */
  exportsPerBuyer: { times: 5, seconds: 24 * HOUR },
  /** Invitations of one merchant: each is an email. */
  invitationsPerMerchant: { times: 60, seconds: HOUR },
  /** Calls for things that are not there, or are somebody else's: nobody's screen asks for so many. */
  missesPerCaller: { times: 100, seconds: 10 * MINUTE },
  /** Any calls of a buyer at one server: a person who taps as fast as they can makes five a second. */
  callsPerBuyer: { times: 200, seconds: 10 },
  /** Any calls of a service account at one server: a till's is its whole chain's. */
  callsPerServiceAccount: { times: 3_000, seconds: 10 },
} satisfies Record<string, Limit>;

export type AccountLimits = typeof ACCOUNT_LIMITS;
