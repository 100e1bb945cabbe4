import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql, type RawBuilder } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import { startOf } from '../../platform/db/mexico-city.ts';

/** A layaway reference or a purchase, or money that belongs to neither. */
export interface Match {
  readonly purchaseId: number | null;
  /** The layaway reference, also of a purchase. */
  readonly referenceId: number | null;
  /** As the layaway reference is printed. */
  readonly printed: string | null;
  /** An attempt or a notice without a payable. */
  readonly sourceId: string | null;
  readonly buyerEmail: string | null;
  readonly merchant: string;
  readonly product: string | null;
  readonly at: Date;
}

/** Layaway references, each with the purchase that it became; the newest 50. */
async function matches(db: Db, which: RawBuilder<unknown>): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select p.id as "purchaseId", l.id as "referenceId", r.reference as "printed", null as "sourceId", b.email as "buyerEmail",
      m.trade_name as "merchant", coalesce(p.product_name, d.name) as "product", l.created_at as "at"
    from layaway_references l join payment_references r on r.id = l.id join buyers b on b.id = l.buyer_id join merchants m on m.id = l.merchant_id
      join products d on d.id = l.product_id left join purchases p on p.layaway_reference_id = l.id
    where ${which} order by l.created_at desc limit 50`.execute(db);
  return rows;
}

export async function matchesByBuyer(db: Db, email: string): Promise<Match[]> {
  return matches(db, sql`b.email = ${email}`);
}

/** By the last ten digits of a telephone, however it was typed at sign-up. */
export async function matchesByPhone(db: Db, digits: string): Promise<Match[]> {
  return matches(
    db,
    sql`right(b.phone, 4) = ${digits.slice(-4)} and right(regexp_replace(b.phone, '\\D', '', 'g'), 10) = ${digits}`,
  );
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

/** Receipts of that amount, and attempts that asked for it, on a day in Mexico City. */
export async function matchesByAmount(db: Db, amount: Centavos, on: DateOnly): Promise<Match[]> {
  const day = (column: RawBuilder<unknown>) =>
    sql`${column} >= ${startOf(on)} and ${column} < ${startOf(on, 1)}`;
  return matchesBySources(
    db,
    sql`select r.source_id from receipts r where r.amount_centavos = ${amount} and (${day(sql`r.received_at`)} or ${day(sql`r.paid_at`)})
      union select a.id::text from card_attempts a
        where a.principal_centavos + a.fee_centavos = ${amount} and ${day(sql`a.created_at`)}
      union select o.id::text from till_operations o where o.amount_centavos = ${amount} and ${day(sql`o.created_at`)}
      union select n.operation_id from cash_notices n where n.amount_centavos = ${amount} and ${day(sql`n.received_at`)}`,
  );
}

/** By an id of ours, a provider's or a till's. */
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

/** The payables of attempts, operations, notices, cash references and invoices, and those that have none. */
async function matchesBySources(db: Db, sources: RawBuilder<unknown>): Promise<Match[]> {
  const { rows } = await sql<{
    sourceId: string;
    payable: number | null;
    merchant: string | null;
    at: Date | null;
  }>`
    with source as (${sources}) select distinct s.source_id as "sourceId",
      coalesce(t.instalment_id, a.reference_id, o.payable, c.instalment_id, n.instalment_id, i.instalment_id) as "payable",
      m.trade_name as "merchant", coalesce(a.created_at, o.created_at, n.received_at) as "at"
    from (select source_id from source s(source_id)) s
      left join card_attempts a on a.id::text = s.source_id
      left join card_attempt_parts t on t.attempt_id = a.id
      left join (select t.*, r.id as payable from till_operations t
        left join payment_references r on r.reference = regexp_replace(t.reference, '\\D', '', 'g')) o
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
      printed: null,
      sourceId,
      buyerEmail: null,
      merchant: merchant ?? '',
      product: null,
      at: at ?? new Date(0),
    })),
  ];
}
