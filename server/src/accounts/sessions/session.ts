import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { endKeptWith } from './kept-session.ts';
import { proveKept } from './kept-store.ts';
import {
  findSession,
  insertSession,
  listSessions,
  type NewSession,
  revokeSession,
  revokeSessionOf,
  type SessionRow,
} from './store.ts';
import { recordAccountAct } from '../acts/store.ts';
import { deletePushOfSession } from '../pushes/store.ts';
import { newToken, tokenHash } from '../credentials/token.ts';

/**
 * Opens a buyer's session of 12 hours and returns its token, of which only the hash is kept. Refuses with WRONG_CREDENTIALS
 * when the password that let them in has been changed meanwhile.
 */
export async function openSession(db: Db, buyerId: number, session: NewSession = {}): Promise<string> {
  const token = newToken('buyer');
  const isOpen = await transaction(db, async (tx) => {
    if (!(await insertSession(tx, buyerId, tokenHash(token), session))) return false;
    await recordAccountAct(tx, { buyerId, act: 'signed_in', device: session.device ?? '' });
    return true;
  });
  if (!isOpen) throw new Refusal('WRONG_CREDENTIALS');
  return token;
}

/** Where the buyer is signed in, newest first; `token` is the session that asks. */
export async function sessionsOf(db: Db, caller: Buyer, token: string): Promise<SessionRow[]> {
  return listSessions(db, caller.id, tokenHash(token));
}

/** Ends one of the caller's sessions, and what its browser is told. Refuses with NOT_FOUND one that is not theirs, or over. */
export async function endSessionOf(db: Db, caller: Buyer, sessionId: number, device: string): Promise<void> {
  const isEnded = await transaction(db, async (tx) => {
    await deletePushOfSession(tx, { buyerId: caller.id, sessionId });
    const isTheirs = await revokeSessionOf(tx, caller.id, sessionId);
    if (isTheirs) await recordAccountAct(tx, { buyerId: caller.id, act: 'session_closed', device });
    return isTheirs;
  });
  if (!isEnded) throw new Refusal('NOT_FOUND');
}

/** The buyer whose live session has this token. */
export async function buyerOf(db: Db, token: string): Promise<Buyer | undefined> {
  const found = await findSession(db, tokenHash(token));
  if (found?.isUnproven) await transaction(db, (tx) => proveKept(tx, tokenHash(token)));
  return found?.buyer;
}

/** Ends the caller's session, which has this token, all of its browser when that stays signed in, and what the browser is told. */
export async function endSession(db: Db, caller: Buyer, token: string, device: string): Promise<void> {
  await endSessionWith(db, caller, tokenHash(token), device);
}

/** The same by the hash of its token alone. One that is over, or nobody's, changes nothing. */
export async function endSessionLater(db: Db, hash: Buffer, device: string): Promise<void> {
  const found = await findSession(db, hash);
  if (found) await endSessionWith(db, found.buyer, hash, device);
}

async function endSessionWith(db: Db, { id }: Buyer, hash: Buffer, device: string): Promise<void> {
  await transaction(db, async (tx) => {
    await endKeptWith(tx, { tokenHash: hash });
    await deletePushOfSession(tx, { tokenHash: hash });
    await revokeSession(tx, hash);
    await recordAccountAct(tx, { buyerId: id, act: 'signed_out', device });
  });
}
