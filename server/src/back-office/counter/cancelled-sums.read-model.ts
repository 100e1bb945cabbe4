import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';

/** What a cancelled purchase came to. */
export interface CancelledSums {
  readonly id: number;
  /** What is back with whoever paid, of what its end gives back. */
  readonly refundedCentavos: Centavos;
  /** The penalty, and the service fees that were not given back. */
  readonly keptCentavos: Centavos;
}

/**
 * Of cancelled purchases, what `readCancelBill` and their refunds say of each, all at once; of a payment for several, its fee
 * stands with the first.
 */
export async function readCancelledSums(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CancelledSums>> {
  const { rows } = await sql<CancelledSums>`
    select p.id,
      coalesce((select sum(f.amount_centavos) from refunds f where f.receipt_id = any (own.receipts)
        and coalesce(f.purchase_id, p.id) = p.id and f.cause = 'cancel' and f.state = 'done'), 0)::bigint as "refundedCentavos",
      (kept.penalty - kept.fees_returned + coalesce((select sum(x.amount_centavos) from allocations x
        where x.receipt_id = any (own.receipts) and x.target = 'service_fee' and not exists (
          select from allocations o join instalments i on i.id = o.instalment_id
          where o.receipt_id = x.receipt_id and i.purchase_id < p.id)), 0))::bigint as "keptCentavos"
    from purchases p
      cross join lateral (select array(select a.receipt_id from instalments i join allocations a on a.instalment_id = i.id
        where i.purchase_id = p.id) as receipts) own
      cross join lateral (
        select coalesce(sum(t.amount_centavos) filter (where t.credit = 'penalty_income'), 0) as penalty,
          coalesce(sum(t.amount_centavos) filter (where t.debit = 'service_fee'), 0) as fees_returned
        from ledger_events e join ledger_transfers t on t.event_id = e.id
        where e.kind = 'cancel' and e.source_id = p.id::text) kept
    where p.id = any (${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
