import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { InvoiceState } from '../../platform/db/tables.ts';
import { initialsOf } from '../initials.read-model.ts';
import { isInMonth } from './months.ts';

export interface ListedInvoice {
  readonly id: number;
  readonly merchantId: number;
  readonly merchant: string;
  readonly purchaseId: number;
  readonly number: number;
  /** The buyer's initials. */
  readonly buyer: string | null;
  readonly rfc: string;
  readonly state: InvoiceState;
  readonly paymentForm: string;
  readonly amountCentavos: Centavos;
  readonly ivaBasisPoints: number;
  /** Of the instalment's last payment; null where all of it was taken back. */
  readonly paidAt: Date | null;
  readonly askedAt: Date;
  readonly issuedAt: Date | null;
  readonly folio: string;
  readonly fiscalFolio: string | null;
  /** What the provider knows it by. */
  readonly providerUuid: string | null;
  /** Why it is where it is, in the provider's words. */
  readonly detail: string;
}

/** Invoices, the newest first, and how many there are; their month is that in which the instalment was paid whole. */
export async function listInvoices(
  db: Db,
  given: {
    merchantId?: number | undefined;
    month?: DateOnly | undefined;
    state?: InvoiceState | undefined;
    /** All when absent. */
    limit?: number | undefined;
  },
): Promise<{ invoices: ListedInvoice[]; total: number }> {
  const { merchantId, month, state, limit } = given;
  const { rows } = await sql<ListedInvoice & { total: number }>`
    select v.id, m.id as "merchantId", m.trade_name as merchant, v.purchase_id as "purchaseId", i.number,
      ${initialsOf(sql`v.buyer_id`)} as buyer, v.receiver ->> 'rfc' as rfc, v.state, v.payment_form as "paymentForm",
      v.amount_centavos as "amountCentavos", v.iva_basis_points as "ivaBasisPoints", last.paid_at as "paidAt",
      v.created_at as "askedAt", v.issued_at as "issuedAt", v.folio, v.fiscal_folio as "fiscalFolio", v.provider_uuid as "providerUuid",
      concat_ws(': ', nullif(v.detail_code, ''), nullif(v.detail_message, '')) as detail, count(*) over () as total
    from invoices v join merchants m on m.id = v.merchant_id join instalments i on i.id = v.instalment_id
      left join lateral (select max(coalesce(e.paid_at, e.received_at)) as paid_at
        from allocations a join receipts e on e.id = a.receipt_id
        where a.instalment_id = i.id and a.reverses_id is null
          and not exists (select from allocations u where u.reverses_id = a.id)) last on true
    where ${isInMonth(sql`coalesce(last.paid_at, v.created_at)`, month)}
      ${merchantId === undefined ? sql`` : sql`and m.id = ${merchantId}`}
      ${state === undefined ? sql`` : sql`and v.state = ${state}`}
    order by v.id desc limit ${limit ?? null}`.execute(db);
  return {
    invoices: rows.map(({ total: _total, ...invoice }) => invoice),
    total: rows[0]?.total ?? 0,
  };
}
