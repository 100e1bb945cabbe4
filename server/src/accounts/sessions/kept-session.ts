import { randomUUID } from 'node:crypto';

import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordAccountAct } from '../acts/store.ts';
import { newToken, tokenHash } from '../credentials/token.ts';
import { deletePushOfKept } from '../pushes/store.ts';
import {
  keptHash,
  newChainKey,
  newestFrom,
  newKeptSecret,
  nextSecret,
  readKeptSecret,
  writeKeptSecret,
} from './kept-secret.ts';
import { endKept, insertKept, lockKept, turnKept, type WhichKept } from './kept-store.ts';
import { insertSession, type NewSession } from './store.ts';

/** What a browser's cookie gets. */
export interface KeptCookie {
  readonly value: string;
  readonly seconds: number;
}

/** Sessions of one kept session in an hour: each tab that is opened takes one. */
const MOST_AN_HOUR = 200;

/**
 * Opens a session on a browser that stays signed in (rules/accounts#staying-signed-in). Refuses with WRONG_CREDENTIALS when the
 * password that let them in has been changed meanwhile.
 */
export async function openKeptSession(
  db: Db,
  buyerId: number,
  session: NewSession,
): Promise<{ token: string; kept: KeptCookie }> {
  const token = newToken('buyer');
  const made = newKeptSecret();
  return transaction(db, async (tx) => {
    const { id, seconds } = await insertKept(tx, buyerId, {
      nameHash: keptHash(made.name),
      chainKey: newChainKey(),
      secretHash: keptHash(made.secret),
      device: session.device ?? '',
    });
    if (!(await insertSession(tx, buyerId, tokenHash(token), { ...session, keptId: id })))
      throw new Refusal('WRONG_CREDENTIALS');
    await recordAccountAct(tx, { buyerId, act: 'signed_in', device: session.device ?? '' });
    return { token, kept: { value: writeKeptSecret(made), seconds } };
  });
}

/**
 * A new session for the browser that a cookie is of, and the secret that replaces the cookie's. Refuses with SESSION_DEAD what is
 * over or nobody's; a secret that was replaced ends all that came of it, and its buyer is told.
 */
export async function renewSession(
  db: Db,
  cookie: string | undefined,
  device: string,
): Promise<{ buyerId: number; token: string; kept: KeptCookie }> {
  const sent = readKeptSecret(cookie);
  if (sent === undefined) throw new Refusal('SESSION_DEAD');
  const token = newToken('buyer');
  const renewed = await transaction(db, async (tx) => {
    const nameHash = keptHash(sent.name);
    const kept = await lockKept(tx, nameHash);
    if (kept === undefined) return undefined;
    const { chainKey, secretHash: newestHash, spares: most } = kept;
    const found = newestFrom(chainKey, sent.secret, { newestHash, most });
    if (found === undefined) {
      await endReplayed(tx, kept.buyerId, nameHash);
      return undefined;
    }
    if (kept.lately >= MOST_AN_HOUR) throw new Refusal('TOO_MANY', { retryAfterSeconds: 600 });
    // What was replaced already is followed by the same secret as before.
    const secret = found.turns === 0 ? nextSecret(chainKey, found.newest) : found.newest;
    const { turn, seconds } = found.turns === 0 ? await turnKept(tx, kept.id, keptHash(secret)) : kept;
    const session = { device, keptId: kept.id, provesTurn: turn };
    if (!(await insertSession(tx, kept.buyerId, tokenHash(token), session))) return undefined;
    return { buyerId: kept.buyerId, kept: { value: writeKeptSecret({ ...sent, secret }), seconds } };
  });
  if (renewed === undefined) throw new Refusal('SESSION_DEAD');
  return { ...renewed, token };
}

/** Two browsers have had the secret, and nobody can tell whose it is: both are out. */
async function endReplayed(tx: Tx, buyerId: number, nameHash: Buffer): Promise<void> {
  await endKeptWith(tx, { nameHash });
  await sendEmail(tx, { topic: 'kept_session_replayed', buyerId, facts: {}, dedupeKey: randomUUID() });
}

/** Ends what a browser's cookie is of; one that is over, or nobody's, changes nothing. */
export async function endKeptOfCookie(db: Db, cookie: string | undefined, device: string): Promise<void> {
  const sent = readKeptSecret(cookie);
  if (sent === undefined) return;
  await transaction(db, async (tx) => {
    const buyerId = await endKeptWith(tx, { nameHash: keptHash(sent.name) });
    if (buyerId !== undefined) await recordAccountAct(tx, { buyerId, act: 'signed_out', device });
  });
}

/** Ends one of the caller's browsers that stay signed in. Refuses with NOT_FOUND one that is not theirs, or over. */
export async function endKeptOf(db: Db, caller: Buyer, keptId: number, device: string): Promise<void> {
  const isEnded = await transaction(db, async (tx) => {
    const wasTheirs = (await endKeptWith(tx, { buyerId: caller.id, keptId })) !== undefined;
    if (wasTheirs) await recordAccountAct(tx, { buyerId: caller.id, act: 'session_closed', device });
    return wasTheirs;
  });
  if (!isEnded) throw new Refusal('NOT_FOUND');
}

/** Ends a kept session, its sessions, and what its browser is told. Whose it was; undefined without one. */
export async function endKeptWith(tx: Tx, which: WhichKept): Promise<number | undefined> {
  const ended = await endKept(tx, which);
  if (ended !== undefined) await deletePushOfKept(tx, ended.buyerId, ended.id);
  return ended?.buyerId;
}
