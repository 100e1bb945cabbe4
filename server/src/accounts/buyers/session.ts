import { isListed } from '../../platform/addresses.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Buyer, Principal } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  findServiceAccountSession,
  findSession,
  insertServiceAccountSession,
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
export async function openServiceAccountSession(
  db: Db,
  serviceAccountId: string,
  { secretHash }: { secretHash?: string } = {},
): Promise<string> {
  const token = newToken('service_account');
  const isOpen = await transaction(db, (tx) =>
    insertServiceAccountSession(tx, serviceAccountId, tokenHash(token), secretHash),
  );
  if (!isOpen) throw new Refusal('WRONG_CREDENTIALS');
  return token;
}

/** Ends the session that has this token. */
export async function endSession(db: Db, token: string): Promise<void> {
  await transaction(db, (tx) => revokeSession(tx, tokenHash(token)));
}

/** Whether a service account calls from where it may; who does so from elsewhere, with what only the service account has, raises an alert. */
export async function isFromItsPlace(
  db: Db,
  serviceAccountId: string,
  addresses: readonly string[],
  address: string,
): Promise<boolean> {
  if (isListed(addresses, address)) return true;
  await raiseAlert(db, 'service_account_elsewhere', serviceAccountId, { address });
  return false;
}

/** Whose token this is; undefined when it never was anybody's, its session has ended, or a service account's comes from elsewhere. */
export async function identify(db: Db, token: string, address: string): Promise<Principal | undefined> {
  switch (tokenKind(token)) {
    case 'buyer':
      return findSession(db, tokenHash(token));
    case 'service_account': {
      const found = await findServiceAccountSession(db, tokenHash(token));
      return found &&
        (await isFromItsPlace(db, found.serviceAccount.serviceAccountId, found.addresses, address))
        ? found.serviceAccount
        : undefined;
    }
    case undefined:
      return undefined;
  }
}
