import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';
import { defer } from '../db/transaction.ts';

/** Every kind of job, with its payload. */
export interface Jobs {
  /** `notice`: a notice of the provider that came too soon after another poll. Not on the attempt's own schedule. */
  resolve_attempt: { attemptId: string; notice?: { paymentId?: string } };
  refund_card: { refundId: number };
  check_cash_operation: { operationId: string };
  /** `before`: everything that the provider was last asked about before that moment; without it, by its own schedule. */
  poll_cash_references: { before?: string };
  issue_invoice: { invoiceId: number };
  /** Queued by `sendEmail` alone, in its own statement. */
  send_push: { outboxId: number; subscriptionId: string };
}

/**
 * Queues a job in the caller's transaction, so that it exists exactly if what it is for does. A job with the same key that has
 * not begun moves to the new time instead.
 */
export async function enqueue<J extends keyof Jobs>(
  tx: Tx,
  job: J,
  payload: Jobs[J],
  options: { key: string; afterMs?: number },
): Promise<void> {
  await defer(
    tx,
    sql`select enqueue_job(${job}, ${JSON.stringify(payload)}::json,
      now() + ${`${Math.ceil(options.afterMs ?? 0)} milliseconds`}::interval, ${options.key})`,
  );
}
