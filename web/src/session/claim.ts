import { buyerProfile, type BuyerProfile } from '@aparta/contract/sign-in';
import * as v from 'valibot';
import { newId } from '@aparta/browser/new-id.ts';
import { deviceStorage } from '@aparta/browser/storage.ts';
import { PICKUP_CODES } from './kept-keys.ts';
import { OWNER } from './seen.ts';

const owner = v.object({ ...buyerProfile.entries, since: v.string() });

/** Id and name are all that a screen needs of who saw it. */
const NOTHING_ELSE = {
  name: '',
  user: '',
  phone: '',
  ssoId: '',
  numberAddress: '',
  postalCodeAddress: '',
  streetAddress: '',
  emailConfirmed: true,
  reminders: true,
};

function read(): v.InferOutput<typeof owner> | undefined {
  try {
    return v.parse(owner, JSON.parse(deviceStorage.get(OWNER) ?? ''));
  } catch {
    // Missing, or written by another version.
    return undefined;
  }
}

/** Makes what is seen from now on this buyer's. The name of what may be kept, or undefined if the device is another's. */
export function claimDevice({ id, userName }: BuyerProfile): string | undefined {
  deviceStorage.remove(PICKUP_CODES);
  const now = read();
  if (now) return now.id === id ? now.since : undefined;
  const made = { id, userName, since: newId(), ...NOTHING_ELSE };
  deviceStorage.set(OWNER, JSON.stringify(made));
  return made.since;
}

/** Whether nobody has signed out, and nobody else in, since `claimDevice` gave this name. */
export const isStillClaimed = (since: string) => read()?.since === since;
