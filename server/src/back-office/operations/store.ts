import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql, type RawBuilder } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

/** Something that can be told as one story. */
export interface Match {
  readonly purchaseId: number | null;
  /** The layaway reference, while there is no purchase. */
  readonly referenceId: number | null;
  /** An attempt or a notice that belongs to nothing of ours. */
  readonly sourceId: string | null;
  readonly buyerEmail: string | null;
  readonly merchant: string;
  readonly product: string | null;
  readonly at: Date;
}

/** Of layaway references, with the purchase that each became. */
async function matches(db: Db, which: RawBuilder<unknown>): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select p.id as "purchaseId", l.id as "referenceId", null as "sourceId", b.email as "buyerEmail",
      m.trade_name as "merchant", coalesce(p.product_name, d.name) as "product", l.created_at as "at"
    from layaway_references l join buyers b on b.id = l.buyer_id join merchants m on m.id = l.merchant_id
      join products d on d.id = l.product_id left join purchases p on p.layaway_reference_id = l.id
    where ${which} order by l.created_at desc limit 50`.execute(db);
  return rows;
}

export async function matchesByBuyer(db: Db, email: string): Promise<Match[]> {
  return matches(db, sql`b.email = ${email}`);
}

export async function matchesByPurchase(db: Db, id: number): Promise<Match[]> {
  return matches(db, sql`p.id = ${id}`);
}

/** By the ten digits of a payment reference: a layaway's or an instalment's. */
export async function matchesByReference(db: Db, id: number): Promise<Match[]> {
  return matches(db, sql`l.id = ${id} or p.id = (select purchase_id from instalments where id = ${id})`);
}

export async function matchesByFolio(db: Db, folio: string): Promise<Match[]> {
  return matchesBySources(db, sql`select r.source_id from receipts r where r.folio = ${folio}`);
}

/** Receipts of that sum, and attempts that asked for it, on a day of Mexico City. */
export async function matchesByAmount(db: Db, amount: Centavos, on: DateOnly): Promise<Match[]> {
  const day = (column: RawBuilder<unknown>) =>
    sql`${column} >= ${on}::timestamp at time zone 'America/Mexico_City'
      and ${column} < (${on}::timestamp + interval '1 day') at time zone 'America/Mexico_City'`;
  return matchesBySources(
    db,
    sql`select r.source_id from receipts r where r.amount_centavos = ${amount} and ${day(sql`r.received_at`)}
      union select a.id::text from card_attempts a
        where a.principal_centavos + a.fee_centavos = ${amount} and ${day(sql`a.created_at`)}
      union select o.id::text from till_operations o where o.amount_centavos = ${amount} and ${day(sql`o.created_at`)}
      union select n.operation_id from cash_notices n where n.amount_centavos = ${amount} and ${day(sql`n.received_at`)}`,
  );
}

/** By whatever the providers, the tills or we call it. */
export async function matchesByProviderId(db: Db, id: string): Promise<Match[]> {
  return matchesBySources(
    db,
    sql`select a.id::text from card_attempts a where ${id} in (a.id::text, a.provider_payment_id, a.provider_receipt, a.request_id)
      union select a.id::text from card_attempts a join refunds f on f.attempt_id = a.id where f.provider_refund_id = ${id}
      union select o.id::text from till_operations o where ${id} in (o.id::text, o.transaction_id, o.authorisation)
      union select n.operation_id from cash_notices n where n.operation_id = ${id}
      union select c.id::text from cash_references c where ${id} in (c.id::text, c.provider_reference)
      union select i.id::text from invoices i where ${id} in (i.fiscal_folio, i.provider_uuid)`,
  );
}

/** The layaways and purchases behind attempts, operations, notices, cash references and invoices; and what has nothing behind it. */
async function matchesBySources(db: Db, sources: RawBuilder<unknown>): Promise<Match[]> {
  const { rows } = await sql<{
    sourceId: string;
    payable: number | null;
    merchant: string | null;
    at: Date | null;
  }>`
    with source as (${sources}) select distinct s.source_id as "sourceId",
      coalesce(a.reference_id, o.payable, c.instalment_id, n.instalment_id, i.instalment_id) as "payable",
      m.trade_name as "merchant", coalesce(a.created_at, o.created_at, n.received_at) as "at"
    from (select source_id from source s(source_id)) s
      left join card_attempts a on a.id::text = s.source_id
      left join (select t.*, r.id as payable from till_operations t left join payment_references r on r.reference = t.reference) o
        on o.id::text = s.source_id
      left join cash_references c on c.id::text = s.source_id
      left join (select k.operation_id, k.received_at, d.instalment_id, d.merchant_id
        from cash_notices k left join cash_references d on d.id = k.cash_reference_id) n on n.operation_id = s.source_id
      left join invoices i on i.id::text = s.source_id
      left join merchants m on m.id = coalesce(a.merchant_id, c.merchant_id, n.merchant_id)
    limit 50`.execute(db);
  const payables = rows.flatMap(({ payable }) => payable ?? []);
  const unapplied = rows.filter(({ payable }) => payable === null);
  return [
    ...(payables.length === 0
      ? []
      : await matches(
          db,
          sql`l.id = any(${payables}::bigint[]) or p.id in (select purchase_id from instalments where id = any(${payables}::bigint[]))`,
        )),
    ...unapplied.map(({ sourceId, merchant, at }) => ({
      purchaseId: null,
      referenceId: null,
      sourceId,
      buyerEmail: null,
      merchant: merchant ?? '',
      product: null,
      at: at ?? new Date(0),
    })),
  ];
}

/** One thing that happened. `facts` depends on `kind`; amounts are centavos, words are those of who said them. */
export interface Happening {
  readonly at: Date;
  readonly kind:
    | 'reference_made'
    | 'reference_closed'
    | 'purchase_made'
    | 'purchase_cancelled'
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

/** Everything that happened to a payable, or to money without one, in order; at most 2,000. */
export async function readStory(
  db: Db | Tx,
  { purchaseId, referenceId, sourceId }: Match,
): Promise<Happening[]> {
  const { rows } = await sql<Happening>`
    with reference as (select * from layaway_references where id = ${referenceId}),
    purchase as (select * from purchases where id = ${purchaseId}),
    payable as (select id from reference union select i.id from instalments i join purchase p on p.id = i.purchase_id),
    attempt as (select * from card_attempts where reference_id in (select id from payable) or id::text = ${sourceId}),
    operation as (select o.* from till_operations o join payment_references r on r.reference = o.reference
      where r.id in (select id from payable)),
    cash_reference as (select c.* from cash_references c join purchase p on p.id = c.purchase_id),
    notice as (select n.* from cash_notices n
      where n.cash_reference_id in (select id from cash_reference) or n.operation_id = ${sourceId}
        or n.operation_id in (select r.source_id from receipts r join allocations a on a.receipt_id = r.id
          where r.channel = 'cash' and a.instalment_id in (select id from payable))), -- one that a person applied
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
      union all select cancelled_at, 'purchase_cancelled', 4, jsonb_build_object('notes', cancel_notes, 'paid', paid_centavos)
        from purchase where cancelled_at is not null
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
      union all select received_at, 'notice_came', 2, jsonb_build_object('operation', operation_id, 'status', status,
        'amount', amount_centavos, 'outcome', outcome) from notice
      union all select received_at, 'receipt_made', 5, jsonb_build_object('folio', folio, 'amount', amount_centavos,
        'channel', channel, 'withdrawn', withdrawn_centavos) from receipt
      union all select e.occurred_at, 'booked', 6, jsonb_build_object('kind', e.kind, 'debit', t.debit, 'credit', t.credit,
        'amount', t.amount_centavos) from ledger_events e join ledger_transfers t on t.event_id = e.id
        where (e.kind like '%\\_receipt' or e.kind like '%\\_reversal') and e.source_id in (select id from source)
          or e.kind = 'suspense_resolved' and e.source_id in (select id::text from receipt)
          or e.kind in ('card_refund', 'refund_moved') and e.source_id in (select id::text from refund)
          or e.kind in ('cash_refund', 'cash_refund_bounced') and split_part(e.source_id, ':', 1) in (select id::text from refund)
          or e.kind = 'external_refund' and regexp_replace(e.source_id, ':[0-9]+$', '') in (select id from source)
          or e.kind = 'cancel' and e.source_id in (select id::text from purchase)
      union all select created_at, 'refund_owed', 5, jsonb_build_object('id', id, 'amount', amount_centavos, 'method', method,
        'cause', cause, 'state', state, 'detail', detail_code) from refund
      union all select done_at, 'refund_done', 5, jsonb_build_object('id', id, 'amount', amount_centavos, 'method', method,
        'provider', provider_refund_id, 'by', paid_by, 'evidence', evidence) from refund where done_at is not null
      union all select created_at, 'invoice_asked', 2, jsonb_build_object('id', id, 'amount', amount_centavos, 'form', payment_form,
        'state', state, 'detail', detail_message) from invoice
      union all select issued_at, 'invoice_issued', 4, jsonb_build_object('id', id, 'folio', fiscal_folio) from invoice where issued_at is not null
      union all select created_at, 'email', 7, jsonb_build_object('topic', topic, 'state', state, 'sent', sent_at) from outbox
        where dedupe_key in (select channel || ':' || id from source union all select 'invoice:' || id from invoice
          union all select 'purchase:' || id from purchase)
          or split_part(dedupe_key, ':', 1) = 'refund' and split_part(dedupe_key, ':', 2) in (select id::text from refund)
      union all select first_at, 'alert', 8, jsonb_build_object('kind', kind, 'times', times, 'subject', subject, 'resolved', resolved_at)
        from alerts where subject in (select id from subject)
      union all select at, 'operator_acted', 8, jsonb_build_object('actor', actor, 'command', command, 'subject', subject_kind || ':' || subject_id,
        'phase', detail ->> 'phase', 'reason', detail ->> 'reason')
        from audit_log where subject_kind in ('card_attempt', 'refund', 'invoice', 'purchase', 'cash_notice') and subject_id in (select id from subject)
    ) happening order by at, rank, facts ->> 'id' limit 2000`.execute(db);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** All that may wait; what to do about each is the command line's affair. */
export const WAITING_KINDS = [
  'held',
  'held_unknown',
  'refund_blocked',
  'refunds_paused',
  'refund_in_cash',
  'invoice_in_review',
  'invoice_to_cancel',
  'notice_unapplied',
  'email_failed',
  'job_gave_up',
  'alert',
] as const;

/** Something that does not go on without a person. */
export interface Waiting {
  readonly kind: (typeof WAITING_KINDS)[number];
  /** Of an alert its kind and subject, `kind:subject`. */
  readonly id: string;
  readonly since: Date;
  readonly amountCentavos: Centavos | null;
  readonly merchant: string | null;
  readonly detail: string;
}

/** All that waits for a person, oldest first, at most 500. */
export async function listWaiting(db: Db): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select kind, waiting.id, since, amount as "amountCentavos", m.trade_name as "merchant", detail from (
      select case when buyer_id is null then 'held_unknown' else 'held' end as kind, id::text as id, state_since as since,
        case captured_centavos when 0 then principal_centavos + fee_centavos else captured_centavos end as amount,
        merchant_id, coalesce(detail_code, '') as detail from card_attempts where state = 'held'
      union all select 'refund_blocked', f.id::text, f.created_at, f.amount_centavos, r.merchant_id, coalesce(f.detail_code, '')
        from refunds f join receipts r on r.id = f.receipt_id where f.state = 'blocked'
      union all select 'refunds_paused', c.merchant_id::text, c.refused_at,
        (select sum(f.amount_centavos)::bigint from refunds f join receipts r on r.id = f.receipt_id
          where r.merchant_id = c.merchant_id and f.method = 'card' and f.state in ('owed', 'sending', 'unknown')), c.merchant_id,
        (select string_agg(i.id::text, ' ') from (select f.id from refunds f join receipts r on r.id = f.receipt_id
          where r.merchant_id = c.merchant_id and f.method = 'card' and f.state in ('owed', 'sending', 'unknown') order by f.id limit 3) i)
        from provider_credentials c where c.refused_at is not null and c.retired_at is null
      union all select 'refund_in_cash', f.id::text, f.created_at, f.amount_centavos, r.merchant_id, f.cause
        from refunds f join receipts r on r.id = f.receipt_id where f.state = 'owed' and f.method = 'cash'
      union all select 'invoice_in_review', id::text, created_at, amount_centavos, merchant_id, detail_code || ' ' || detail_message
        from invoices where state = 'review'
      union all select 'notice_unapplied', operation_id, received_at, amount_centavos, null, status || ' ' || currency
        from cash_notices where outcome = 'unapplied' and status = 'confirmed' -- of a reversal its alert tells
      union all select 'email_failed', id::text, created_at, null, null, topic from outbox where state = 'failed'
      union all select case kind when 'job_gave_up' then 'job_gave_up' when 'invoice_to_cancel' then 'invoice_to_cancel' else 'alert' end,
        case when kind in ('job_gave_up', 'invoice_to_cancel') then subject else kind || ':' || subject end,
        first_at, null, null, concat_ws(' ', detail ->> 'observed', detail ->> 'code', detail ->> 'why', detail ->> 'address',
          (select user_name from service_accounts where id::text = split_part(subject, ' ', 1)), case when times > 1 then times || 'x' end)
        from alerts where resolved_at is null and kind not in ('refund_blocked', 'refunds_paused', 'refund_moved_to_cash', 'invoice_in_review', 'unapplied_cash')
          and subject not in (select unnest(array[id::text, provider_payment_id]) from card_attempts where state = 'held' and provider_payment_id is not null)
    ) waiting left join merchants m on m.id = merchant_id order by since limit 500`.execute(db);
  return rows;
}

/** The open alerts of a store's reversal that could not be booked: the operation that it took back. */
export async function findReversalAlert(
  tx: Tx,
  operationId: string,
): Promise<{ readonly reverses: string } | undefined> {
  return tx
    .selectFrom('alerts')
    .where('kind', '=', 'cash_reversal_impossible')
    .where('subject', '=', operationId)
    .where('resolved_at', 'is', null)
    .select(sql<string>`coalesce(detail ->> 'reverses', subject)`.as('reverses'))
    .executeTakeFirst();
}

/** A store's receipt with the purchase that its money went to, and the deposit that brought it; locked, no deposit brings it now. */
export async function findStoreReceipt(
  tx: Tx,
  operationId: string,
  { isLocked = false } = {},
): Promise<
  | {
      readonly id: number;
      readonly merchantId: number;
      readonly buyerId: number | null;
      readonly amountCentavos: Centavos;
      readonly settlementId: number | null;
      readonly purchaseId: number | null;
    }
  | undefined
> {
  return tx
    .selectFrom('receipts as r')
    .where('r.channel', '=', 'cash')
    .where('r.source_id', '=', operationId)
    .$if(isLocked, (query) => query.forNoKeyUpdate('r'))
    .select([
      'r.id',
      'r.merchant_id as merchantId',
      'r.buyer_id as buyerId',
      'r.amount_centavos as amountCentavos',
      'r.settlement_id as settlementId',
      sql<number | null>`(select i.purchase_id from allocations a join instalments i on i.id = a.instalment_id
        where a.receipt_id = r.id limit 1)`.as('purchaseId'),
    ])
    .executeTakeFirst();
}

/** Lets a job that gave up run again; false when it is not in the queue. */
export async function retryJob(tx: Tx, task: string, named: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select retry_job(${task}, ${named}) as found`.execute(tx);
  return rows[0]?.found === true;
}
