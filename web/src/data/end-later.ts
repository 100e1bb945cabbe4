import { isRefused } from '@aparta/browser/api-error.ts';
import { logoutLater } from '@aparta/contract/logout-later';
import { call } from '../api/client.ts';
import { ended } from '../session/ended.ts';

const AGAIN_MS = 60_000;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Ends the sessions that were left here unheard; every minute, until the server has heard of all. */
export async function endLater(): Promise<void> {
  clearTimeout(waiting);
  for (const tokenHash of ended.all()) {
    const isHeard = await call(logoutLater, { body: { tokenHash } }).then(
      () => true,
      // Not what was kept here.
      (error: unknown) => isRefused(error, 'INVALID_INPUT'),
    );
    if (isHeard) ended.remove(tokenHash);
  }
  if (ended.all().length > 0) waiting = setTimeout(() => void endLater(), AGAIN_MS);
}
