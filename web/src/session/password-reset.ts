import { tabStorage } from '@aparta/browser/storage.ts';

// Key of spec §2: the e-mail of a reset link, in base64. The one-time code is ours (rules/accounts#password-reset).
const EMAIL = 'refChangePass';
const CODE = 'resetCode';
const SENT = 'resetSent';

/** A complete reset link, parsed. */
export type ResetLink = { readonly email: string; readonly code: string };

/** The reset link's data, stored for this tab until the password is changed. */
export const passwordReset = {
  save(emailBase64: string, code: string | undefined) {
    tabStorage.set(EMAIL, emailBase64);
    // An earlier link's code does not belong to this one.
    if (code === undefined) tabStorage.remove(CODE);
    else tabStorage.set(CODE, code);
    if (tabStorage.get(SENT) !== code) this.mark(false);
  },

  /** Whether a password was sent by the link without an answer: a code that is dead now may be dead by it. */
  mayBeUsed: () => tabStorage.get(SENT) !== undefined,
  mark(mayBeUsed: boolean) {
    if (mayBeUsed) tabStorage.set(SENT, tabStorage.get(CODE) ?? '');
    else tabStorage.remove(SENT);
  },

  /** The link, or undefined if none, or only part of one, was opened. */
  link(): ResetLink | undefined {
    const email = decodeEmail(tabStorage.get(EMAIL) ?? '');
    const code = tabStorage.get(CODE);
    return email && code ? { email, code } : undefined;
  },

  clear() {
    tabStorage.remove(EMAIL);
    tabStorage.remove(CODE);
    this.mark(false);
  },
};

/** Encodes an e-mail as spec §2's links carry it. */
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
