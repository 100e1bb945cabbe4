import { parsePaymentReference } from '@aparta/domain/payment-reference';
import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';

import { pictureOf } from '../../catalogue/read-model.ts';
import { meantFor } from '../../ledger/receipts/meant-for.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import type { LayawayReferenceState, PurchaseState } from '../../platform/db/tables.ts';

/** What a number stands for: a reservation that waits for its deposit, or a purchase. */
export interface Payable {
  readonly merchantId: number;
  readonly layawayReferenceId: number;
  readonly purchaseId: number | null;
  /** Whether the number itself is a reservation's. */
  readonly isDeposit: boolean;
}

/** By a printed number, or by the folio of a payment that was meant for it; undefined for what is neither. */
export async function findPayable(db: Db, code: string): Promise<Payable | undefined> {
  const parsed = parsePaymentReference(code);
  if (parsed !== undefined) {
    const { rows } = await sql<Payable>`
      select l.merchant_id as "merchantId", l.id as "layawayReferenceId", p.id as "purchaseId", r.kind = 'layaway' as "isDeposit"
      from payment_references r
      left join instalments i on i.id = r.id
      left join purchases q on q.id = i.purchase_id
      join layaway_references l on l.id = coalesce(q.layaway_reference_id, r.id)
      left join purchases p on p.layaway_reference_id = l.id
      where r.id = ${Number(parsed.id)} and r.prefix = ${parsed.prefix}`.execute(db);
    return rows[0];
  }
  const folio = code.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!/^[0-9A-Z]{10}$/.test(folio)) return undefined;
  const { rows } = await sql<Payable>`
    select coalesce(p.merchant_id, l.merchant_id) as "merchantId", coalesce(p.layaway_reference_id, l.id) as "layawayReferenceId",
      p.id as "purchaseId", p.id is null as "isDeposit"
    from receipts r ${meantFor('r')}
    where r.folio = ${folio} and coalesce(p.id, l.id) is not null`.execute(db);
  return rows[0];
}

/** What is owed by a reservation or a purchase. */
export interface OwedRow {
  readonly productId: number;
  readonly productName: string;
  /** What names the product's picture; null without one. */
  readonly picture: string | null;
  readonly buyerName: string;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly now: Date;
}

export interface OwedDeposit extends OwedRow {
  readonly reference: string;
  readonly state: LayawayReferenceState;
  readonly depositCentavos: Centavos;
  readonly expiresAt: Date;
  /** No unit is left, and none is kept for it. */
  readonly isSoldOut: boolean;
}

export async function findOwedDeposit(db: Db, layawayReferenceId: number): Promise<OwedDeposit | undefined> {
  const { rows } = await sql<OwedDeposit>`
    select d.id as "productId", d.name as "productName", ${pictureOf('d.id')} as picture, b.name as "buyerName", l.service_fee_centavos as "feeCentavos",
      l.service_fee_methods as "feeMethods", r.reference, l.state, l.deposit_centavos as "depositCentavos",
      l.expires_at as "expiresAt", app_now() as now,
      d.counts_units and not exists (select from holds h where h.layaway_reference_id = l.id and h.state = 'held')
        and not exists (select from product_units u join branches w on w.id = u.branch_id
          where u.product_id = d.id and u.free_units > 0 and w.closed_at is null) as "isSoldOut"
    from layaway_references l join payment_references r on r.id = l.id join products d on d.id = l.product_id
    join buyers b on b.id = l.buyer_id
    where l.id = ${layawayReferenceId}`.execute(db);
  return rows[0];
}

export interface OwedPurchase extends OwedRow {
  readonly state: PurchaseState;
  readonly instalments: readonly {
    readonly number: number;
    readonly reference: string;
    /** 'YYYY-MM-DD'. */
    readonly dueOn: string;
    readonly amountCentavos: Centavos;
    readonly balanceCentavos: Centavos;
  }[];
}

export async function findOwedPurchase(db: Db, purchaseId: number): Promise<OwedPurchase | undefined> {
  const { rows } = await sql<OwedPurchase>`
    select p.product_id as "productId", p.product_name as "productName", ${pictureOf('p.product_id')} as picture, b.name as "buyerName", p.service_fee_centavos as "feeCentavos",
      p.service_fee_methods as "feeMethods", p.state, app_now() as now,
      (select jsonb_agg(jsonb_build_object('number', i.number, 'reference', r.reference, 'dueOn', i.due_on,
          'amountCentavos', i.amount_centavos, 'balanceCentavos', i.amount_centavos - i.paid_centavos) order by i.number)
        from instalments i join payment_references r on r.id = i.id where i.purchase_id = p.id) as instalments
    from purchases p join buyers b on b.id = p.buyer_id
    where p.id = ${purchaseId}`.execute(db);
  return rows[0];
}
