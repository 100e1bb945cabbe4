import { parseLayawayReference, type LayawayReferenceProblem } from '@aparta/domain/layaway-reference';
import { emailConfirmation } from '../session/email-confirmation.ts';
import { passwordReset } from '../session/password-reset.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';

/** The URL to show instead of a link's, and what was wrong with the `ref` in it. */
export type TakenLink = { address: string; problem?: LayawayReferenceProblem };

/**
 * Processes an incoming link before the first render (spec §2, catch-all): saves `ref` as the layaway reference if it
 * can be read, `refChangePass` and the code in the fragment as the reset link, and our e-mail confirmation code.
 * Undefined if there was nothing.
 */
export function takeIncomingLink(url: URL): TakenLink | undefined {
  const ref = url.searchParams.get('ref');
  const reset = url.searchParams.get('refChangePass');
  const code = new URLSearchParams(url.hash.slice(1)).get('code');
  if (code !== null && url.pathname.toLowerCase() === paths.confirmEmail.toLowerCase()) {
    emailConfirmation.save(code);
    return { address: paths.confirmEmail };
  }
  if (ref === null && reset === null) return undefined;
  const parsed = ref === null ? undefined : parseLayawayReference(ref);
  if (ref !== null && parsed?.ok) reference.save(ref, session.user() !== undefined);
  if (reset) {
    // Some mail programs leave '+' of the base64 unencoded, which reads as a space.
    passwordReset.save(reset.replaceAll(' ', '+'), code ?? undefined);
    return { address: paths.changePassword };
  }
  const rest = new URLSearchParams(url.searchParams);
  rest.delete('ref');
  rest.delete('refChangePass');
  return {
    address: url.pathname + (rest.toString() && `?${rest}`) + url.hash,
    ...(parsed && !parsed.ok && { problem: parsed.problem }),
  };
}
