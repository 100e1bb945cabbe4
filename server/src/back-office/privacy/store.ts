import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';

/** What keeps a buyer's person here: money or papers that are not at their end. */
export interface Ties {
  readonly activePurchases: number[];
  /** Under way, or freed and still watched: a bank may approve one late. */
  readonly openAttempts: string[];
  /** Numbers that stores may still take cash for, or took it for just now. */
  readonly payableCash: string[];
  readonly openRefunds: number[];
  readonly openInvoices: number[];
  /** Paid whole: whether they were handed over, only the merchant knows. */
  readonly paidOffPurchases: number[];
}

/** Locks the buyer's row against a payment that begins meanwhile, and says what is still open of his. Undefined for nobody. */
export async function lockTies(tx: Tx, buyerId: number): Promise<Ties | undefined> {
  const locked = await tx
    .selectFrom('buyers')
    .select('id')
    .where('id', '=', buyerId)
    .where('erased_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (locked === undefined) return undefined;
  const { rows } = await sql<Ties>`select
    to_jsonb(array(select id from purchases where buyer_id = ${buyerId} and state = 'active' and paid_centavos < price_centavos order by id)) as "activePurchases",
    to_jsonb(array(select id from card_attempts where buyer_id = ${buyerId}
      and (state in ('submitting', 'pending_3ds', 'unknown', 'held')
        or state in ('not_charged', 'abandoned') and state_since > app_now() - interval '8 days') order by created_at)) as "openAttempts",
    to_jsonb(array(select c.provider_reference from cash_references c join purchases p on p.id = c.purchase_id
      where p.buyer_id = ${buyerId} and c.provider_reference is not null and upper(c.valid) > app_now() - interval '3 days'
      order by c.created_at)) as "payableCash",
    to_jsonb(array(select f.id from refunds f join receipts r on r.id = f.receipt_id
      where r.buyer_id = ${buyerId} and f.state in ('owed', 'sending', 'unknown', 'blocked') order by f.id)) as "openRefunds",
    to_jsonb(array(select id from invoices where buyer_id = ${buyerId}
      and state in ('requested', 'sending', 'stamped', 'review') order by id)) as "openInvoices",
    to_jsonb(array(select id from purchases where buyer_id = ${buyerId} and state = 'active' and paid_centavos = price_centavos order by id)) as "paidOffPurchases"`.execute(
    tx,
  );
  return rows[0];
}

/** An email address in the place of an erased one: nobody's, never delivered (RFC 2606), and not to be signed up with before. */
function erasedEmail(buyerId: number): string {
  return `erased-${buyerId}-${randomUUID()}@erased.invalid`;
}

/** What waits is not sent any more. */
const DROPPED = sql<'dropped'>`case state when 'waiting' then 'dropped' else state end`;

/**
 * Takes the person out of everything that is kept, and deletes what need not be. Kept whole: amounts, dates, folios, providers'
 * ids, and what a stamped invoice says, which the law wants kept.
 */
export async function scrub(tx: Tx, buyerId: number, passwordHash: string): Promise<void> {
  // An email with a reset link goes to whatever was typed: it knows the address alone, so it is first.
  await tx
    .updateTable('outbox')
    .set({ recipient: '', state: DROPPED })
    .where('buyer_id', 'is', null)
    .where('recipient', '=', ({ selectFrom }) =>
      selectFrom('buyers').select('email').where('id', '=', buyerId),
    )
    .execute();
  await tx
    .updateTable('buyers')
    .set({
      email: erasedEmail(buyerId),
      user_name: '-',
      name: '-',
      phone: '',
      address_street: '',
      address_number: '',
      address_postal_code: '',
      password_hash: passwordHash,
      email_confirmed_at: null,
      erased_at: sql<Date>`app_now()`,
    })
    .where('id', '=', buyerId)
    .execute();
  await tx.deleteFrom('sessions').where('buyer_id', '=', buyerId).execute();
  await tx.deleteFrom('password_resets').where('buyer_id', '=', buyerId).execute();
  await tx.deleteFrom('email_confirmations').where('buyer_id', '=', buyerId).execute();
  await tx
    .updateTable('outbox')
    .set({
      recipient: erasedEmail(buyerId),
      facts: sql`'{}'::jsonb`,
      state: DROPPED,
    })
    .where('buyer_id', '=', buyerId)
    .execute();
  // Nobody is left to pay them: a till that tries is told so.
  await tx
    .updateTable('layaway_references')
    .set({ state: 'cancelled', closed_at: sql<Date>`app_now()` })
    .where('buyer_id', '=', buyerId)
    .where('state', '=', 'open')
    .execute();
  await tx
    .updateTable('layaway_references')
    .set({ source_address: '' })
    .where('buyer_id', '=', buyerId)
    .execute();
  await tx
    .updateTable('card_attempts')
    .set({
      source_address: '',
      source_ip_prefix: '',
      request_id: '',
      card_last4: null,
      card_brand: null,
      card_fingerprint: null,
      three_ds_url: null,
    })
    .where('buyer_id', '=', buyerId)
    .execute();
  await tx.updateTable('purchases').set({ cancel_notes: '' }).where('buyer_id', '=', buyerId).execute();
  await tx
    .updateTable('consents')
    .set({ source_address: '', user_agent: '' })
    .where('buyer_id', '=', buyerId)
    .execute();
  await scrubPapers(tx, buyerId);
}

/** SAT's own RFC for who gives none. */
const NOBODYS_RFC = 'XAXX010101000';

/**
 * A tax identity without an invoice goes; one with keeps what stamped invoices say, and not how to reach him. What was only
 * asked for, and never stamped, is no paper that must be kept.
 */
async function scrubPapers(tx: Tx, buyerId: number): Promise<void> {
  await tx
    .updateTable('invoices')
    .set({ receiver: '{}', detail_message: '' })
    .where('buyer_id', '=', buyerId)
    .where('fiscal_folio', 'is', null)
    .execute();
  await tx
    .updateTable('fiscal_clients')
    .set({ rfc: NOBODYS_RFC, name: '-', postal_code: '00000', deleted_at: sql<Date>`app_now()` })
    .where('buyer_id', '=', buyerId)
    .where(
      sql<boolean>`not exists (select from invoices where fiscal_client_id = fiscal_clients.id and fiscal_folio is not null)`,
    )
    .execute();
  const uninvoiced = tx
    .selectFrom('fiscal_clients')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where(sql<boolean>`not exists (select from invoices where fiscal_client_id = fiscal_clients.id)`);
  await tx.deleteFrom('invoicing_customers').where('fiscal_client_id', 'in', uninvoiced).execute();
  await tx.deleteFrom('fiscal_clients').where('id', 'in', uninvoiced).execute();
  await tx
    .updateTable('fiscal_clients')
    .set({
      alias: '',
      email: erasedEmail(buyerId),
      phone: '',
      street: '',
      suburb: '',
      deleted_at: sql<Date>`coalesce(deleted_at, app_now())`,
    })
    .where('buyer_id', '=', buyerId)
    .execute();
  // What a receiver's snapshot has beyond the stamped paper.
  await sql`update invoices set receiver = receiver - 'email' - 'phone' - 'alias' - 'street' - 'suburb'
    where buyer_id = ${buyerId}`.execute(tx);
}

/** All rows that are about a buyer, by table, with the names of their columns: what he is given when he asks what we have of him. */
export async function readEverything(db: Db, buyerId: number): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<{ everything: Record<string, unknown> }>`
    select jsonb_build_object(
      'buyer', to_jsonb(b) - 'password_hash' - 'sso_id',
      'sessions', ${every(sql`select created_at, expires_at, revoked_at, device from sessions where buyer_id = b.id order by id`)},
      'consents', ${every(sql`select t.kind, t.version, c.given_at, c.source_address, c.user_agent
        from consents c join legal_texts t on t.id = c.legal_text_id where c.buyer_id = b.id order by c.id`)},
      'layaway_references', ${every(sql`select p.reference, r.* from layaway_references r
        join payment_references p on p.id = r.id where r.buyer_id = b.id order by r.created_at`)},
      'purchases', ${every(sql`select * from purchases where buyer_id = b.id order by id`)},
      'instalments', ${every(sql`select i.* from instalments i join purchases p on p.id = i.purchase_id
        where p.buyer_id = b.id order by i.purchase_id, i.number`)},
      'card_payments', ${every(sql`select id, created_at, state, principal_centavos, fee_centavos, captured_centavos, refunded_centavos,
        provider_payment_id, card_type, card_brand, card_last4, source_address from card_attempts where buyer_id = b.id order by created_at`)},
      'receipts', ${every(sql`select folio, channel, amount_centavos, received_at from receipts where buyer_id = b.id order by id`)},
      'refunds', ${every(sql`select f.cause, f.method, f.state, f.amount_centavos, f.created_at, f.done_at from refunds f
        join receipts r on r.id = f.receipt_id where r.buyer_id = b.id order by f.id`)},
      'fiscal_clients', ${every(sql`select * from fiscal_clients where buyer_id = b.id order by id`)},
      'invoices', ${every(sql`select id, purchase_id, state, amount_centavos, receiver, fiscal_folio, folio, created_at, issued_at,
        encode(xml, 'base64') as xml_base64, encode(pdf, 'base64') as pdf_base64 from invoices where buyer_id = b.id order by id`)},
      'emails', ${every(sql`select topic, recipient, facts, created_at, sent_at from outbox where buyer_id = b.id order by id`)}
    ) as everything
    from buyers b where b.id = ${buyerId}`.execute(db);
  return rows[0]?.everything;
}

function every(rows: ReturnType<typeof sql>) {
  return sql`coalesce((select jsonb_agg(to_jsonb(each)) from (${rows}) each), '[]'::jsonb)`;
}

/** A buyer by his email address, however it was typed. */
export async function findBuyerId(db: Db | Tx, email: string): Promise<number | undefined> {
  const buyer = await db
    .selectFrom('buyers')
    .select('id')
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  return buyer?.id;
}
