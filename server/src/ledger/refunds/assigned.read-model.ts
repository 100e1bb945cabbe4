import { type RawBuilder, sql } from 'kysely';

/**
 * Operations whose cash was for a reservation, or for its purchase, and is owed back, also where a person assigned it: then its refund
 * alone says so.
 */
export function assignedTo(referenceId: RawBuilder<unknown>): RawBuilder<string> {
  return sql`select e.source_id as id from layaway_references l left join purchases p on p.layaway_reference_id = l.id
      join receipts e on e.buyer_id = l.buyer_id and e.channel = 'cash' join refunds o on o.receipt_id = e.id
    where l.id = ${referenceId} and (o.purchase_id = p.id or o.layaway_reference_id = l.id)`;
}
