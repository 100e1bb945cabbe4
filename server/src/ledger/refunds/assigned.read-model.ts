import { type RawBuilder, sql } from 'kysely';

/** Operations whose cash was for a purchase and is owed back, also where a person assigned it: then its refund alone says so. */
export function assignedTo(purchaseId: number | null): RawBuilder<string> {
  return sql`select e.source_id as id from receipts e join refunds o on o.receipt_id = e.id
    where e.channel = 'cash' and e.buyer_id = (select buyer_id from purchases where id = ${purchaseId}) and o.purchase_id = ${purchaseId}`;
}
