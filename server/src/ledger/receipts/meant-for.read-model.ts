import { type RawBuilder, sql } from 'kysely';

/**
 * What the money of a receipt was for, by the receipt's alias, as joins: the purchase `p` that got it, or that it came too late for;
 * else the reservation `l` that it did not pay. `purchaseId` is what is known better, of one refund. In one space of ids, no
 * instalment's is a layaway's. Each is looked up by its key, however many rows ask.
 */
export function meantFor(
  receipt: string,
  purchaseId: RawBuilder<unknown> = sql`null::bigint`,
): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${receipt}.${column}`);
  return sql`
  left join lateral (
    select k.purchase_id, k.reference_id as layaway_id from card_attempts k
      where k.id = case when ${of('channel')} = 'card' then ${of('source_id')}::uuid end
    union all
    select c.purchase_id, c.layaway_reference_id from cash_notices n join cash_references c on c.id = n.cash_reference_id
      where ${of('channel')} = 'cash' and n.provider = 'tapi' and n.operation_id = ${of('source_id')}
  ) meant on true
  left join lateral (
    select l.id, l.merchant_id, d.name as product_name from layaway_references l join products d on d.id = l.product_id
    -- Of cash that a person assigned, its refund alone says it.
    where l.id = coalesce(meant.layaway_id, (select min(layaway_reference_id) from refunds where receipt_id = ${of('id')}))
    offset 0
  ) l on true
  left join lateral (
    select id, merchant_id, layaway_reference_id, product_name from purchases where id = coalesce(${purchaseId},
      (select min(i.purchase_id) from allocations a join instalments i on i.id = a.instalment_id where a.receipt_id = ${of('id')}),
      meant.purchase_id, (select min(purchase_id) from refunds where receipt_id = ${of('id')}),
      (select id from purchases where layaway_reference_id = l.id))
    offset 0
  ) p on true`;
}
