import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Outside } from '../../platform/post-outside.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordAccountAct } from '../acts/store.ts';
import { tokenHash } from '../credentials/token.ts';
import { isPushPoint, type PushKeys } from './push-keys.ts';
import { deletePush, type NewPush, savePush } from './store.ts';

export interface PushDeps {
  readonly db: Db;
  readonly outside: Outside;
  /** Undefined where nothing is pushed. */
  readonly pushKeys: PushKeys | undefined;
  /** Hosts of push services, `*.` before those of any name below. */
  readonly pushServices: readonly string[];
}

/**
 * Tells a browser of a buyer's news from now on. Refuses with PUSH_NOT_TAKEN where nothing is pushed, an address that is none of
 * the push services', since we would call it, and keys that nothing can be encrypted for.
 */
export async function tellBrowser(
  deps: PushDeps,
  caller: Buyer,
  token: string,
  push: NewPush,
  device: string,
): Promise<void> {
  const isTaken =
    deps.pushKeys !== undefined && isOfService(deps, push.endpoint) && isPushPoint(push.publicKey);
  if (!isTaken) throw new Refusal('PUSH_NOT_TAKEN');
  await transaction(deps.db, async (tx) => {
    if (await savePush(tx, caller.id, tokenHash(token), push))
      await recordAccountAct(tx, { buyerId: caller.id, act: 'pushes_on', device });
  });
}

/** Tells a browser no more; one that was not told, or is another's, stays as it is. */
export async function stopTelling(db: Db, caller: Buyer, endpoint: string, device: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (await deletePush(tx, caller.id, endpoint))
      await recordAccountAct(tx, { buyerId: caller.id, act: 'pushes_off', device });
  });
}

/** Whether an address is one of a push service, which alone is called. */
export function isOfService({ outside, pushServices }: PushDeps, endpoint: string): boolean {
  const { hostname, username, password } = new URL(endpoint);
  if (!outside.mayCall(endpoint) || username !== '' || password !== '') return false;
  return pushServices.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  );
}
