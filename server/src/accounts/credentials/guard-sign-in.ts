import { ipPrefixOf, type Limiter } from '../../platform/limiter.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { AccountLimits } from './limits.ts';

const KNOWN_FOR_SECONDS = 90 * 24 * 60 * 60;

interface Deps {
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Runs one check of a secret under the limits against guessing. Each try is counted before the check, so that a thousand at
 * once pass no more than one by one; a right one is given back. Guesses made elsewhere do not lock out an address from which
 * the account has signed in before. Refuses with WRONG_CREDENTIALS or TOO_MANY.
 */
export async function guardSignIn<T>(
  { limiter, limits }: Deps,
  account: string,
  address: string,
  check: () => Promise<T | undefined>,
): Promise<T> {
  const ipPrefix = ipPrefixOf(address);
  const pair = pairOf(account, ipPrefix);
  const isKnown = await limiter.remembers('known', pair);
  await limiter.take('sign-in-address', ipPrefix, limits.signInPerAddress);
  await limiter.take('sign-in-pair', pair, limits.signInPerPair);
  if (!isKnown) await limiter.take('sign-in-account', account, limits.signInPerAccount);

  const found = await check();
  if (found === undefined) throw new Refusal('WRONG_CREDENTIALS');

  await limiter.giveBack('sign-in-address', ipPrefix);
  await limiter.giveBack('sign-in-pair', pair);
  if (!isKnown) await limiter.giveBack('sign-in-account', account);
  await limiter.remember('known', pair, KNOWN_FOR_SECONDS);
  return found;
}

/** The owner has proven themselves from here: guesses made elsewhere do not lock them out. */
export async function rememberOwner(limiter: Limiter, account: string, address: string): Promise<void> {
  await limiter.remember('known', pairOf(account, ipPrefixOf(address)), KNOWN_FOR_SECONDS);
}

function pairOf(account: string, ipPrefix: string): string {
  return `${account}\n${ipPrefix}`;
}
