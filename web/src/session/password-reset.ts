import { tabKeep } from './storage.ts';

// Key of §2: the e-mail of a reset link, in base64. The one-time code is ours (decisions §7).
const EMAIL = 'refChangePass';
const CODE = 'resetCode';

/** What a reset link brought, kept for this tab until the password is changed. */
export const passwordReset = {
  keep(emailBase64: string, code: string | undefined) {
    tabKeep.set(EMAIL, emailBase64);
    if (code !== undefined) tabKeep.set(CODE, code);
  },
  emailBase64: () => tabKeep.get(EMAIL),
  code: () => tabKeep.get(CODE),
  drop() {
    tabKeep.remove(EMAIL);
    tabKeep.remove(CODE);
  },
};
