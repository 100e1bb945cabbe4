import type { Sent } from '@aparta/contract/endpoint';
import { insertBuyer, lookUpEmail } from '@aparta/contract/sign-up';
import { call } from '../api/client.ts';
import { thisDevice } from './account.ts';

export async function isEmailTaken(email: string): Promise<boolean> {
  return (await call(lookUpEmail, { params: { email } })).data.id > 0;
}

/** Refused with EMAIL_TAKEN, TERMS_CHANGED or what is wrong with the password, among others. */
export async function register(account: Sent<typeof insertBuyer, 'body'>): Promise<void> {
  await call(insertBuyer, { body: account }, { headers: thisDevice() });
}
