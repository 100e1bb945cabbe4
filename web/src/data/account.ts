import { authenticate, DEVICE_HEADER, insertBuyer, lookUpEmail } from '@aparta/contract/sign-in';
import type { ReplyData, Sent } from '@aparta/contract/endpoint';
import { call } from '../api/client.ts';
import { deviceId } from '../session/device.ts';

// Signing in and up alone: both are in the first load. What an account does later has modules of its own.

/** The buyer's profile with the token of a new session. Refused with WRONG_CREDENTIALS or INVALID_INPUT. */
export async function signIn(user: string, password: string): Promise<ReplyData<typeof authenticate>> {
  return (await call(authenticate, { body: { user, password } }, { headers: thisDevice() })).data;
}

export async function isEmailTaken(email: string): Promise<boolean> {
  return (await call(lookUpEmail, { params: { email } })).data.id > 0;
}

/** Refused with EMAIL_TAKEN, TERMS_CHANGED or what is wrong with the password, among others. */
export async function register(account: Sent<typeof insertBuyer, 'body'>): Promise<void> {
  await call(insertBuyer, { body: account }, { headers: thisDevice() });
}

/** With a proof of who it is, the server remembers this browser as theirs. */
export function thisDevice(): Record<string, string> {
  return { [DEVICE_HEADER]: deviceId() };
}
