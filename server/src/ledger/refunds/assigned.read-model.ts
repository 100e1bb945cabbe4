import { type RawBuilder, sql } from 'kysely';

/**
 * Operations whose cash was for a purchase, or for its reservation, and is owed back, also where a person assigned it: then its refund
 * alone says so.
 */
export function assignedTo(purchaseId: number | null): RawBuilder<string> {
  return sql`select e.source_id as id from purchases p join receipts e on e.buyer_id = p.buyer_id and e.channel = 'cash'
      join refunds o on o.receipt_id = e.id
    where p.id = ${purchaseId} and (o.purchase_id = p.id or o.layaway_reference_id = p.layaway_reference_id)`;
}
