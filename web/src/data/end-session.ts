import { logout } from '@aparta/contract/logout';
import { call } from '../api/client.ts';
import { madeReference } from '../session/made-reference.ts';
import { session } from '../session/session.ts';

/** Ends this session on the server, if it can be reached, and what this browser is told: signing out here never waits for it. */
export function endSession(): void {
  call(logout, {}).catch(() => {});
  madeReference.clear();
  if (session.kept()) void import('../api/kept.ts').then(({ endKept }) => endKept()).catch(() => {});
  // Where a worker may have been kept; without it the server's end is enough.
  if ('serviceWorker' in navigator)
    void import('./pushes.ts').then(({ forgetPushes }) => forgetPushes()).catch(() => {});
}
