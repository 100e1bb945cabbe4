import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import { wallTimeOf } from '../../platform/db/mexico-city.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { initialsOf } from '../initials.read-model.ts';
import { isInMonth } from './months.ts';

/** What a receipt paid of an instalment that has no invoice, nor one on its way. */
export interface UninvoicedPart {
  readonly number: number;
  readonly amountCentavos: Centavos;
  readonly isPaid: boolean;
  /** Of the instalment's last payment. Inside JSON, times are text as the database writes them. */
  readonly lastPaidAt: string;
  /** When we heard of the last that we heard of. */
  readonly bookedAt: string;
  readonly cutOffDays: number | null;
  /** When its newest invoice was refused or cancelled. */
  readonly closedAt: string | null;
}

/** A receipt that nobody invoiced, whole or in part. */
export interface UninvoicedRow {
  readonly merchantId: number;
  readonly merchant: string;
  readonly merchantCutOffDays: number | null;
  /** Whether its merchant and product are set up for invoices. */
  readonly isOffered: boolean;
  /** `YYYY-MM`, of Mexico City. */
  readonly month: string;
  readonly folio: string;
  readonly channel: ReceiptChannel;
  readonly paidAt: Date;
  /** The buyer's initials. */
  readonly buyer: string | null;
  readonly purchaseId: number;
  readonly product: string;
  /** The whole receipt. */
  readonly receiptCentavos: Centavos;
  /** What of it has no invoice; the service fee never has one. */
  readonly amountCentavos: Centavos;
  readonly parts: readonly UninvoicedPart[];
  /** The database's time when it was read. */
  readonly now: Date;
}

/** Receipts of purchases that stand, with money of instalments that nobody invoiced; by merchant and moment of paying. */
export async function listUninvoicedRows(
  db: Db,
  { merchantId, month }: { merchantId?: number | undefined; month?: DateOnly | undefined },
): Promise<UninvoicedRow[]> {
  const paidAt = sql`coalesce(r.paid_at, r.received_at)`;
  const { rows } = await sql<UninvoicedRow>`
    select m.id as "merchantId", m.trade_name as merchant, m.invoice_cut_off_days as "merchantCutOffDays",
      m.invoicing_business_uuid <> '' and d.invoicing_product_uuid <> '' as "isOffered",
      to_char(${wallTimeOf(paidAt)}, 'YYYY-MM') as month, r.folio, r.channel, ${paidAt} as "paidAt",
      ${initialsOf(sql`p.buyer_id`)} as buyer, p.id as "purchaseId", p.product_name as product,
      r.amount_centavos as "receiptCentavos", sum(a.amount_centavos)::bigint as "amountCentavos",
      json_agg(json_build_object('number', i.number, 'amountCentavos', a.amount_centavos,
        'isPaid', i.paid_centavos = i.amount_centavos, 'lastPaidAt', last.paid_at, 'bookedAt', last.booked_at,
        'cutOffDays', last.invoice_cut_off_days,
        'closedAt', (select max(v.closed_at) from invoices v where v.purchase_id = p.id and v.instalment_id = i.id))
        order by i.number) as parts, app_now() as now
    from receipts r join allocations a on a.receipt_id = r.id join instalments i on i.id = a.instalment_id
      join purchases p on p.id = i.purchase_id join merchants m on m.id = p.merchant_id join products d on d.id = p.product_id
      cross join lateral (select coalesce(e.paid_at, e.received_at) as paid_at, max(e.received_at) over () as booked_at, e.invoice_cut_off_days
        from allocations z join receipts e on e.id = z.receipt_id
        where z.instalment_id = i.id and z.reverses_id is null
          and not exists (select from allocations u where u.reverses_id = z.id)
        order by 1 desc, z.id desc limit 1) last
    where p.state <> 'cancelled' and a.reverses_id is null
      and not exists (select from allocations u where u.reverses_id = a.id)
      and not exists (select from invoices v where v.instalment_id = i.id and v.state not in ('refused', 'cancelled'))
      and ${isInMonth(paidAt, month)} ${merchantId === undefined ? sql`` : sql`and m.id = ${merchantId}`}
    group by r.id, p.id, m.id, d.id
    order by m.id, ${paidAt}, r.id`.execute(db);
  return rows;
}
