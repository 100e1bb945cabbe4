import * as contract from '@aparta/contract/account';
import { call } from '../api/client.ts';

/** Spends the code of the welcome email's link. Refused with CONFIRMATION_DEAD or INVALID_INPUT. */
export async function confirmEmail(code: string): Promise<void> {
  await call(contract.confirmEmail, { body: { code } });
}

/** Sends the signed-in buyer another email with a link. */
export async function sendConfirmation(): Promise<void> {
  await call(contract.sendConfirmation, {});
}
