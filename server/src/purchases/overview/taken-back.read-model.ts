import { sql } from 'kysely';

import { payerOf } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { takenLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import type { AppliedPayment } from './read-model.ts';

/** A payment that whoever took it gave back, or gives, by its first part: its sum with its fee, less what is told as a refund. */
export type TakenBack = Omit<AppliedPayment, 'paidAt' | 'bookedAt' | 'cutOffDays'> & {
  readonly paidAt: Date;
};

/** The payments of a purchase that a till, a store or the card's provider took back, newest first. */
export async function listTakenBack(db: Db, purchaseId: number): Promise<TakenBack[]> {
  const { rows } = await sql<TakenBack>`
    select id, folio, channel, "amountCentavos", "paidAt", "payerName", case when "payerName" is null then last4 end as last4
    from (
      select y.id, r.folio, r.channel, coalesce(r.paid_at, r.received_at) as "paidAt", ${payerOf('r')} as "payerName",
        (r.withdrawn_centavos - coalesce((select sum(amount_centavos) from refunds
          where receipt_id = r.id and state <> 'moved_to_cash'), 0))::bigint as "amountCentavos",
        coalesce((select card_last4 from card_attempts where id = case when r.channel = 'card' then r.source_id::uuid end),
          ${takenLast4('r')}) as last4
      from (select a.receipt_id, min(a.id) as id from allocations a join instalments i on i.id = a.instalment_id
        where i.purchase_id = ${purchaseId} group by 1) y
      join receipts r on r.id = y.receipt_id
    ) taken
    where "amountCentavos" > 0
    order by id desc`.execute(db);
  return rows;
}
