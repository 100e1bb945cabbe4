import { emailConfirmation } from '../session/email-confirmation.ts';
import { passwordReset } from '../session/password-reset.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';

/**
 * Processes an incoming link before the first render (spec §2, catch-all): saves `ref` as the layaway reference,
 * `refChangePass` and the code in the fragment as the reset link, and our e-mail confirmation code. Returns
 * the URL to show without them, or undefined if there was nothing.
 */
export function takeIncomingLink(url: URL): string | undefined {
  const ref = url.searchParams.get('ref');
  const reset = url.searchParams.get('refChangePass');
  const code = new URLSearchParams(url.hash.slice(1)).get('code');
  if (code !== null && url.pathname.toLowerCase() === paths.confirmEmail.toLowerCase()) {
    emailConfirmation.save(code);
    return paths.confirmEmail;
  }
  if (ref === null && reset === null) return undefined;
  if (ref) reference.save(ref, session.user() !== undefined);
  if (reset) {
    // Some mail programs leave '+' of the base64 unencoded, which reads as a space.
    passwordReset.save(reset.replaceAll(' ', '+'), code ?? undefined);
    return paths.changePassword;
  }
  const rest = new URLSearchParams(url.searchParams);
  rest.delete('ref');
  rest.delete('refChangePass');
  return url.pathname + (rest.size > 0 ? `?${rest}` : '') + url.hash;
}
