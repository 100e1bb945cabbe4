import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { type RawBuilder, sql } from 'kysely';

import { pictureOf } from '../../catalogue/read-model.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { HelpLinkState } from '../../platform/db/tables.ts';

/** What somebody gave by a link. */
export interface Help {
  readonly name: string;
  /** Without fee. */
  readonly amountCentavos: Centavos;
  /** ISO-8601, as the database writes it inside JSON. */
  readonly paidAt: string;
}

/** A link as its buyer sees it. */
export interface HelpLinkRow {
  readonly id: string;
  readonly message: string;
  readonly goalCentavos: Centavos | null;
  readonly state: HelpLinkState;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Whether anybody can pay by it now. */
  readonly isLive: boolean;
  /** Newest first. */
  readonly helps: readonly Help[];
}

const IS_LIVE = sql<boolean>`l.state = 'live' and l.expires_at > app_now() and p.state <> 'cancelled'`;

/** Money that came by a link and was applied, one row each. */
const helpsBy = (linkId: RawBuilder<unknown>) => sql`
  select a.payer_name as name, a.principal_centavos as "amountCentavos", coalesce(r.paid_at, r.received_at) as "paidAt"
  from card_attempts a join receipts r on r.channel = 'card' and r.source_id = a.id::text
  where a.help_link_id = ${linkId} and a.state = 'applied'
  union all
  select c.payer_name, sum(x.amount_centavos)::bigint, coalesce(r.paid_at, r.received_at)
  from cash_references c join cash_notices n on n.cash_reference_id = c.id and n.provider = 'tapi'
    join receipts r on r.channel = 'cash' and r.source_id = n.operation_id
    join allocations x on x.receipt_id = r.id and x.target = 'instalment'
  where c.help_link_id = ${linkId} group by c.id, r.id having sum(x.amount_centavos) > 0`;

/** The links of a purchase, the newest first. */
export async function listHelpLinks(db: Db | Tx, purchaseId: number): Promise<HelpLinkRow[]> {
  const { rows } = await sql<HelpLinkRow>`
    select l.id, l.message, l.goal_centavos as "goalCentavos", l.state, l.created_at as "createdAt", l.expires_at as "expiresAt",
      ${IS_LIVE} as "isLive",
      coalesce((select jsonb_agg(h order by h."paidAt" desc) from (${helpsBy(sql`l.id`)}) h), '[]') as helps
    from help_links l join purchases p on p.id = l.purchase_id
    where l.purchase_id = ${purchaseId} order by l.created_at desc, l.id`.execute(db);
  return rows;
}

/** A purchase, as far as it matters to who asks for help with it. */
export interface HelpablePurchase {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly state: 'active' | 'delivered' | 'cancelled';
  readonly balanceCentavos: Centavos;
  readonly liveLinks: number;
}

/** A buyer's own purchase; undefined for any other. */
export async function findHelpable(
  db: Db | Tx,
  buyerId: number,
  purchaseId: number,
): Promise<HelpablePurchase | undefined> {
  const { rows } = await sql<HelpablePurchase>`
    select p.id, p.buyer_id as "buyerId", p.merchant_id as "merchantId", p.state,
      p.price_centavos - p.paid_centavos as "balanceCentavos",
      (select count(*)::int from help_links l where l.purchase_id = p.id and ${IS_LIVE}) as "liveLinks"
    from purchases p where p.id = ${purchaseId} and p.buyer_id = ${buyerId}`.execute(db);
  return rows[0];
}

/** Locks a buyer's purchase (rules/ledger#lock-order, level 1), then reads it. Its links change under this lock alone. */
export async function lockHelpable(
  tx: Tx,
  buyerId: number,
  purchaseId: number,
): Promise<HelpablePurchase | undefined> {
  await sql`select from purchases where id = ${purchaseId} and buyer_id = ${buyerId} for no key update`.execute(
    tx,
  );
  return findHelpable(tx, buyerId, purchaseId);
}

/** What a helper reads of a purchase: nothing that tells who else pays, when, or where its buyer is found. */
export interface HelpedPurchase {
  readonly purchaseId: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly buyerName: string;
  readonly productName: string;
  /** What names the product's picture; null without one. */
  readonly picture: string | null;
  readonly tradeName: string;
  readonly message: string;
  readonly goalCentavos: Centavos | null;
  readonly helpedCentavos: Centavos;
  readonly balanceCentavos: Centavos;
  readonly penaltyCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  /** By which number its payments are known: that of its last instalment; as stored, and as printed. */
  readonly referenceId: number;
  readonly printedReference: string;
}

/** What a live link leads to; undefined for one that ended, in whatever manner. */
export async function findHelped(db: Db | Tx, linkId: string): Promise<HelpedPurchase | undefined> {
  const { rows } = await sql<HelpedPurchase>`
    select p.id as "purchaseId", p.buyer_id as "buyerId", p.merchant_id as "merchantId", p.product_id as "productId", b.name as "buyerName",
      p.product_name as "productName", ${pictureOf('p.product_id')} as picture, m.trade_name as "tradeName",
      l.message, l.goal_centavos as "goalCentavos",
      (select coalesce(sum(h."amountCentavos"), 0)::bigint from (${helpsBy(sql`l.id`)}) h) as "helpedCentavos",
      p.price_centavos - p.paid_centavos as "balanceCentavos", p.penalty_centavos as "penaltyCentavos",
      p.service_fee_centavos as "feeCentavos", p.service_fee_methods as "feeMethods",
      n.id as "referenceId", n.reference as "printedReference"
    from help_links l join purchases p on p.id = l.purchase_id join buyers b on b.id = p.buyer_id
    join merchants m on m.id = p.merchant_id
    join payment_references n on n.id = (select i.id from instalments i where i.purchase_id = p.id order by i.number desc limit 1)
    where l.id = ${linkId} and ${IS_LIVE} and b.erased_at is null`.execute(db);
  return rows[0];
}
