import { isRefused } from '@aparta/browser/api-error.ts';
import { logout } from '@aparta/contract/logout';
import { callAs } from '../api/leaving.ts';
import { ended } from '../session/ended.ts';
import { madeReference } from '../session/made-reference.ts';
import { session } from '../session/session.ts';

/** Ends this session on the server, as soon as it can be reached, and what this browser is told: signing out here never waits for it. */
export function endSession(): void {
  const token = session.token();
  if (token !== undefined) void end(token);
  madeReference.clear();
  if (session.kept()) void import('../api/kept.ts').then(({ endKept }) => endKept()).catch(() => {});
  // Where a worker may have been kept; without it the server's end is enough.
  if ('serviceWorker' in navigator)
    void import('./pushes.ts').then(({ forgetPushes }) => forgetPushes()).catch(() => {});
}

async function end(token: string): Promise<void> {
  const leaving = callAs(token)(logout, {}).then(
    () => true,
    (error: unknown) => isRefused(error, 'SESSION_DEAD'),
  );
  // Before the answer: this document may be left first.
  const hash = await hashOf(token);
  if (hash !== undefined) ended.add(hash);
  if (!(await leaving)) void import('./end-later.ts').then(({ endLater }) => endLater()).catch(() => {});
  else if (hash !== undefined) ended.remove(hash);
}

/** As the server keeps it; undefined on pages served over plain HTTP from another host. */
async function hashOf(token: string): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}
