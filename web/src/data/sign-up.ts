import type { Sent } from '@aparta/contract/endpoint';
import { insertBuyer, lookUpEmail } from '@aparta/contract/sign-up';
import { logout } from '@aparta/contract/logout';
import { isRefused } from '@aparta/browser/api-error.ts';
import { call } from '../api/client.ts';
import { callAs } from '../api/leaving.ts';
import { signIn, thisDevice } from './account.ts';

export async function isEmailTaken(email: string): Promise<boolean> {
  return (await call(lookUpEmail, { params: { email } })).data.id > 0;
}

/** Refused with EMAIL_TAKEN, TERMS_CHANGED or what is wrong with the password, among others. */
export async function register(account: Sent<typeof insertBuyer, 'body'>): Promise<void> {
  await call(insertBuyer, { body: account }, { headers: thisDevice() });
}

/** Whether the account of this email opens with this password; nobody is signed in by it. Throws ApiError where nobody answered. */
export async function opensWith(user: string, password: string): Promise<boolean> {
  try {
    const { token } = await signIn(user, password, false);
    void callAs(token)(logout, {}).catch(() => {});
    return true;
  } catch (error) {
    if (isRefused(error, 'WRONG_CREDENTIALS', 'TOO_MANY')) return false;
    throw error;
  }
}
