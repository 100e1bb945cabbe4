import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { InvoiceGroup, InvoiceShow } from '@aparta/domain/shop-lists';
import { sql } from 'kysely';

import type { PaidPart } from '../../../invoicing/invoices/instalment.read-model.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { InvoiceState } from '../../../platform/db/tables.ts';
import { isInMonth } from '../../operations/months.ts';
import { PAID_AT } from '../reports/withdrawn.read-model.ts';

/** Money of a payment in an instalment. Inside JSON, times are text as the database writes them. */
type Part = Omit<PaidPart, 'folio' | 'paidAt' | 'bookedAt'> & {
  readonly paidAt: string;
  readonly bookedAt: string;
};

/** An invoice that has been issued, with what is kept of it. */
export interface InvoiceFiles {
  readonly id: number;
  readonly fiscalFolio: string | null;
  readonly folio: string;
  readonly hasPdf: boolean;
  readonly hasXml: boolean;
}

/** The newest invoice of an instalment. */
export interface ShopInvoiceRow extends InvoiceFiles {
  readonly state: InvoiceState;
  readonly paymentForm: string;
  readonly rfc: string;
  readonly issuedAt: string | null;
  readonly closedAt: string | null;
  readonly isCredited: boolean;
  readonly detailCode: string;
  readonly detailMessage: string;
}

/** An instalment that was paid whole. */
export interface PaidInstalmentRow {
  readonly id: number;
  /** Of its last payment: the list goes on behind it. A payment's moment never changes. */
  readonly allocationId: number;
  readonly purchaseId: number;
  readonly productName: string;
  readonly buyerName: string | null;
  readonly number: number;
  readonly of: number;
  readonly paidAt: Date;
  readonly receiptFolio: string;
  readonly amountCentavos: Centavos;
  readonly group: InvoiceGroup;
  readonly invoice: ShopInvoiceRow | null;
  /** Those before it that were issued and cancelled at SAT, newest first. */
  readonly cancelled: readonly InvoiceFiles[];
  /** What paid it, oldest first. */
  readonly parts: readonly Part[];
  /** Whether its merchant and product are set up for invoices, and the merchant's cut-off. */
  readonly isOffered: boolean;
  readonly cutOffDays: number | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

export interface InvoicesOf {
  readonly merchantId: number;
  /** Its first day. */
  readonly month: DateOnly;
}

const GROUP = sql<InvoiceGroup>`case when v.state = 'issued' then 'invoiced'
  when v.state not in ('refused', 'cancelled') then 'in_process'
  when p.state = 'cancelled' then 'ended' else 'not_invoiced' end`;

/** What is kept of an invoice `v`, as JSON's pairs. */
const FILES = sql`'id', v.id, 'fiscalFolio', v.fiscal_folio, 'folio', v.folio, 'hasPdf', v.pdf is not null, 'hasXml', v.xml is not null`;

/** An allocation that stands. */
const stands = (name: 'a' | 'z') =>
  sql`${sql.ref(`${name}.reverses_id`)} is null and not exists (select from allocations u where u.reverses_id = ${sql.ref(`${name}.id`)})`;

/**
 * Instalments `i` that were paid whole, each by the allocation `a` of the last of its payments, `r`, in a month, with its newest
 * invoice `v`. As what follows `from`; an index leads to the merchant's payments of the month: of `=` a planner reckons with so few paid
 * instalments that it reads all of them first.
 */
const paidIn = ({ merchantId, month }: InvoicesOf) => sql`
  receipts r join allocations a on a.receipt_id = r.id
    join instalments i on i.id = a.instalment_id and i.paid_centavos >= i.amount_centavos
    join purchases p on p.id = i.purchase_id
    left join lateral (select * from invoices where purchase_id = i.purchase_id and instalment_id = i.id
      order by id desc limit 1) v on true
  where r.merchant_id = ${merchantId} and ${isInMonth(PAID_AT, month)} and ${stands('a')}
    and not exists (select from allocations z join receipts e on e.id = z.receipt_id
      where z.instalment_id = i.id and ${stands('z')} and (coalesce(e.paid_at, e.received_at), z.id) > (${PAID_AT}, a.id))`;

/** What a merchant's buyers finished paying in a month, the newest first. A page reads little more than itself. */
export async function listPaidInstalments(
  db: Db,
  {
    show,
    after,
    limit,
    ...of
  }: InvoicesOf & {
    readonly show: InvoiceShow;
    readonly after?: number | undefined;
    readonly limit: number;
  },
): Promise<PaidInstalmentRow[]> {
  const { rows } = await sql<PaidInstalmentRow>`
    select page.id, page."allocationId", page."paidAt", page."receiptFolio", page."amountCentavos", page.number, page.group, page.invoice,
      p.id as "purchaseId", p.product_name as "productName", b.name as "buyerName",
      (select count(*) from instalments n where n.purchase_id = p.id) as of,
      m.invoicing_business_uuid <> '' and d.invoicing_product_uuid <> '' as "isOffered",
      m.invoice_cut_off_days as "cutOffDays", app_now() as now,
      (select json_agg(json_build_object('channel', e.channel, 'cardType', t.card_type, 'isTerminal', coalesce(c.method = 'terminal', false),
          'amountCentavos', a.amount_centavos, 'paidAt', coalesce(e.paid_at, e.received_at), 'bookedAt', e.received_at,
          'cutOffDays', e.invoice_cut_off_days) order by a.id)
        from allocations a join receipts e on e.id = a.receipt_id
          left join card_attempts t on t.id = case when e.channel = 'card' then e.source_id::uuid end
          left join counter_operations c on e.channel = 'till' and c.till_operation_id::text = e.source_id
        where a.instalment_id = page.id and ${stands('a')}) as parts,
      (select coalesce(json_agg(json_build_object(${FILES}) order by v.id desc), '[]') from invoices v
        where v.purchase_id = p.id and v.instalment_id = page.id and v.state = 'cancelled' and v.issued_at is not null
          and v.id <> (page.invoice ->> 'id')::bigint) as cancelled
    from (
      select i.id, a.id as "allocationId", i.purchase_id, ${PAID_AT} as "paidAt", r.folio as "receiptFolio",
        i.amount_centavos as "amountCentavos", i.number, ${GROUP} as group,
        case when v.id is not null then json_build_object(${FILES}, 'state', v.state, 'paymentForm', v.payment_form,
          'rfc', v.receiver ->> 'rfc', 'issuedAt', v.issued_at, 'closedAt', v.closed_at, 'isCredited', v.credited_at is not null,
          'detailCode', v.detail_code, 'detailMessage', v.detail_message) end as invoice
      from ${paidIn(of)} and ${show === 'all' ? sql`true` : sql`${GROUP} = ${show}`}
        and ${after === undefined ? sql`true` : isAfter(after)}
      order by ${PAID_AT} desc, a.id desc limit ${limit}
    ) page join purchases p on p.id = page.purchase_id join merchants m on m.id = p.merchant_id
      join products d on d.id = p.product_id left join buyers b on b.id = p.buyer_id
    order by page."paidAt" desc, page."allocationId" desc`.execute(db);
  return rows;
}

/** The moment by itself leads through the index. */
function isAfter(allocationId: number) {
  const its = sql`(select coalesce(e.paid_at, e.received_at) from allocations z join receipts e on e.id = z.receipt_id
    where z.id = ${allocationId})`;
  return sql`${PAID_AT} <= ${its} and (${PAID_AT}, a.id) < (${its}, ${allocationId})`;
}

/** What was paid of one group, and of all. */
export type InvoiceSums = Readonly<
  Record<InvoiceShow, { readonly amountCentavos: Centavos; readonly count: number }>
>;

/** The same in sums. */
export async function sumPaidInstalments(db: Db, of: InvoicesOf): Promise<InvoiceSums> {
  const { rows } = await sql<{ group: InvoiceShow; amountCentavos: Centavos; count: number }>`
    select coalesce(${GROUP}, 'all') as group, coalesce(sum(i.amount_centavos), 0)::bigint as "amountCentavos", count(*) as count
    from ${paidIn(of)} group by rollup (${GROUP})`.execute(db);
  const sums = Object.fromEntries(rows.map(({ group, ...figure }) => [group, figure]));
  const none = { amountCentavos: 0 as Centavos, count: 0 };
  return { all: none, invoiced: none, in_process: none, not_invoiced: none, ended: none, ...sums };
}
