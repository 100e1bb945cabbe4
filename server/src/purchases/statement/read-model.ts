import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { CounterMethod } from '@aparta/domain/shop-lists';
import type { StatementEvent } from '@aparta/domain/statement';
import { sql } from 'kysely';

import { payerAtStore } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { terminalLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import { dayOf, TODAY } from '../../platform/db/mexico-city.ts';
import type { EndedBy } from '../../platform/db/tables.ts';

/** An event of a buyer's account with all that its line says. */
export interface AccountEvent extends StatementEvent {
  /** '' of money that no purchase got. */
  readonly productName: string;
  readonly tradeName: string;
  readonly endedBy: EndedBy | null;
  /** How money came, or goes back; null where none moved. */
  readonly method: CounterMethod | null;
  readonly last4: string | null;
  readonly branch: string | null;
  readonly folio: string | null;
  /** The instalments that a payment paid, of so many. */
  readonly numbers: readonly number[];
  readonly instalments: number;
  /** Whether the money waits in suspense. */
  readonly inReview: boolean;
}

/** An instalment with what of it is paid by now. */
export interface DueRow {
  readonly dueOn: DateOnly;
  readonly purchaseId: number;
  readonly productName: string;
  readonly tradeName: string;
  readonly number: number;
  readonly instalments: number;
  readonly amountCentavos: Centavos;
  readonly paidCentavos: Centavos;
  readonly isCancelled: boolean;
}

export interface AccountRows {
  /** All there ever were, in no order. */
  readonly events: readonly AccountEvent[];
  /** By day. Of an ended purchase those that it did not live to see are left out. */
  readonly dues: readonly DueRow[];
  readonly buyerName: string;
  readonly today: DateOnly;
  readonly now: Date;
}

type JsonEvent = Omit<AccountEvent, 'at'> & { readonly at: string };

/**
 * A buyer's account, in one statement, so that a payment that comes meanwhile is in all of it or in none. Of a payment of several
 * purchases each has its share; what was not applied and the fee go with the first.
 */
export async function readAccount(
  db: Db,
  of: { readonly buyerId: number; readonly from: DateOnly; readonly to: DateOnly },
): Promise<AccountRows> {
  const { rows } = await sql<Omit<AccountRows, 'events'> & { events: readonly JsonEvent[] }>`
    with mine as materialized (
      select p.id, p.product_name, m.trade_name, p.price_centavos, p.created_at, p.cancelled_at, p.ended_by,
        (select count(*) from instalments where purchase_id = p.id) as instalments
      from purchases p join merchants m on m.id = p.merchant_id where p.buyer_id = ${of.buyerId}
    ), applied as materialized (
      select a.receipt_id, mine.id as purchase_id, sum(a.amount_centavos) as amount, json_agg(i.number order by i.number) as numbers,
        row_number() over (partition by a.receipt_id order by mine.id) = 1 as is_first,
        sum(sum(a.amount_centavos)) over (partition by a.receipt_id) as all_of_it
      from mine join instalments i on i.purchase_id = mine.id join allocations a on a.instalment_id = i.id and a.reverses_id is null
      group by a.receipt_id, mine.id
    ), parts as (
      select * from applied
      union all
      select r.id, null, 0, '[]', true, 0 from receipts r
      where r.buyer_id = ${of.buyerId} and not exists (select from applied where receipt_id = r.id)
    ), money as materialized (
      select x.receipt_id, coalesce(x.purchase_id, k.purchase_id, (select min(f.purchase_id) from refunds f where f.receipt_id = r.id)) as purchase_id, x.purchase_id is not null as is_applied, x.is_first,
        x.amount as applied, x.numbers, r.folio, coalesce(r.paid_at, r.received_at) as at, m.trade_name,
        case when x.is_first then r.amount_centavos - x.all_of_it + x.amount else x.amount end as amount,
        case when x.is_first and x.purchase_id is not null then coalesce((select sum(amount_centavos) from allocations
          where receipt_id = r.id and target = 'service_fee' and reverses_id is null), 0) else 0 end as fee,
        collected_by_method(r.channel, c.method) as method,
        coalesce(k.payer_name, ${payerAtStore('r')}) as payer_name,
        case when k.payer_name is null then coalesce(k.card_last4, c.terminal_last4) end as last4,
        coalesce((select name from branches where id = c.branch_id), (select min(name) from branches
          where merchant_id = m.id and till_chain = o.chain and till_branch = o.branch)) as branch,
        exists (select from allocations s where s.receipt_id = r.id and s.target = 'suspense' and s.reverses_id is null
          and not exists (select from allocations u where u.reverses_id = s.id)) as in_review,
        (select max(u.created_at) from allocations u where u.receipt_id = r.id and u.reverses_id is not null and u.target <> 'suspense')
          as reversed_at
      from parts x join receipts r on r.id = x.receipt_id join merchants m on m.id = r.merchant_id
      left join card_attempts k on k.id = case when r.channel = 'card' then r.source_id::uuid end
      left join till_operations o on o.id = case when r.channel = 'till' then r.source_id::uuid end
      left join counter_operations c on c.till_operation_id = o.id
    ), events as (
      select 'reserved' as kind, created_at as at, id as purchase_id, price_centavos as amount, 0 as applied, 0 as fee,
        null as ended_by, null as method, null as last4, null as branch, null as payer_name, null as folio, '[]'::json as numbers,
        false as in_review, trade_name
      from mine
      union all
      select case when is_applied then 'payment' else 'received' end, at, purchase_id, amount, applied, fee,
        null, method, last4, branch, payer_name, folio, numbers, in_review, trade_name from money
      union all
      select 'reversal', greatest(reversed_at, at), purchase_id, amount, applied, fee,
        null, method, last4, branch, payer_name, folio, numbers, false, trade_name from money where reversed_at is not null
      union all
      select 'ended', cancelled_at, id, 0, 0, 0, ended_by, null, null, null, null, null, '[]', false, trade_name
      from mine where cancelled_at is not null
      union all
      select 'penalty', cancelled_at, mine.id, t.amount_centavos, 0, 0, null, null, null, null, null, null, '[]', false, trade_name
      from mine join ledger_events e on e.kind = 'cancel' and e.source_id = mine.id::text
        join ledger_transfers t on t.event_id = e.id and t.credit = 'penalty_income'
      where cancelled_at is not null
      union all
      select s.kind, s.at, coalesce(f.purchase_id, y.purchase_id), f.amount_centavos, 0, 0,
        null, case when f.method = 'card' then 'card' when t.last4 is null then 'counter_cash' else 'counter_terminal' end,
        case f.method when 'card' then y.last4 else t.last4 end, null, y.payer_name,
        y.folio, '[]', false, y.trade_name
      from money y join refunds f on f.receipt_id = y.receipt_id and f.state <> 'moved_to_cash'
        join receipts r on r.id = y.receipt_id cross join lateral (select ${terminalLast4('f', 'r')} as last4) t
        cross join lateral (values ('refund_owed', f.created_at), ('refunded', f.done_at)) as s (kind, at)
      where y.is_first and s.at is not null and (s.kind = 'refunded' or f.cause <> 'external')
    )
    select b.name as "buyerName", app_now() as now, ${TODAY} as today,
      (select coalesce(json_agg(json_build_object('kind', e.kind, 'at', e.at, 'purchaseId', e.purchase_id, 'amountCentavos', e.amount,
          'appliedCentavos', e.applied, 'feeCentavos', e.fee, 'productName', coalesce(mine.product_name, ''), 'tradeName', e.trade_name,
          'endedBy', e.ended_by, 'method', e.method, 'last4', e.last4, 'branch', e.branch, 'payerName', e.payer_name, 'folio', e.folio,
          'numbers', e.numbers, 'instalments', coalesce(mine.instalments, 0), 'inReview', e.in_review)), '[]')
        from events e left join mine on mine.id = e.purchase_id) as events,
      (select coalesce(json_agg(json_build_object('dueOn', i.due_on, 'purchaseId', mine.id, 'productName', mine.product_name,
          'tradeName', mine.trade_name, 'number', i.number, 'instalments', mine.instalments, 'amountCentavos', i.amount_centavos,
          'paidCentavos', i.paid_centavos, 'isCancelled', mine.cancelled_at is not null) order by i.due_on, mine.id, i.number), '[]')
        from mine join instalments i on i.purchase_id = mine.id
        where i.due_on between ${of.from} and ${of.to}
          and (mine.cancelled_at is null or i.due_on <= ${dayOf(sql`mine.cancelled_at`)})) as dues
    from buyers b where b.id = ${of.buyerId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`no buyer ${of.buyerId}`);
  // Inside JSON, times are text.
  return { ...row, events: row.events.map((event) => ({ ...event, at: new Date(event.at) })) };
}
