import { sql } from 'kysely';

import { dayOf } from '../../../platform/db/mexico-city.ts';

/** When a receipt `r` was paid. */
export const PAID_AT = sql`coalesce(r.paid_at, r.received_at)`;

/**
 * The reversals `e` of a merchant's receipts, each with its receipt, which it takes whole, on a later day than that of the payment.
 * On the same day nothing was collected. As what follows `from`; who reads says of which days. There are few: each receipt is looked
 * up by its key.
 */
export const withdrawnLater = (merchantId: number) => sql`
  ledger_events e cross join lateral (
      select * from receipts where channel = split_part(e.kind, '_', 1) and source_id = e.source_id offset 0) r
    left join counter_operations o on r.channel = 'till' and o.till_operation_id::text = r.source_id
  where e.merchant_id = ${merchantId} and e.kind in ('card_reversal', 'till_reversal', 'cash_reversal')
    and ${dayOf(PAID_AT)} <> ${dayOf(sql`e.occurred_at`)}`;

/**
 * A merchant's receipts `r` that stood when their day was over, with the counter's operation `o` that brought each: what is taken
 * back later is no less collected. As what follows `from`; its reversal is counted, so that it is looked up by its key.
 */
export const collectedOnce = (merchantId: number) => sql`
  receipts r left join counter_operations o on r.channel = 'till' and o.till_operation_id::text = r.source_id
  where r.merchant_id = ${merchantId} and case when r.withdrawn_centavos = 0 then true else (
    select count(*) = 0 from ledger_events e where e.kind = r.channel || '_reversal' and e.source_id = r.source_id
      and ${dayOf(sql`e.occurred_at`)} = ${dayOf(PAID_AT)}) end`;
