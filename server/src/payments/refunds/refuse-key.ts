import { raiseAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Log } from '../../platform/logging.ts';
import { enqueueRefund } from '../../ledger/refunds/enqueue-refund.ts';
import { findUsableCredential, lockCredentialsOf, markCredentialRefused } from '../card-keys/store.ts';
import type { Attempt } from '../cards/store.ts';

/**
 * Marks a key pair that may not refund (rules/refunds#refused-key). The refund is asked for again with the merchant's current
 * pair; without one, all refunds of the merchant pause, with one alert.
 */
export async function refuseKey(
  tx: Tx,
  attempt: Attempt,
  refundId: number,
  credentialId: string,
  why: string,
  log: Log,
): Promise<void> {
  const { merchantId } = attempt;
  await lockCredentialsOf(tx, merchantId);
  await markCredentialRefused(tx, credentialId);
  log.error({ merchantId, refundId, why }, "a merchant's key may not refund");
  if ((await findUsableCredential(tx, attempt)) === undefined)
    return raiseAlert(tx, 'refunds_paused', String(merchantId), { why });
  return enqueueRefund(tx, refundId);
}
