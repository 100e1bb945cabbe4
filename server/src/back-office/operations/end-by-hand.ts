import type { Centavos } from '@aparta/domain/money';

import { findNotice, resolveUnappliedCash } from '../../payments/cash/store.ts';
import { resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { retryJob } from './store.ts';

/**
 * Tapi gave unapplied cash back to who had paid it: nobody's, or not in pesos. It was in no merchant's book, so
 * nothing is booked; it waits for nobody any more. Refuses cash that was applied already.
 */
export async function endUnappliedCash(
  tx: Tx,
  operationId: string,
): Promise<{ readonly amountCentavos: Centavos | null; readonly currency: string }> {
  const notice = await findNotice(tx, operationId);
  if (notice === undefined) throw new RefusedChange('notice_unknown', { id: operationId });
  const { amountCentavos, currency, status, outcome } = notice;
  if (!(await resolveUnappliedCash(tx, operationId, 'taken_back')))
    throw new RefusedChange('notice_already_applied', { status, outcome });
  await resolveAlert(tx, 'unapplied_cash', operationId);
  return { amountCentavos, currency };
}

/** A job that gave up begins anew, by the name that its alert has: its task and its key. Refuses one that is not in the queue. */
export async function letJobRunAgain(tx: Tx, named: string): Promise<void> {
  const [task = '', ...key] = named.split(' ');
  if (!(await retryJob(tx, task, key.join(' ')))) throw new RefusedChange('job_unknown', { id: named });
  await resolveAlert(tx, 'job_gave_up', named);
}
