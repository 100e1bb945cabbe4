import { resolveAlerts } from '../../platform/alerts.ts';
import type { Tx } from '../../platform/db/db.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { listOpenCardRefunds } from './store.ts';

/** Puts the job of a card refund in the queue, in `afterMs` milliseconds; one that waits already is moved to that time. */
export async function enqueueRefund(tx: Tx, refundId: number, afterMs = 0): Promise<void> {
  await enqueue(tx, 'refund_card', { refundId }, { key: `refund:${refundId}`, afterMs });
}

/** Puts a merchant's paused card refunds back in the queue, now that a key pair may refund (rules/refunds#refused-key). */
export async function resumeRefunds(tx: Tx, merchantId: number): Promise<void> {
  for (const refundId of await listOpenCardRefunds(tx, merchantId)) await enqueueRefund(tx, refundId);
  await resolveAlerts(tx, ['refunds_paused'], [String(merchantId)]);
}
