import { isListed } from '../../platform/addresses.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { newToken, tokenHash } from '../credentials/token.ts';
import { insertServiceAccountSession } from './store.ts';

/** Opens a till's or an integrator's session and returns its token; `secretHash` is of the secret that let it in. Refuses with WRONG_CREDENTIALS. */
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

/** Whether a service account calls from where it may. Its secret or token used from elsewhere raises an alert. */
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
