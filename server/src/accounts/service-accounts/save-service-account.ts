import { randomBytes } from 'node:crypto';

import type { Tx } from '../../platform/db/db.ts';
import { databaseNow, refusedBy } from '../../platform/db/transaction.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import {
  capServiceAccountSessions,
  endServiceAccountSessions,
  insertCounter,
  insertServiceAccount,
  lockServiceAccount,
  type ServiceAccountRow,
  type NewServiceAccount,
  setServiceAccountAddresses,
  setServiceAccountRevoked,
  setServiceAccountSecret,
  setTillMerchants,
} from './store.ts';

/** A till or an integrator by its name. */
export type ServiceAccountName = Pick<ServiceAccountRow, 'kind'> & { readonly userName: string };

/** A secret for a service account: 192 random bits, to be shown once. */
export function newServiceAccountSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Makes a till's or an integrator's credential; of its secret only the hash is kept. Returns its id. */
export async function addServiceAccount(tx: Tx, serviceAccount: NewServiceAccount): Promise<string> {
  demandNameable('user', serviceAccount.userName, 100);
  if (serviceAccount.kind === 'till') demandNameable('chain', serviceAccount.chain, 60);
  try {
    return await insertServiceAccount(tx, serviceAccount);
  } catch (error) {
    const constraint = refusedBy(error);
    if (constraint === 'service_accounts_user_name_once')
      throw new RefusedChange('service_account_name_taken', { name: serviceAccount.userName });
    if (constraint === 'service_accounts_merchant_id_fkey' && serviceAccount.kind === 'integrator')
      throw new RefusedChange('merchant_unknown', { id: serviceAccount.merchantId });
    if (constraint === 'till_merchants_merchant_id_fkey' && serviceAccount.kind === 'till')
      throw new RefusedChange('merchant_unknown', { id: serviceAccount.merchantIds.join(', ') });
    throw error;
  }
}

/**
 * Gives a service account another secret. With `until` the one before it, and what was opened with it, stays good up to that
 * moment; without, it and every session end now. The credential stays the same, and with it what it has charged. Refuses a
 * second change while an earlier secret is still good: whoever still uses that one would be locked out.
 */
export async function rotateServiceAccount(
  tx: Tx,
  name: ServiceAccountName,
  { secretHash, until }: { secretHash: string; until: Date | undefined },
): Promise<string> {
  const serviceAccount = await demandServiceAccount(tx, name);
  if (until === undefined) {
    await setServiceAccountSecret(tx, serviceAccount.id, secretHash, null);
    await endServiceAccountSessions(tx, serviceAccount.id);
    return serviceAccount.id;
  }
  if (until <= (await databaseNow(tx))) throw new RefusedChange('until_is_past');
  if (serviceAccount.previous_secret_hash !== null)
    throw new RefusedChange('service_account_rotating', { name: name.userName });
  await setServiceAccountSecret(tx, serviceAccount.id, secretHash, {
    hash: serviceAccount.secret_hash,
    until,
  });
  await capServiceAccountSessions(tx, serviceAccount.id, until);
  return serviceAccount.id;
}

/** Says from where a service account may call, from now on; nowhere listed: from everywhere. Its sessions elsewhere are over. */
export async function placeServiceAccount(
  tx: Tx,
  name: ServiceAccountName,
  addresses: readonly string[],
): Promise<string> {
  const { id } = await demandServiceAccount(tx, name);
  await setServiceAccountAddresses(tx, id, addresses);
  return id;
}

/** Says for which merchants a till collects, from its next call on; none: it takes nothing. */
export async function assignTill(tx: Tx, userName: string, merchantIds: readonly number[]): Promise<string> {
  const { id } = await demandServiceAccount(tx, { kind: 'till', userName });
  try {
    await setTillMerchants(tx, id, merchantIds);
  } catch (error) {
    if (refusedBy(error) !== 'till_merchants_merchant_id_fkey') throw error;
    throw new RefusedChange('merchant_unknown', { id: merchantIds.join(', ') });
  }
  return id;
}

/** Ends a service account for good: it signs in no more, and its sessions are over. What it charged stays. */
export async function revokeServiceAccount(tx: Tx, name: ServiceAccountName): Promise<string> {
  const { id } = await demandServiceAccount(tx, name);
  await setServiceAccountRevoked(tx, id);
  await endServiceAccountSessions(tx, id);
  return id;
}

/** Sees to it that a merchant's counters have the account that they take money under. */
export async function addCounter(tx: Tx, merchantId: number): Promise<void> {
  await insertCounter(tx, merchantId);
}

/** Refuses a name that no call can give: the contract takes none that is empty or longer. */
function demandNameable(field: string, name: string, most: number): void {
  if (name === '' || name.length > most) throw new RefusedChange('field_length', { field, least: 1, most });
}

async function demandServiceAccount(
  tx: Tx,
  { kind, userName }: ServiceAccountName,
): Promise<ServiceAccountRow> {
  const serviceAccount = await lockServiceAccount(tx, kind, userName);
  if (serviceAccount === undefined) throw new RefusedChange('service_account_unknown', { name: userName });
  return serviceAccount;
}
