import { changePassword, lookUpEmail, RESET_CODE_HEADER, sendResetEmail } from '@aparta/contract/account';
import type { ReplyData } from '@aparta/contract/endpoint';
import { call } from '../api/client.ts';
import { thisDevice } from './account.ts';
import { encodeEmail, type ResetLink } from '../session/password-reset.ts';

export type ResetOwner = ReplyData<typeof lookUpEmail>;

/** Asks for the email with the reset link. */
export async function askForReset(email: string): Promise<void> {
  const body = {
    email,
    // Required by spec §7. Our server ignores both and builds the link itself.
    link: `${location.origin}?refChangePass=${encodeEmail(email)}`,
    dateHourCreate: new Date().toISOString(),
  };
  await call(sendResetEmail, { body }, { headers: thisDevice() });
}

/** Whose reset link it is. Refused with RESET_CODE_DEAD. */
export async function resetOwner({ email, code }: ResetLink): Promise<ResetOwner> {
  return (await call(lookUpEmail, { params: { email } }, { headers: { [RESET_CODE_HEADER]: code } })).data;
}

/** Sets a new password and ends all sessions. Refused with RESET_CODE_DEAD or what is wrong with the password. */
export async function setPassword(owner: ResetOwner, { code }: ResetLink, password: string): Promise<void> {
  // Spec §7: the user record with the new password; the code is our addition.
  const body = { ...owner, password, code };
  await call(changePassword, { params: { id: owner.id }, body }, { headers: thisDevice() });
}
