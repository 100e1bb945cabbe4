import type { Centavos } from '@aparta/domain/money';

import { findNotice, resolveUnappliedCash } from '../../payments/cash/store.ts';
import { resolveAlert } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { retryJob } from '../../platform/jobs/retry-job.ts';
import { RefusedChange } from '../../platform/refused-change.ts';

/**
 * Closes unapplied cash that Tapi gave back to whoever paid it. It never was in a merchant's books, so nothing is booked.
 * Refuses cash that was applied already. `amountCentavos` is null for a currency other than pesos.
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

/** Runs a job that gave up again. `named` is as in its alert: task, space, key. Refuses one that is not in the queue. */
export async function letJobRunAgain(tx: Tx, named: string): Promise<void> {
  const [task = '', ...key] = named.split(' ');
  if (!(await retryJob(tx, task, key.join(' ')))) throw new RefusedChange('job_unknown', { id: named });
  await resolveAlert(tx, 'job_gave_up', named);
}
