import { passwordReset } from '../session/password-reset.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';

/**
 * Takes what a link carries before anything is drawn (§2, catch-all): `ref` is kept as the layaway reference,
 * `refChangePass` as the reset link with the code of its fragment. Returns the address to show instead, scrubbed of
 * both, or undefined when the link carried nothing.
 */
export function takeIncomingLink(url: URL): string | undefined {
  const ref = url.searchParams.get('ref');
  const reset = url.searchParams.get('refChangePass');
  if (ref === null && reset === null) return undefined;
  if (ref) reference.keep(ref, session.user() !== undefined);
  if (reset) {
    const code = new URLSearchParams(url.hash.slice(1)).get('code');
    // A mail program that did not encode the base64 leaves '+', which reads as a space.
    passwordReset.keep(reset.replaceAll(' ', '+'), code ?? undefined);
    return paths.changePassword;
  }
  const rest = new URLSearchParams(url.searchParams);
  rest.delete('ref');
  rest.delete('refChangePass');
  return url.pathname + (rest.size > 0 ? `?${rest}` : '') + url.hash;
}
