import type { Db } from '../db/db.ts';
import { transaction } from '../db/transaction.ts';
import type { Principal } from '../principal.ts';
import {
  findMachineSession,
  findSession,
  insertMachineSession,
  insertSession,
  revokeSession,
} from './store.ts';
import { newToken, tokenHash, tokenKind } from './token.ts';

/** Opens a buyer's session of 12 hours and returns its token, of which only the hash is kept. */
export async function openSession(db: Db, buyerId: number): Promise<string> {
  const token = newToken('buyer');
  await transaction(db, (tx) => insertSession(tx, buyerId, tokenHash(token)));
  return token;
}

/** The same for a till or an integrator. */
export async function openMachineSession(db: Db, credentialId: string): Promise<string> {
  const token = newToken('machine');
  await transaction(db, (tx) => insertMachineSession(tx, credentialId, tokenHash(token)));
  return token;
}

/** Ends the session that has this token. */
export async function endSession(db: Db, token: string): Promise<void> {
  await transaction(db, (tx) => revokeSession(tx, tokenHash(token)));
}

/** Whose token this is; undefined when it never was anybody's, or its session has ended. */
export async function identify(db: Db, token: string): Promise<Principal | undefined> {
  switch (tokenKind(token)) {
    case 'buyer':
      return findSession(db, tokenHash(token));
    case 'machine':
      return findMachineSession(db, tokenHash(token));
    case undefined:
      return undefined;
  }
}
