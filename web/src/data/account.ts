import { authenticate, DEVICE_HEADER } from '@aparta/contract/sign-in';
import type { ReplyData } from '@aparta/contract/endpoint';
import { call } from '../api/client.ts';
import { deviceId } from '../session/device.ts';

// Signing in alone: it is in the first load. What else an account does has modules of its own.

/** The buyer's profile with the token of a new session. Refused with WRONG_CREDENTIALS or INVALID_INPUT. */
export async function signIn(user: string, password: string): Promise<ReplyData<typeof authenticate>> {
  return (await call(authenticate, { body: { user, password } }, { headers: thisDevice() })).data;
}

/** With a proof of who it is, the server remembers this browser as theirs. */
export function thisDevice(): Record<string, string> {
  return { [DEVICE_HEADER]: deviceId() };
}
