import { isRefused } from '@aparta/browser/api-error.ts';
import { listBranches } from '@aparta/contract/counter-branches';
import { signInStaff, signOutStaff } from '@aparta/contract/counter-sessions';
import type { StaffRole } from '@aparta/domain/staff-rights';
import { session } from '../session/session.ts';
import { call, callAs } from './call.ts';

/** A shop where somebody works, to choose from at sign-in. */
export interface Workplace {
  readonly id: number;
  readonly tradeName: string;
  readonly role: StaffRole;
}

/** Signs in, and opens the session. Answers the shops to choose from when there are several; none when it is open. */
export async function signIn(
  email: string,
  password: string,
  merchantId?: number,
): Promise<readonly Workplace[]> {
  const body = { email, password, ...(merchantId !== undefined && { merchantId }) };
  const { data } = await call(signInStaff, { body });
  if (data.session === null) return data.merchants;
  session.open(data.session);
  return [];
}

/** Tells the server that somebody is at this shared device. */
export function keepAlive(): void {
  void call(listBranches, {}).catch(() => {});
}

/** Ends the session here at once, and on the server when it answers. */
export function signOut(): void {
  const token = session.token();
  session.close();
  if (token !== undefined) endSession(token);
}

/** A server that does not answer is told again after so long, and so often. */
const AGAIN_MS = 30_000;
const TIMES = 60;

/** Ends a session on the server as soon as it can be reached, whoever is signed in here meanwhile. */
export function endSession(token: string, times = TIMES): void {
  void callAs(token)(signOutStaff, {}).catch((error: unknown) => {
    if (times > 1 && !isRefused(error, 'SESSION_DEAD')) whenReachable(() => endSession(token, times - 1));
  });
}

function whenReachable(go: () => void): void {
  if (navigator.onLine) setTimeout(go, AGAIN_MS);
  else addEventListener('online', go, { once: true });
}
