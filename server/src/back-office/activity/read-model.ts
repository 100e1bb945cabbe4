import type { ActivityActor, ActivityKind, Operated } from '@aparta/domain/activity';
import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { CounterMethod } from '@aparta/domain/shop-lists';
import { sql } from 'kysely';

import { payerAtStore, payerOf } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { terminalLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import type { EndedBy, LegalKind } from '../../platform/db/tables.ts';

/** Something that happened in a buyer's account. */
export interface ActivityRow {
  /** Microseconds since 1970, by which rows stand, and what tells those of one moment apart. */
  readonly us: number;
  readonly key: string;
  readonly kind: ActivityKind;
  readonly at: Date;
  readonly actor: ActivityActor;
  readonly personName: string | null;
  readonly device: string;
  readonly purchaseId: number | null;
  readonly productName: string;
  readonly tradeName: string;
  readonly amountCentavos: Centavos | null;
  readonly number: number | null;
  readonly fromDay: DateOnly | null;
  readonly toDay: DateOnly | null;
  readonly method: CounterMethod | null;
  readonly last4: string | null;
  readonly folio: string | null;
  readonly endedBy: EndedBy | null;
  readonly legalKind: LegalKind | null;
  readonly operated: Operated | null;
}

/** A column of the union that a branch leaves out; the first branch gives each its type. */
const NOTHING = {
  person: sql`null::text`,
  device: sql`''`,
  purchase: sql`null::bigint`,
  receipt: sql`null::bigint`,
  amount: sql`null::bigint`,
  number: sql`null::int`,
  from: sql`null::date`,
  to: sql`null::date`,
  method: sql`null::text`,
  last4: sql`null::text`,
  folio: sql`null::text`,
  word: sql`null::text`,
};

/** One kind of happening: `word` is who ended a purchase, which text was agreed to, or what an operator's act was about. */
function happening(
  {
    at,
    key,
    kind,
    actor,
    ...given
  }: { at: string; key: string; kind: string; actor: string } & Partial<Record<keyof typeof NOTHING, string>>,
  from: ReturnType<typeof sql>,
) {
  const column = (name: keyof typeof NOTHING) =>
    given[name] === undefined ? NOTHING[name] : sql.raw(given[name]);
  return sql`
    select ${sql.raw(at)} as at, ${sql.raw(key)} as key, ${sql.raw(kind)} as kind, ${sql.raw(actor)} as actor, ${column('person')} as person,
      ${column('device')} as device, ${column('purchase')} as purchase_id, ${column('receipt')} as receipt_id, ${column('amount')} as amount,
      ${column('number')} as number, ${column('from')} as from_day, ${column('to')} as to_day, ${column('method')} as method,
      ${column('last4')} as last4, ${column('folio')} as folio, ${column('word')} as word
    from ${from}`;
}

/**
 * What happened in a buyer's account before some moment, the newest first. Each table is read by its index of buyers; what a helper
 * paid with is theirs.
 */
export async function listActivityOf(
  db: Db,
  buyerId: number,
  {
    before,
    limit,
  }: { readonly before?: Pick<ActivityRow, 'us' | 'key'> | undefined; readonly limit: number },
): Promise<ActivityRow[]> {
  const mine = sql`${buyerId}::bigint`;
  const branches = [
    happening(
      {
        at: 'x.at',
        key: `'act:' || x.id`,
        kind: 'x.act',
        actor: `case x.act when 'sign_in_failed' then 'unknown' else 'buyer' end`,
        device: 'x.device',
      },
      sql`account_acts x where x.buyer_id = ${mine}`,
    ),
    happening(
      { at: 's.at', key: `s.kind || ':'`, kind: 's.kind', actor: `'buyer'` },
      sql`buyers b cross join lateral (values ('signed_up', b.created_at), ('email_confirmed', b.email_confirmed_at)) s (kind, at)
        where b.id = ${mine} and s.at is not null`,
    ),
    happening(
      {
        at: 'c.given_at',
        key: `'consent:' || c.id`,
        kind: `'consented'`,
        actor: `'buyer'`,
        device: 'c.user_agent',
        word: 't.kind',
      },
      sql`consents c join legal_texts t on t.id = c.legal_text_id where c.buyer_id = ${mine}`,
    ),
    happening(
      { at: 's.at', key: `s.kind || ':' || f.id`, kind: 's.kind', actor: `'buyer'` },
      sql`fiscal_clients f cross join lateral (values ('fiscal_added', f.created_at), ('fiscal_removed', f.deleted_at)) s (kind, at)
        where f.buyer_id = ${mine} and s.at is not null`,
    ),
    happening(
      {
        at: 'p.created_at',
        key: `'reserved:' || p.id`,
        kind: `'reserved'`,
        actor: `'buyer'`,
        purchase: 'p.id',
        amount: 'p.price_centavos',
      },
      sql`purchases p where p.buyer_id = ${mine}`,
    ),
    happening(
      {
        at: 'p.cancelled_at',
        key: `'ended:' || p.id`,
        kind: `'purchase_ended'`,
        actor: `case p.ended_by when 'merchant' then 'merchant' when 'claim' then 'merchant' when 'rule' then 'rule' when 'reversal' then 'rule' else 'buyer' end`,
        purchase: 'p.id',
        word: 'p.ended_by',
      },
      sql`purchases p where p.buyer_id = ${mine} and p.cancelled_at is not null`,
    ),
    happening(
      {
        at: 's.at',
        key: `s.kind || ':' || r.id`,
        kind: 's.kind',
        actor: `case when y.name is not null then 'helper' else 'buyer' end`,
        person: 'y.name',
        receipt: 'r.id',
        amount: 'r.amount_centavos',
        method: 'collected_by_method(r.channel, c.method)',
        last4: 'case when k.help_link_id is null then coalesce(k.card_last4, c.terminal_last4) end',
        folio: 'r.folio',
      },
      sql`receipts r left join card_attempts k on k.id = case when r.channel = 'card' then r.source_id::uuid end
        left join counter_operations c on c.till_operation_id = case when r.channel = 'till' then r.source_id::uuid end
        cross join lateral (select coalesce(k.payer_name, ${payerAtStore('r')}) as name) y
        cross join lateral (values ('paid', coalesce(r.paid_at, r.received_at)), ('payment_reversed', (select max(u.created_at)
          from allocations u where u.receipt_id = r.id and u.reverses_id is not null and u.target <> 'suspense'))) s (kind, at)
        where r.buyer_id = ${mine} and s.at is not null`,
    ),
    happening(
      {
        at: 'k.state_since',
        key: `'attempt:' || k.id`,
        kind: `'payment_rejected'`,
        actor: `case when k.help_link_id is not null then 'helper' else 'buyer' end`,
        person: 'k.payer_name',
        purchase: 'k.purchase_id',
        amount: 'k.principal_centavos + k.fee_centavos',
        last4: 'case when k.help_link_id is null then k.card_last4 end',
      },
      sql`card_attempts k where k.buyer_id = ${mine} and k.state = 'rejected'`,
    ),
    happening(
      {
        at: 'f.done_at',
        key: `'refund:' || f.id`,
        kind: `'refunded'`,
        actor: `case f.paid_by when 'operator' then 'operator' else 'merchant' end`,
        person: `y.name`,
        receipt: 'r.id',
        amount: 'f.amount_centavos',
        method: `case when f.method = 'card' then 'card' when y.last4 is null then 'counter_cash' else 'counter_terminal' end`,
        last4: 'y.last4',
      },
      sql`receipts r join refunds f on f.receipt_id = r.id
        cross join lateral (select ${payerOf('r')} as name, ${terminalLast4('f', 'r')} as last4) y
        where r.buyer_id = ${mine} and f.state = 'done' and f.done_at is not null`,
    ),
    happening(
      {
        at: 'c.changed_at',
        key: `'change:' || c.id`,
        kind: `case c.kind when 'split' then 'instalment_split' else 'date_moved' end`,
        actor: `'buyer'`,
        purchase: 'p.id',
        amount: 'c.amount_centavos',
        number: 'c.number',
        from: 'c.from_day',
        to: 'c.to_day',
      },
      sql`purchases p join plan_changes c on c.purchase_id = p.id where p.buyer_id = ${mine}`,
    ),
    happening(
      {
        at: 'o.created_at',
        key: `'time:' || o.id`,
        kind: `'more_time'`,
        actor: `'merchant'`,
        purchase: `(o.facts ->> 'purchaseId')::bigint`,
        to: `(o.facts ->> 'endsOn')::date`,
      },
      sql`outbox o where o.buyer_id = ${mine} and o.topic = 'more_time'`,
    ),
    happening(
      { at: 'o.created_at', key: `'replayed:' || o.id`, kind: `'session_replayed'`, actor: `'unknown'` },
      sql`outbox o where o.buyer_id = ${mine} and o.topic = 'kept_session_replayed'`,
    ),
    happening(
      {
        at: 'h.created_at',
        key: `'handed:' || h.purchase_id`,
        kind: `'handed_over'`,
        actor: `'merchant'`,
        person: 'h.collector_name',
        purchase: 'h.purchase_id',
      },
      sql`hand_overs h where h.buyer_id = ${mine}`,
    ),
    happening(
      {
        at: 's.at',
        key: `s.kind || ':' || l.id`,
        kind: 's.kind',
        actor: `case when s.kind = 'help_link_ended' and l.state = 'closed' then 'rule' else 'buyer' end`,
        purchase: 'l.purchase_id',
      },
      sql`help_links l cross join lateral (values ('help_link_made', l.created_at), ('help_link_ended', l.ended_at)) s (kind, at)
        where l.buyer_id = ${mine} and s.at is not null`,
    ),
    happening(
      {
        at: 's.at',
        key: `s.kind || ':' || c.id`,
        kind: 's.kind',
        actor: `case when s.kind = 'claim_opened' or s.kind = 'claim_ended' and c.state = 'withdrawn' then 'buyer' else 'merchant' end`,
        purchase: 'c.purchase_id',
        folio: 'c.folio',
      },
      sql`claims c cross join lateral (values ('claim_opened', c.opened_at), ('claim_answered', c.answered_at), ('claim_ended', c.ended_at))
        s (kind, at) where c.buyer_id = ${mine} and s.at is not null`,
    ),
    happening(
      {
        at: 's.at',
        key: `s.kind || ':' || v.id`,
        kind: 's.kind',
        actor: `case s.kind when 'invoice_asked' then 'buyer' else 'merchant' end`,
        purchase: 'v.purchase_id',
        amount: 'v.amount_centavos',
      },
      sql`invoices v cross join lateral (values ('invoice_asked', v.created_at), ('invoice_issued', v.issued_at)) s (kind, at)
        where v.buyer_id = ${mine} and s.at is not null`,
    ),
    happening(
      {
        at: 'a.at',
        key: `'audit:' || a.id`,
        kind: `'operator_act'`,
        actor: `'operator'`,
        word: `case when a.subject_kind = 'buyer' then case when a.command like 'buyer export%' then 'export' else 'account' end
          when a.subject_kind = 'card_attempt' then 'payment' else a.subject_kind end`,
      },
      sql`(select 'buyer' as kind, ${mine}::text as id
          union all select 'claim', folio from claims where buyer_id = ${mine}
          union all select 'refund', f.id::text from receipts r join refunds f on f.receipt_id = r.id where r.buyer_id = ${mine}
          union all select 'card_attempt', id::text from card_attempts where buyer_id = ${mine}
          union all select 'invoice', id::text from invoices where buyer_id = ${mine}) s
        join audit_log a on a.subject_kind = s.kind and a.subject_id = s.id`,
    ),
  ];
  const { rows } = await sql<ActivityRow>`
    with happened as (
      select *, (extract(epoch from at) * 1000000)::bigint as us from (${sql.join(branches, sql` union all `)}) each
    ), page as (
      select * from happened where (us, key) < (${before?.us ?? '9223372036854775807'}::bigint, ${before?.key ?? ''})
      order by us desc, key desc limit ${limit}
    )
    select e.us, e.key, e.kind, e.at, e.actor, e.person as "personName", e.device, p.id as "purchaseId",
      coalesce(p.product_name, '') as "productName", coalesce(m.trade_name, '') as "tradeName", e.amount as "amountCentavos", e.number,
      e.from_day as "fromDay", e.to_day as "toDay", e.method, e.last4, e.folio,
      case e.kind when 'purchase_ended' then e.word end as "endedBy", case e.kind when 'consented' then e.word end as "legalKind",
      case e.kind when 'operator_act' then e.word end as "operated"
    from page e left join receipts r on r.id = e.receipt_id
    left join purchases p on p.id = coalesce(e.purchase_id, (select min(i.purchase_id) from allocations a
      join instalments i on i.id = a.instalment_id where a.receipt_id = e.receipt_id))
    left join merchants m on m.id = coalesce(p.merchant_id, r.merchant_id)
    order by e.us desc, e.key desc`.execute(db);
  return rows;
}
