import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import { payerAtStore } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { serviceFeeIn } from '../../ledger/receipts/service-fee.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import type { PurchaseState, ReceiptChannel } from '../../platform/db/tables.ts';

/** What a payment paid of one instalment. */
export interface ReceiptPart {
  readonly number: number;
  readonly amountCentavos: Centavos;
  /** Whether an invoice of it could be asked for now, but for the cut-off. */
  readonly isInvoiceable: boolean;
  /** What stands of the instalment's payments, for the cut-off. Inside JSON, times are text as the database writes them. */
  readonly payments: readonly {
    readonly paidAt: string;
    readonly bookedAt: string;
    readonly cutOffDays: number | null;
  }[];
  /** When the newest invoice of it was refused or cancelled. */
  readonly closedAt: string | null;
}

/** A receipt with everything that is printed on it. */
export interface ReceiptRow {
  readonly folio: string;
  readonly channel: ReceiptChannel;
  readonly amountCentavos: Centavos;
  readonly feeCentavos: Centavos;
  /** When it was paid, and when that was booked. */
  readonly paidAt: Date;
  readonly bookedAt: Date;
  /** Of the buyer's own card. */
  readonly last4: string | null;
  /** Who paid it to help the buyer. */
  readonly payerName: string | null;
  /** Whoever took it at a counter, by their whole name. */
  readonly takenBy: string | null;
  readonly branch: string | null;
  readonly purchaseId: number;
  readonly purchaseState: PurchaseState;
  readonly productName: string;
  readonly merchantId: number;
  readonly tradeName: string;
  readonly businessName: string;
  readonly address: string;
  readonly phone: string;
  readonly buyerName: string;
  readonly instalments: number;
  readonly parts: readonly ReceiptPart[];
  /** The other purchases that the same payment went to. */
  readonly others: readonly {
    readonly purchaseId: number;
    readonly productName: string;
    readonly amountCentavos: Centavos;
  }[];
  /** The purchase's balance after this payment. */
  readonly balanceCentavos: Centavos;
  readonly nextDueOn: string | null;
  /** What tills take any sum of the purchase by; null once nothing is left. */
  readonly planReference: string | null;
  /** What of it is owed back, refunded or taken back by the till or store. */
  readonly refundedCentavos: Centavos;
  /** Whether the merchant invoices it here. */
  readonly isInvoicedHere: boolean;
  /** The merchant's cut-off for invoices. */
  readonly cutOffDays: number | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

/** A buyer's own receipt of a payment to a purchase; undefined for any other. */
export async function findReceipt(db: Db, buyerId: number, folio: string): Promise<ReceiptRow | undefined> {
  const { rows } = await sql<ReceiptRow>`
    select r.folio, r.channel, r.amount_centavos as "amountCentavos", coalesce(r.paid_at, r.received_at) as "paidAt", r.received_at as "bookedAt",
      ${serviceFeeIn('r')} as "feeCentavos",
      case when t.payer_name is null then t.card_last4 end as "last4", coalesce(t.payer_name, ${payerAtStore('r')}) as "payerName",
      (select s.name from staff_positions w join staff s on s.id = w.staff_id where w.id = c.position_id) as "takenBy",
      coalesce((select name from branches where id = c.branch_id), (select min(name) from branches
        where merchant_id = m.id and till_chain = o.chain and till_branch = o.branch)) as "branch",
      p.id as "purchaseId", p.state as "purchaseState", p.product_name as "productName",
      m.id as "merchantId", m.trade_name as "tradeName", m.business_name as "businessName", m.address, m.phone, b.name as "buyerName",
      (select count(*) from instalments where purchase_id = p.id) as "instalments",
      (select json_agg(json_build_object('number', i.number, 'amountCentavos', x.amount,
          'isInvoiceable', p.state <> 'cancelled' and i.paid_centavos = i.amount_centavos and m.invoicing_business_uuid <> ''
            and d.invoicing_product_uuid <> '' and not exists (select from invoices v
              where v.instalment_id = i.id and v.state not in ('refused', 'cancelled')),
          'closedAt', (select max(v.closed_at) from invoices v where v.purchase_id = p.id and v.instalment_id = i.id),
          'payments', (select coalesce(json_agg(json_build_object(
              'paidAt', coalesce(e.paid_at, e.received_at), 'bookedAt', e.received_at, 'cutOffDays', e.invoice_cut_off_days)), '[]')
            from allocations a join receipts e on e.id = a.receipt_id where a.instalment_id = i.id and a.reverses_id is null
              and not exists (select from allocations u where u.reverses_id = a.id))) order by i.number)
        from (select instalment_id, sum(amount_centavos) as amount from allocations
          where receipt_id = r.id and target = 'instalment' and reverses_id is null group by instalment_id) x
        join instalments i on i.id = x.instalment_id and i.purchase_id = p.id) as "parts",
      (select coalesce(json_agg(json_build_object('purchaseId', o.id, 'productName', o.product_name, 'amountCentavos', x.amount) order by o.id), '[]')
        from (select i.purchase_id, sum(a.amount_centavos) as amount from allocations a join instalments i on i.id = a.instalment_id
          where a.receipt_id = r.id and a.target = 'instalment' and a.reverses_id is null group by i.purchase_id) x
        join purchases o on o.id = x.purchase_id and o.id <> p.id) as "others",
      (p.price_centavos - (select sum(a.amount_centavos) from allocations a
        join instalments i on i.id = a.instalment_id join receipts e on e.id = a.receipt_id
        where i.purchase_id = p.id and (e.received_at, e.id) <= (r.received_at, r.id)))::bigint as "balanceCentavos",
      p.next_due_on as "nextDueOn",
      (select n.reference from instalments i join payment_references n on n.id = i.id
        where i.purchase_id = p.id and p.next_due_on is not null order by i.number desc limit 1) as "planReference",
      least(r.amount_centavos, r.withdrawn_centavos + coalesce((select sum(amount_centavos) from refunds
        where receipt_id = r.id and state <> 'moved_to_cash'), 0))::bigint as "refundedCentavos",
      m.invoicing_business_uuid <> '' and d.invoicing_product_uuid <> '' as "isInvoicedHere",
      m.invoice_cut_off_days as "cutOffDays", app_now() as now
    from receipts r
    join lateral (select i.purchase_id from allocations a join instalments i on i.id = a.instalment_id where a.receipt_id = r.id order by i.purchase_id limit 1) y on true
    join purchases p on p.id = y.purchase_id
    join merchants m on m.id = p.merchant_id
    join products d on d.id = p.product_id
    join buyers b on b.id = p.buyer_id
    left join till_operations o on o.id = case when r.channel = 'till' then r.source_id::uuid end
    left join counter_operations c on c.till_operation_id = o.id
    left join card_attempts t on t.id = case when r.channel = 'card' then r.source_id::uuid end
    where r.folio = ${folio} and p.buyer_id = ${buyerId}
  `.execute(db);
  return rows[0];
}

/** One instalment of a purchase's plan. */
export interface PlanLine {
  readonly number: number;
  /** 'YYYY-MM-DD'. */
  readonly dueOn: string;
  readonly amountCentavos: Centavos;
  readonly paidCentavos: Centavos;
  readonly isPaid: boolean;
}

/** A purchase's plan, first instalment first. */
export async function listPlan(db: Db, purchaseId: number): Promise<PlanLine[]> {
  return db
    .selectFrom('instalments')
    .select([
      'number',
      'due_on as dueOn',
      'amount_centavos as amountCentavos',
      'paid_centavos as paidCentavos',
    ])
    .select(sql<boolean>`paid_centavos >= amount_centavos`.as('isPaid'))
    .where('purchase_id', '=', purchaseId)
    .orderBy('number')
    .execute();
}
