import type { Db } from '../../platform/db/db.ts';
import type { Limiter } from '../../platform/limiter.ts';
import { guardSignIn } from '../credentials/guard-sign-in.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { isFromItsPlace, openServiceAccountSession } from './session.ts';
import { findServiceAccount, type ServiceAccountRow } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Signs a till or an integrator in, each only through its own call (rules/accounts#service-accounts); returns its token, good
 * for 12 hours. The secret before the current one lets it in while it is good, and no longer. From an address that is not
 * listed for it, a right secret is answered like a wrong one, and raises an alert.
 */
export async function signInServiceAccount(
  deps: Deps,
  input: { kind: 'till' | 'integrator'; user: string; password: string; address: string },
): Promise<string> {
  const serviceAccount = await guardSignIn(deps, { ...input, name: input.user }, async () => {
    const found = await findServiceAccount(deps.db, input.kind, input.user);
    const secretHash = await fittingHash(deps.passwords, found, input.password);
    if (found === undefined || secretHash === undefined) return undefined;
    const isHere = await isFromItsPlace(deps.db, found.id, found.addresses, input.address);
    return isHere ? { id: found.id, secretHash } : undefined;
  });
  return openServiceAccountSession(deps.db, serviceAccount.id, serviceAccount);
}

/** The hash of the service account's that this secret fits: today's, or the one before while it is good. */
async function fittingHash(
  passwords: Passwords,
  serviceAccount: ServiceAccountRow | undefined,
  secret: string,
): Promise<string | undefined> {
  if (await passwords.verify(serviceAccount?.secret_hash, secret)) return serviceAccount?.secret_hash;
  const previous = serviceAccount?.previous_secret_hash;
  return previous && (await passwords.verify(previous, secret)) ? previous : undefined;
}
