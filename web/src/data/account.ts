import { authenticate, DEVICE_HEADER } from '@aparta/contract/sign-in';
import type { ReplyData } from '@aparta/contract/endpoint';
import { call } from '../api/client.ts';
import { deviceId } from '../session/device.ts';

// Signing in alone: it is in the first load. What else an account does has modules of its own.

/**
 * The buyer's profile with the token of a new session; with `keep` this browser stays signed in. Refused with WRONG_CREDENTIALS or
 * INVALID_INPUT.
 */
export async function signIn(
  user: string,
  password: string,
  keep: boolean,
): Promise<ReplyData<typeof authenticate>> {
  const body = { user, password, ...(keep && { keep }) };
  return (await call(authenticate, { body }, { headers: thisDevice(), atHome: keep })).data;
}

/** With a proof of who it is, the server remembers this browser as theirs. */
export function thisDevice(): Record<string, string> {
  return { [DEVICE_HEADER]: deviceId() };
}
