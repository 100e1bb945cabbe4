import { tabStorage } from './storage.ts';

// Key of §2: the e-mail of a reset link, in base64. The one-time code is ours (decisions §7).
const EMAIL = 'refChangePass';
const CODE = 'resetCode';

/** A whole reset link, read. */
export type ResetLink = { readonly email: string; readonly code: string };

/** What a reset link brought, kept for this tab until the password is changed. */
export const passwordReset = {
  keep(emailBase64: string, code: string | undefined) {
    tabStorage.set(EMAIL, emailBase64);
    // The code of an earlier link is not this link's.
    if (code === undefined) tabStorage.remove(CODE);
    else tabStorage.set(CODE, code);
  },

  /** The link, or undefined when none was opened, or only a part of one. */
  link(): ResetLink | undefined {
    const email = decodeEmail(tabStorage.get(EMAIL) ?? '');
    const code = tabStorage.get(CODE);
    return email && code ? { email, code } : undefined;
  },

  drop() {
    tabStorage.remove(EMAIL);
    tabStorage.remove(CODE);
  },
};

/** §2: how a link carries an e-mail. */
export function encodeEmail(email: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(email)));
}

function decodeEmail(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}
