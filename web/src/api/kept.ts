import { isRefused } from '@aparta/browser/api-error.ts';
import { createCall } from '@aparta/browser/call.ts';
import { endKeptSession, KEPT_HEADER, renewSession } from '@aparta/contract/kept-sessions';
import { loadRefusalTexts } from '../copy/load-refusal-texts.ts';
import { session } from '../session/session.ts';

// Of browsers that stay signed in; nobody else loads it.

const call = createCall({
  base: () => '',
  token: () => undefined,
  died: () => {},
  loadTexts: loadRefusalTexts,
});
const ours = { atHome: true, headers: { [KEPT_HEADER]: '1' } };

let renewing: Promise<boolean> | undefined;
/** Whose each token was that this tab had before. */
const replaced = new Map<string, number>();

/**
 * Gets this tab a session of its own by the browser's cookie, or another for one that is `dead`; false when there is none to get.
 * Rejects when that cannot be told now. Tabs wait for each other, so that none sends a secret that another has just replaced.
 */
export async function renew(dead: string | undefined): Promise<boolean> {
  // Another call was first; or somebody else has signed in here, whose this call is not.
  if (dead !== session.token()) return dead !== undefined && replaced.get(dead) === session.user()?.id;
  renewing ??= alone(renewOnce).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renewOnce(): Promise<boolean> {
  // Another tab may have signed out while this one waited.
  if (!session.stays()) return false;
  try {
    const { data } = await call(renewSession, {}, ours);
    const [user, token] = [session.user(), session.token()];
    // Somebody else has signed in on this browser: what this tab shows is not theirs.
    if (user && user.id !== data.id) return false;
    if (token !== undefined) replaced.set(token, data.id);
    session.open(data);
    return true;
  } catch (error) {
    if (!isRefused(error, 'SESSION_DEAD', 'NOT_ALLOWED')) throw error;
    session.stayNoMore();
    return false;
  }
}

/** Ends what the cookie is of, and takes the cookie back. */
export async function endKept(): Promise<void> {
  await alone(() => call(endKeptSession, {}, ours));
}

/** Before the first screen: a tab of a browser that stays signed in gets its session, and one that was signed out says so at last. */
export async function resume(isPublic: boolean): Promise<void> {
  if (!session.stays()) void endKept().catch(() => {});
  else if (!isPublic) await renew(session.token()).catch(() => {});
}

/** One tab at a time, where the browser knows of the others. */
function alone<T>(act: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('aparta-kept', act) : act();
}
