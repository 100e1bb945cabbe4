import { sql } from 'kysely';

import { payerAtStore } from '../../ledger/receipts/payer-at-store.read-model.ts';
import type { Tx } from '../../platform/db/db.ts';

/** Who helped a buyer with the money of a receipt; null where the address is forgotten. */
export interface RefundedHelper {
  readonly channel: 'card' | 'cash';
  readonly sourceId: string;
  readonly email: string | null;
}

/** Whose money a refund is, where it was not the buyer's own. */
export async function findRefundedHelper(tx: Tx, refundId: number): Promise<RefundedHelper | undefined> {
  const { rows } = await sql<RefundedHelper>`
    select r.channel, r.source_id as "sourceId", coalesce(t.payer_email, ${payerAtStore('r', 'payer_email')}) as email
    from refunds f join receipts r on r.id = f.receipt_id
    left join card_attempts t on t.id = case when r.channel = 'card' then r.source_id::uuid end
    where f.id = ${refundId} and coalesce(t.payer_name, ${payerAtStore('r')}) is not null`.execute(tx);
  return rows[0];
}
