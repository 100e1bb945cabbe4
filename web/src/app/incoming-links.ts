import { emailConfirmation } from '../session/email-confirmation.ts';
import { passwordReset } from '../session/password-reset.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';

/**
 * Takes what a link carries before anything is drawn (§2, catch-all): `ref` is kept as the layaway reference,
 * `refChangePass` as the reset link with the code of its fragment; ours, the code of a letter that confirms an e-mail.
 * Returns the address to show instead, scrubbed of them, or undefined when the link carried nothing.
 */
export function takeIncomingLink(url: URL): string | undefined {
  const ref = url.searchParams.get('ref');
  const reset = url.searchParams.get('refChangePass');
  const code = new URLSearchParams(url.hash.slice(1)).get('code');
  if (code !== null && url.pathname.toLowerCase() === paths.confirmEmail.toLowerCase()) {
    emailConfirmation.keep(code);
    return paths.confirmEmail;
  }
  if (ref === null && reset === null) return undefined;
  if (ref) reference.keep(ref, session.user() !== undefined);
  if (reset) {
    // A mail program that did not encode the base64 leaves '+', which reads as a space.
    passwordReset.keep(reset.replaceAll(' ', '+'), code ?? undefined);
    return paths.changePassword;
  }
  const rest = new URLSearchParams(url.searchParams);
  rest.delete('ref');
  rest.delete('refChangePass');
  return url.pathname + (rest.size > 0 ? `?${rest}` : '') + url.hash;
}
