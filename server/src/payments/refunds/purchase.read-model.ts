import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';

/**
 * The purchase on whose page a refund is seen: its own, what its payment was for, of several the first, or what came of its
 * reservation. Undefined where that came to nothing.
 */
export async function findRefundedPurchase(tx: Tx, refundId: number): Promise<number | undefined> {
  const { rows } = await sql<{ purchaseId: number | null }>`
    select coalesce(f.purchase_id, t.purchase_id,
      (select id from purchases where layaway_reference_id = coalesce(t.reference_id, f.layaway_reference_id))) as "purchaseId"
    from refunds f left join card_attempts t on t.id = f.attempt_id where f.id = ${refundId}`.execute(tx);
  return rows[0]?.purchaseId ?? undefined;
}
