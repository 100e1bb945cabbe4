import { ApiError } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.passkeys;

/** Whether this browser has passkeys at all. */
export const hasPasskeys = () => globalThis.PublicKeyCredential !== undefined;

/** What went wrong with a passkey, in words: the server's, or the browser's. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof ApiError) return sentenceFor(error);
  switch (error instanceof Error ? error.name : '') {
    // Browsers do not tell one from the other.
    case 'NotAllowedError':
    case 'AbortError':
      return copy.stopped;
    case 'InvalidStateError':
      return copy.known;
    default:
      return hasPasskeys() ? copy.broken : copy.unsupported;
  }
}
