import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { pictureOf } from '../../catalogue/read-model.ts';
import { isLive } from '../../purchases/cash-references/is-live.ts';

/** How many numbers were given out by help links. */
export async function countNumbers(
  tx: Tx,
  {
    linkId,
    purchaseId,
    sourceIpPrefix,
  }: { readonly linkId: string; readonly purchaseId: number; readonly sourceIpPrefix: string },
): Promise<{
  readonly waitingAtLink: number;
  readonly ofPurchaseToday: number;
  /** In the last hour. */
  readonly ofAddress: number;
}> {
  const { rows } = await sql<{ waitingAtLink: number; ofPurchaseToday: number; ofAddress: number }>`select
    (select count(*)::int from cash_references
      where help_link_id = ${linkId} and (state = 'with_helper' and ${isLive('valid')}
        or state = 'requesting' and created_at > app_now() - interval '1 hour')) as "waitingAtLink",
    (select count(*)::int from cash_references
      where purchase_id = ${purchaseId} and help_link_id is not null and created_at > app_now() - interval '1 day') as "ofPurchaseToday",
    (select count(*)::int from cash_references
      where source_ip_prefix = ${sourceIpPrefix} and source_ip_prefix <> '' and created_at > app_now() - interval '1 hour') as "ofAddress"`.execute(
    tx,
  );
  const counted = rows[0];
  if (counted === undefined) throw new Error('a count without a row');
  return counted;
}

/** A helper's number, what it is for, and what became of it. */
export interface StoreHelp {
  readonly intentId: string;
  /** Null until Tapi gave it. */
  readonly number: string | null;
  /** What the store is asked to take, fee inside. */
  readonly amountCentavos: Centavos;
  readonly expiresAt: Date;
  /** Whether it, its link and its purchase stand. */
  readonly stands: boolean;
  readonly balanceCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly buyerName: string;
  readonly productId: number;
  readonly productName: string;
  /** What names its picture (`presentPictures`). */
  readonly picture: string | null;
  readonly tradeName: string;
  /** What stores took for it, the first first: one who finds no receipt may pay again. */
  readonly payments: readonly {
    readonly folio: string;
    readonly amountCentavos: Centavos;
    /** ISO-8601, as the database writes it inside JSON. */
    readonly paidAt: string;
    readonly appliedCentavos: Centavos;
    readonly owedBackCentavos: Centavos;
    readonly isHandedOver: boolean;
    /** The store gave it back, also after its purchase was cancelled: nothing of it is the shop's to hand over. */
    readonly isReversed: boolean;
  }[];
}

export async function findStoreHelp(db: Db, intentId: string): Promise<StoreHelp | undefined> {
  const { rows } = await sql<StoreHelp>`
    select c.intent_id as "intentId", c.provider_reference as number, c.amount_centavos as "amountCentavos", upper(c.valid) as "expiresAt",
      c.state in ('requesting', 'with_helper') and ${isLive('c.valid')} and l.state = 'live' and p.state = 'active'
        and p.paid_centavos < p.price_centavos as stands,
      p.price_centavos - p.paid_centavos as "balanceCentavos", p.service_fee_centavos as "feeCentavos", p.service_fee_methods as "feeMethods",
      b.name as "buyerName", p.product_id as "productId", p.product_name as "productName", ${pictureOf('p.product_id')} as picture, m.trade_name as "tradeName",
      (select coalesce(json_agg(json_build_object('folio', r.folio, 'amountCentavos', r.amount_centavos, 'paidAt', coalesce(r.paid_at, r.received_at),
          'appliedCentavos', coalesce((select sum(a.amount_centavos) from allocations a
            where a.receipt_id = r.id and a.target = 'instalment'), 0),
          'owedBackCentavos', coalesce((select sum(f.amount_centavos) from refunds f where f.receipt_id = r.id), 0),
          'isHandedOver', not exists (select from refunds f where f.receipt_id = r.id and f.state <> 'done'),
          'isReversed', r.withdrawn_centavos > 0
            or exists (select from refunds f where f.receipt_id = r.id and f.provider_refund_id is not null)) order by r.id), '[]')
        from cash_notices n join receipts r on r.channel = 'cash' and r.source_id = n.operation_id
        where n.cash_reference_id = c.id and n.provider = 'tapi' and n.status = 'confirmed') as payments
    from cash_references c join help_links l on l.id = c.help_link_id join purchases p on p.id = c.purchase_id
    join buyers b on b.id = p.buyer_id join merchants m on m.id = p.merchant_id
    where c.intent_id = ${intentId}`.execute(db);
  return rows[0];
}
