import { isListed } from '../../platform/addresses.ts';
import { raiseAlarm } from '../../platform/alerts.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Buyer, Principal } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  findMachineSession,
  findSession,
  insertMachineSession,
  insertSession,
  listSessions,
  type NewSession,
  revokeSession,
  revokeSessionOf,
  type SessionRow,
} from './store.ts';
import { newToken, tokenHash, tokenKind } from './token.ts';

/**
 * Opens a buyer's session of 12 hours and returns its token, of which only the hash is kept. Refuses with WRONG_CREDENTIALS
 * when the password that let him in has been changed meanwhile.
 */
export async function openSession(db: Db, buyerId: number, session: NewSession = {}): Promise<string> {
  const token = newToken('buyer');
  const isOpen = await transaction(db, (tx) => insertSession(tx, buyerId, tokenHash(token), session));
  if (!isOpen) throw new Refusal('WRONG_CREDENTIALS');
  return token;
}

/** Where the buyer is signed in, newest first; `token` is the session that asks. */
export async function sessionsOf(db: Db, caller: Buyer, token: string): Promise<SessionRow[]> {
  return listSessions(db, caller.id, tokenHash(token));
}

/** Ends one of the caller's sessions. Refuses with NOT_FOUND what is not his, or over. */
export async function endSessionOf(db: Db, caller: Buyer, sessionId: number): Promise<void> {
  const isEnded = await transaction(db, (tx) => revokeSessionOf(tx, caller.id, sessionId));
  if (!isEnded) throw new Refusal('NOT_FOUND');
}

/** The same for a till or an integrator; `secretHash` is of the secret that let it in. */
export async function openMachineSession(
  db: Db,
  credentialId: string,
  { secretHash }: { secretHash?: string } = {},
): Promise<string> {
  const token = newToken('machine');
  const isOpen = await transaction(db, (tx) =>
    insertMachineSession(tx, credentialId, tokenHash(token), secretHash),
  );
  if (!isOpen) throw new Refusal('WRONG_CREDENTIALS');
  return token;
}

/** Ends the session that has this token. */
export async function endSession(db: Db, token: string): Promise<void> {
  await transaction(db, (tx) => revokeSession(tx, tokenHash(token)));
}

/** Whether a machine calls from where it may; who does so from elsewhere, with what only the machine has, rings. */
export async function isFromItsPlace(
  db: Db,
  credentialId: string,
  addresses: readonly string[],
  address: string,
): Promise<boolean> {
  if (isListed(addresses, address)) return true;
  await raiseAlarm(db, 'machine_elsewhere', credentialId, { address });
  return false;
}

/** Whose token this is; undefined when it never was anybody's, its session has ended, or a machine's comes from elsewhere. */
export async function identify(db: Db, token: string, address: string): Promise<Principal | undefined> {
  switch (tokenKind(token)) {
    case 'buyer':
      return findSession(db, tokenHash(token));
    case 'machine': {
      const found = await findMachineSession(db, tokenHash(token));
      return found && (await isFromItsPlace(db, found.machine.credentialId, found.addresses, address))
        ? found.machine
        : undefined;
    }
    case undefined:
      return undefined;
  }
}
