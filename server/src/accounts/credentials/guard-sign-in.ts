import { ipPrefixOf, type Limiter } from '../../platform/limiter.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { AccountLimits } from './limits.ts';

const KNOWN_FOR_SECONDS = 90 * 24 * 60 * 60;

interface Deps {
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/** Who says to be an account, and from where. */
export interface Claim {
  readonly kind: 'buyer' | 'till' | 'integrator' | 'staff';
  readonly name: string;
  readonly address: string;
  /** The random name of the caller's browser. */
  readonly deviceId?: string | undefined;
}

/**
 * Runs one check of a secret under the limits against guessing (rules/accounts#guessing). Each try is counted before the check,
 * so that a thousand at once pass no more than one by one; a right one is given back. What others guess does not stop an owner
 * where they have signed in before: that device, and that address, count their own tries alone. Refuses with WRONG_CREDENTIALS
 * or TOO_MANY.
 */
export async function guardSignIn<T>(
  { limiter, limits }: Deps,
  claim: Claim,
  check: () => Promise<T | undefined>,
): Promise<T> {
  const ipPrefix = ipPrefixOf(claim.address);
  const { device, address } = placesOf(claim);
  const isDevice = device !== undefined && (await limiter.remembers('known', device));
  const isStranger = !isDevice && !(await limiter.remembers('known', address));
  const place = isDevice ? device : address;
  const isPerson = claim.kind === 'buyer' || claim.kind === 'staff';
  // People who guess in a shop's network must not keep its tills out, so these are counted apart.
  const perAddress = isPerson ? 'sign-in-address' : 'sign-in-service-address';
  const isShared = isStranger && isPerson;
  if (isStranger) await limiter.take(perAddress, ipPrefix, limits.signInPerAddress);
  // A till's secret is made at random: nobody guesses it from many places.
  if (isShared) await limiter.take('sign-in-account', claim.name, limits.signInPerAccount);
  try {
    await limiter.pace('sign-in', place, limits.signInPerPair);
  } catch (refused) {
    // A new till with a wrong secret tries for ever: what was not checked leaves the other tills their tries.
    if (isStranger && !isPerson) await limiter.giveBack(perAddress, ipPrefix);
    throw refused;
  }

  const found = await check();
  if (found === undefined) throw new Refusal('WRONG_CREDENTIALS');

  if (isStranger) await limiter.giveBack(perAddress, ipPrefix);
  if (isShared) await limiter.giveBack('sign-in-account', claim.name);
  await limiter.forgive('sign-in', place);
  await rememberOwner(limiter, claim);
  return found;
}

/** Whether this device has proven to be the account's: by a right password, or by the account's mailbox. */
export async function isOwnersDevice(limiter: Limiter, claim: Claim): Promise<boolean> {
  const { device } = placesOf(claim);
  return device !== undefined && limiter.remembers('known', device);
}

/** The owner has proven themselves from here: guesses made elsewhere do not lock them out. */
export async function rememberOwner(limiter: Limiter, claim: Claim): Promise<void> {
  for (const place of Object.values(placesOf(claim)))
    if (place !== undefined) await limiter.remember('known', place, KNOWN_FOR_SECONDS);
}

/** A device names itself: only a long random name says something. */
const DEVICE_ID = /^[\w-]{22,64}$/;

function placesOf({ kind, name, address, deviceId }: Claim) {
  const account = `${kind} ${name}`;
  return {
    address: `${account}\n${ipPrefixOf(address)}`,
    device: deviceId && DEVICE_ID.test(deviceId) ? `${account}\ndevice ${deviceId}` : undefined,
  };
}
