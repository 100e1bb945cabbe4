import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

/** Why a buyer cannot be erased yet: money, goods or invoices that are still open. */
export interface Ties {
  readonly activePurchases: number[];
  /** Under way, or given up so lately that the bank may still approve them. */
  readonly openAttempts: string[];
  /** Numbers that stores may still take cash for, or may have taken it for in the last three days. */
  readonly payableCash: string[];
  readonly openRefunds: number[];
  readonly openInvoices: number[];
  readonly openClaims: string[];
  /** Paid off, and not handed over by our counter: only the merchant knows whether the goods were. */
  readonly paidOffPurchases: number[];
  /** Emails that wait for the mail server, and alone tell helpers what became of their money. */
  readonly helperEmails: number[];
}

/** What is still open of a buyer; all lists are empty for nobody. */
export async function readTies(tx: Tx, buyerId: number): Promise<Ties> {
  const { rows } = await sql<Ties>`select
    to_jsonb(array(select id from purchases where buyer_id = ${buyerId} and state = 'active' and paid_centavos < price_centavos order by id)) as "activePurchases",
    to_jsonb(array(select id from card_attempts where buyer_id = ${buyerId}
      and (state in ('submitting', 'pending_3ds', 'unknown', 'held')
        or state in ('not_charged', 'abandoned') and state_since > app_now() - interval '8 days') order by created_at)) as "openAttempts",
    to_jsonb(array(select c.provider_reference from cash_references c left join purchases p on p.id = c.purchase_id
      left join layaway_references l on l.id = c.layaway_reference_id
      where ${buyerId} in (p.buyer_id, l.buyer_id) and c.provider_reference is not null and upper(c.valid) > app_now() - interval '3 days'
      order by c.created_at)) as "payableCash",
    to_jsonb(array(select f.id from refunds f join receipts r on r.id = f.receipt_id
      where r.buyer_id = ${buyerId} and f.state in ('owed', 'sending', 'unknown', 'blocked') order by f.id)) as "openRefunds",
    to_jsonb(array(select id from invoices where buyer_id = ${buyerId}
      and state in ('requested', 'sending', 'stamped', 'review') order by id)) as "openInvoices",
    to_jsonb(array(select folio from claims where buyer_id = ${buyerId} and ended_at is null order by id)) as "openClaims",
    to_jsonb(array(select id from purchases where buyer_id = ${buyerId} and state = 'active' and paid_centavos = price_centavos order by id)) as "paidOffPurchases",
    to_jsonb(array(select id from outbox where state = 'waiting' and buyer_id is null
      and coalesce(facts->>'attemptId', facts->>'operationId') in (
        select a.id::text from card_attempts a join help_links l on l.id = a.help_link_id where l.buyer_id = ${buyerId}
        union all select n.operation_id from cash_notices n join cash_references c on c.id = n.cash_reference_id
          join help_links l on l.id = c.help_link_id where l.buyer_id = ${buyerId}) order by id)) as "helperEmails"`.execute(
    tx,
  );
  const [ties] = rows;
  if (ties === undefined) throw new Error('the database told no ties');
  return ties;
}

/** What somebody gave by a help link: a card attempt, or a number for stores. */
export interface HelpersAttempt {
  readonly id: string;
  /** Under way, lately given up, payable or lately so, or with money still to go back. */
  readonly isOpen: boolean;
  /** What stores took for a number. */
  readonly operationIds: readonly string[];
}

/** What emails to helpers are about: their card attempts, and what stores took for their numbers. */
export const paymentsOf = (attempts: readonly HelpersAttempt[]): string[] =>
  attempts.flatMap(({ id, operationIds }) => [id, ...operationIds]);

/** What a helper gave who is not forgotten yet, locked; by their email address, one payment by its id, or all that helped a buyer. */
export async function readHelpersAttempts(
  tx: Tx,
  of: { readonly email: string } | { readonly attemptId: string } | { readonly buyerId: number },
): Promise<HelpersAttempt[]> {
  const theirs =
    'email' in of
      ? sql`lower(a.payer_email) = lower(${of.email.trim()})`
      : 'buyerId' in of
        ? sql`a.help_link_id in (select id from help_links where buyer_id = ${of.buyerId}) and a.payer_name <> '···'`
        : sql`a.id = ${of.attemptId} and a.payer_name <> '···'`;
  const { rows } = await sql<HelpersAttempt>`
    select a.id, a.state in ('submitting', 'pending_3ds', 'unknown', 'held')
        or a.state in ('not_charged', 'abandoned') and a.state_since > app_now() - interval '8 days'
        or exists (select from refunds f where f.attempt_id = a.id and f.state in ('owed', 'sending', 'unknown', 'blocked'))
        as "isOpen", '{}'::text[] as "operationIds"
    from card_attempts a where a.help_link_id is not null and ${theirs} order by a.created_at, a.id for update of a`.execute(
    tx,
  );
  const numbers = await sql<HelpersAttempt>`
    select a.id, a.provider_reference is not null and upper(a.valid) > app_now() - interval '3 days'
        or exists (select from cash_notices n join receipts r on r.channel = 'cash' and r.source_id = n.operation_id
          join refunds f on f.receipt_id = r.id where n.cash_reference_id = a.id and f.state = 'owed') as "isOpen",
      array(select operation_id from cash_notices where cash_reference_id = a.id) as "operationIds"
    from cash_references a where a.help_link_id is not null and ${theirs} order by a.created_at, a.id for update of a`.execute(
    tx,
  );
  return [...rows, ...numbers.rows];
}

/** What is left of a helper, or of who collected, is theirs: not what they paid with, from where, or how they signed. */
const OWN = sql`case when help_link_id is null then`;

/** All that we hold about a buyer, by table; each a list but for the two that they have one of. */
export type Everything = Readonly<Record<string, unknown>> & {
  readonly invoices: readonly Readonly<Record<string, unknown>>[];
};

/**
 * All that we hold about a buyer, by table and column: the answer to their request for access. No secrets, and nobody else's data.
 * Of files of invoices the newest, up to so many bytes. Undefined for nobody.
 */
export async function readEverything(
  db: Db,
  buyerId: number,
  { fileBytes = Number.MAX_SAFE_INTEGER }: { fileBytes?: number } = {},
): Promise<Everything | undefined> {
  const { rows } = await sql<{ everything: Everything }>`
    select jsonb_build_object(
      'buyer', to_jsonb(b) - 'password_hash' - 'sso_id',
      'sessions', ${every(sql`select created_at, expires_at, revoked_at, device from sessions where buyer_id = b.id order by id`)},
      'kept_sessions', ${every(sql`select opened_at, expires_at, ended_at, device from kept_sessions where buyer_id = b.id order by id`)},
      'account_acts', ${every(sql`select at, act, device from account_acts where buyer_id = b.id order by id`)},
      'calendar_link', (select made_at from calendar_links where buyer_id = b.id),
      'consents', ${every(sql`select t.kind, t.version, c.given_at, c.source_address, c.user_agent
        from consents c join legal_texts t on t.id = c.legal_text_id where c.buyer_id = b.id order by c.id`)},
      'layaway_references', ${every(sql`select p.reference, r.* from layaway_references r
        join payment_references p on p.id = r.id where r.buyer_id = b.id order by r.created_at`)},
      'purchases', ${every(sql`select * from purchases where buyer_id = b.id order by id`)},
      'instalments', ${every(sql`select i.* from instalments i join purchases p on p.id = i.purchase_id
        where p.buyer_id = b.id order by i.purchase_id, i.number`)},
      'plan_changes', ${every(sql`select c.* from plan_changes c join purchases p on p.id = c.purchase_id
        where p.buyer_id = b.id order by c.purchase_id, c.sequence`)},
      'holds', ${every(sql`select h.* from holds h join layaway_references r on r.id = h.layaway_reference_id
        where r.buyer_id = b.id order by h.held_at`)},
      'card_payments', ${every(sql`select id, created_at, state, principal_centavos, fee_centavos, captured_centavos, refunded_centavos,
        ${OWN} provider_payment_id end as provider_payment_id, ${OWN} card_type end as card_type, ${OWN} card_brand end as card_brand,
        ${OWN} card_last4 end as card_last4, ${OWN} source_address end as source_address, payer_name from card_attempts where buyer_id = b.id order by created_at`)},
      'receipts', ${every(sql`select folio, channel, amount_centavos, paid_at, received_at from receipts where buyer_id = b.id order by id`)},
      'counter_payments', ${every(sql`select o.created_at, o.method, o.amount_centavos, o.terminal_last4 from counter_operations o
        join receipts r on r.channel = 'till' and r.source_id = o.till_operation_id::text where r.buyer_id = b.id order by o.created_at`)},
      'hand_overs', ${every(sql`select purchase_id, created_at, collector_name,
        case when collector_name is null then signature end as signature from hand_overs
        where buyer_id = b.id order by created_at`)},
      'claims', ${every(sql`select folio, purchase_id, state, notes, opened_at, due_at, answer, promised_on, answered_at, ended_at from claims
        where buyer_id = b.id order by id`)},
      'help_links', ${every(sql`select id, purchase_id, message, goal_centavos, state, created_at, expires_at, ended_at from help_links
        where buyer_id = b.id order by created_at`)},
      'pickup_codes', ${every(sql`select purchase_id, collector_name, expires_at from pickup_codes where buyer_id = b.id`)},
      'refunds', ${every(sql`select f.cause, f.method, f.state, f.amount_centavos, f.created_at, f.done_at, f.evidence from refunds f
        join receipts r on r.id = f.receipt_id where r.buyer_id = b.id order by f.id`)},
      'fiscal_clients', ${every(sql`select * from fiscal_clients where buyer_id = b.id order by id`)},
      'invoices', ${every(sql`select id, purchase_id, state, amount_centavos, receiver, detail_message, fiscal_folio, folio, created_at, issued_at,
        case when file_bytes <= ${fileBytes}::bigint then encode(xml, 'base64') end as xml_base64,
        case when file_bytes <= ${fileBytes}::bigint then encode(pdf, 'base64') end as pdf_base64
        from (select *, sum(coalesce(octet_length(xml), 0) + coalesce(octet_length(pdf), 0)) over (order by id desc) as file_bytes
          from invoices where buyer_id = b.id) v order by id`)},
      'cash_references', ${every(sql`select case when c.help_link_id is null then c.provider_reference end as provider_reference,
        c.amount_centavos, c.state, c.created_at, c.closed_at, c.payer_name from cash_references c
        left join purchases p on p.id = c.purchase_id left join layaway_references l on l.id = c.layaway_reference_id
        where b.id in (p.buyer_id, l.buyer_id) order by c.created_at`)},
      'push_subscriptions', ${every(sql`select saved_at from push_subscriptions where buyer_id = b.id order by saved_at`)},
      'operator_acts', ${every(sql`select at, command from audit_log where subject_kind = 'buyer' and subject_id = b.id::text order by id`)},
      'emails', ${every(sql`select topic, recipient, facts, created_at, sent_at from outbox where buyer_id = b.id order by id`)}
    ) as everything
    from buyers b where b.id = ${buyerId}`.execute(db);
  return rows[0]?.everything;
}

function every(rows: ReturnType<typeof sql>) {
  return sql`coalesce((select jsonb_agg(to_jsonb(each)) from (${rows}) each), '[]'::jsonb)`;
}

/** A buyer by their email address, in any case and with any space around it. */
export async function findBuyerId(db: Db | Tx, email: string): Promise<number | undefined> {
  const buyer = await db
    .selectFrom('buyers')
    .select('id')
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  return buyer?.id;
}
