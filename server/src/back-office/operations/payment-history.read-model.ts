import { sql } from 'kysely';

import { assignedTo } from '../../ledger/refunds/assigned.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Match } from './payment-search.read-model.ts';

/** One thing that happened. `facts` depends on `kind`; amounts are centavos, texts as the provider or person wrote them. */
export interface Happening {
  readonly at: Date;
  readonly kind:
    | 'reference_made'
    | 'reference_closed'
    | 'purchase_made'
    | 'purchase_cancelled'
    | 'plan_changed'
    | 'unit_kept'
    | 'handed_over'
    | 'attempt_made'
    | 'state_moved'
    | 'till_called'
    | 'till_reversed'
    | 'cash_reference_made'
    | 'notice_came'
    | 'receipt_made'
    | 'booked'
    | 'refund_owed'
    | 'refund_done'
    | 'invoice_asked'
    | 'invoice_issued'
    | 'email'
    | 'alert'
    | 'operator_acted';
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** Everything that happened to a payable, or to money without one, oldest first; at most 2,000. */
export async function readStory(db: Db, { purchaseId, referenceId, sourceId }: Match): Promise<Happening[]> {
  const { rows } = await sql<Happening>`
    with reference as (select * from layaway_references where id = ${referenceId}),
    purchase as (select * from purchases where id = ${purchaseId}),
    payable as (select id from reference union select i.id from instalments i join purchase p on p.id = i.purchase_id),
    attempt as (select * from card_attempts where reference_id in (select id from payable) or id::text = ${sourceId}
      or id in (select attempt_id from card_attempt_parts where purchase_id = ${purchaseId})),
    operation as (select o.* from till_operations o join payment_references r on r.reference = o.reference
        where r.id in (select id from payable)
      union select o.* from receipts r join allocations a on a.receipt_id = r.id -- by a number as it is printed, in groups
        join till_operations o on o.id = case when r.channel = 'till' then r.source_id::uuid end
        where a.instalment_id in (select id from payable)),
    cash_reference as (select * from cash_references where purchase_id = ${purchaseId} or layaway_reference_id = ${referenceId}),
    notice as (select n.* from cash_notices n
      where n.cash_reference_id in (select id from cash_reference) or n.operation_id = ${sourceId}
        or n.operation_id in (select r.source_id from receipts r join allocations a on a.receipt_id = r.id
          where r.channel = 'cash' and a.instalment_id in (select id from payable))
        or n.operation_id in (${assignedTo(sql`(select id from reference)`)})), -- the last two: one that a person assigned
    source as (select id::text as id, 'card' as channel from attempt union all select id::text, 'till' from operation
      union all select operation_id, 'cash' from notice),
    receipt as (select r.* from receipts r join source s on s.id = r.source_id and s.channel = r.channel),
    refund as (select f.* from refunds f where f.receipt_id in (select id from receipt)),
    invoice as (select i.* from invoices i join purchase p on p.id = i.purchase_id),
    subject as (select id::text as id from attempt union select id::text from refund union select id::text from invoice
      union select id::text from purchase union select id from source union select provider_payment_id from attempt
      where provider_payment_id is not null)
    select at, kind, facts from (
      select created_at as at, 'reference_made' as kind, 1 as rank, jsonb_build_object('reference', p.reference,
        'price', price_centavos, 'deposit', deposit_centavos, 'until', expires_at) as facts
        from reference join payment_references p using (id)
      union all select closed_at, 'reference_closed', 3, jsonb_build_object('state', state) from reference where closed_at is not null
      union all select created_at, 'purchase_made', 4, jsonb_build_object('id', id, 'product', product_name, 'price', price_centavos) from purchase
      union all select cancelled_at, 'purchase_cancelled', 4, jsonb_build_object('notes', cancel_notes, 'paid', paid_centavos, 'by', ended_by)
        from purchase where cancelled_at is not null
      union all select changed_at, 'plan_changed', 4, jsonb_build_object('kind', kind, 'number', number, 'from', from_day, 'to', to_day,
        'amount', amount_centavos, 'first', first_centavos) from plan_changes where purchase_id in (select id from purchase)
      union all select h.held_at, 'unit_kept', 4, jsonb_build_object('branch', b.name, 'state', h.state, 'ended', h.ended_at,
        'checked', h.checked_at, 'missing', h.missing_since)
        from holds h join branches b on b.id = h.branch_id where h.layaway_reference_id in (select id from reference
          union select layaway_reference_id from purchase)
      union all select o.created_at, 'handed_over', 5, jsonb_build_object('branch', b.name, 'by', s.name, 'device', d.name)
        from hand_overs o join branches b on b.id = o.branch_id join staff_positions t on t.id = o.position_id
        join staff s on s.id = t.staff_id left join counter_devices d on d.id = o.device_id where o.purchase_id in (select id from purchase)
      union all select created_at, 'attempt_made', 2, jsonb_build_object('id', id, 'amount', principal_centavos + fee_centavos,
        'fee', fee_centavos, 'payment', provider_payment_id, 'card', card_last4, 'type', card_type, 'receipt', provider_receipt,
        'state', state, 'request', request_id) from attempt
      union all select v.moved_at, 'state_moved', 3, jsonb_build_object('of', v.subject_kind, 'id', v.subject_id,
        'from', v.from_state, 'to', v.to_state, 'detail', v.detail) from state_history v where (v.subject_kind, v.subject_id) in
        (select 'card_attempt', id::text from attempt union all select 'refund', id::text from refund union all select 'invoice', id::text from invoice)
      union all select created_at, 'till_called', 2, jsonb_build_object('chain', chain, 'branch', branch, 'transaction', transaction_id,
        'amount', amount_centavos, 'error', error, 'authorisation', authorisation) from operation
      union all select reversed_at, 'till_reversed', 2, jsonb_build_object('chain', chain, 'branch', branch, 'transaction', transaction_id)
        from operation where reversed_at is not null
      union all select created_at, 'cash_reference_made', 1, jsonb_build_object('id', id, 'reference', provider_reference,
        'amount', amount_centavos, 'state', state, 'until', upper(valid)) from cash_reference
      union all select received_at, 'notice_came', 2, jsonb_build_object('operation', operation_id, 'status', status, 'paid', paid_at,
        'amount', amount_centavos, 'outcome', outcome) from notice
      union all select received_at, 'receipt_made', 5, jsonb_build_object('folio', folio, 'amount', amount_centavos, 'paid', paid_at,
        'channel', channel, 'withdrawn', withdrawn_centavos) from receipt
      union all select e.occurred_at, 'booked', 6, jsonb_build_object('kind', e.kind, 'debit', t.debit, 'credit', t.credit,
        'amount', t.amount_centavos) from ledger_events e join ledger_transfers t on t.event_id = e.id
        where (e.kind like '%\\_receipt' or e.kind like '%\\_reversal') and e.source_id in (select id from source)
          or e.kind = 'suspense_resolved' and e.source_id in (select id::text from receipt)
          or e.kind in ('card_refund', 'refund_moved') and e.source_id in (select id::text from refund)
          or e.kind in ('cash_refund', 'cash_refund_bounced') and split_part(e.source_id, ':', 1) in (select id::text from refund)
          or e.kind = 'external_refund' and regexp_replace(e.source_id, ':[0-9]+$', '') in (select id from source)
          or e.kind in ('cancel', 'handover') and e.source_id in (select id::text from purchase)
      union all select created_at, 'refund_owed', 5, jsonb_build_object('id', id, 'amount', amount_centavos, 'method', method,
        'cause', cause, 'state', state, 'detail', detail_code) from refund
      union all select done_at, 'refund_done', 5, jsonb_build_object('id', id, 'amount', amount_centavos, 'method', method,
        'provider', provider_refund_id, 'by', paid_by, 'terminal', paid_on_terminal::int, 'evidence', evidence) from refund where done_at is not null
      union all select created_at, 'invoice_asked', 2, jsonb_build_object('id', id, 'amount', amount_centavos, 'form', payment_form,
        'state', state, 'detail', detail_message) from invoice
      union all select issued_at, 'invoice_issued', 4, jsonb_build_object('id', id, 'folio', fiscal_folio) from invoice where issued_at is not null
      union all select created_at, 'email', 7, jsonb_build_object('topic', topic, 'state', state, 'sent', sent_at) from outbox
        where dedupe_key in (select channel || ':' || id from source union all select 'invoice:' || id from invoice
          union all select 'invoice:' || id || ':credited' from invoice
          union all select 'purchase:' || id from purchase
          union all select 'purchase:' || p.id || ':' || coalesce(s.detail ->> 'dueOn' || ':', '') || (s.detail ->> 'until') from purchase p join staff_acts s
            on s.merchant_id = p.merchant_id and s.act = 'give_time' and s.subject_id = p.id::text where p.more_time_until is not null
          union all select 'end_warning:' || w.id from end_warnings w join purchase p on p.id = w.purchase_id
          union all select 'plan_change:' || c.purchase_id || ':' || c.sequence from plan_changes c join purchase p on p.id = c.purchase_id
          union all select 'claim:' || c.folio from claims c join purchase p on p.id = c.purchase_id)
          or split_part(dedupe_key, ':', 1) = 'refund' and split_part(dedupe_key, ':', 2) in (select id::text from refund)
      union all select first_at, 'alert', 8, jsonb_build_object('kind', kind, 'times', times, 'subject', subject, 'resolved', resolved_at)
        from alerts where subject in (select id from subject)
      union all select at, 'operator_acted', 8, jsonb_build_object('actor', actor, 'command', command, 'subject', subject_kind || ':' || subject_id,
        'phase', detail ->> 'phase', 'reason', detail ->> 'reason')
        from audit_log where (subject_kind in ('card_attempt', 'refund', 'invoice', 'purchase', 'cash_notice') and subject_id in (select id from subject)
          or subject_kind = 'hold' and subject_id in (select r.reference from payment_references r join reference using (id)))
    ) happening order by at, rank, facts ->> 'id' limit 2000`.execute(db);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
