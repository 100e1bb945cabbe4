import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import { pictureOf } from '../../catalogue/read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import type { PurchaseState } from '../../platform/db/tables.ts';

/** A hand-over, with who, when and where. */
export interface HandOverRow {
  readonly requestId: string;
  readonly purchaseId: number;
  readonly at: Date;
  readonly branchId: number;
  readonly branchName: string;
  /** Who handed it over, whatever they are at the merchant now. */
  readonly staffId: string;
  readonly handedBy: string;
  /** The shared device on which it was pressed. */
  readonly deviceName: string | null;
  readonly productName: string;
  readonly buyerName: string;
  readonly collectorName: string | null;
  readonly isSigned: boolean;
  readonly paidCentavos: Centavos;
}

/** A hand-over of a purchase, or of a merchant by its device's id. */
export async function findHandOver(
  db: Db,
  by: { readonly purchaseId: number } | { readonly merchantId: number; readonly requestId: string },
): Promise<HandOverRow | undefined> {
  const which =
    'purchaseId' in by
      ? sql`h.purchase_id = ${by.purchaseId}`
      : sql`h.merchant_id = ${by.merchantId} and h.request_id = ${by.requestId}`;
  const { rows } = await sql<HandOverRow>`
    select h.request_id as "requestId", h.purchase_id as "purchaseId", h.created_at as at, h.branch_id as "branchId",
      b.name as "branchName", s.id as "staffId", s.name as "handedBy", d.name as "deviceName", p.product_name as "productName",
      u.name as "buyerName", h.collector_name as "collectorName", h.signature is not null as "isSigned",
      p.paid_centavos as "paidCentavos"
    from hand_overs h join purchases p on p.id = h.purchase_id join buyers u on u.id = h.buyer_id
    join branches b on b.id = h.branch_id
    join staff_positions w on w.id = h.position_id join staff s on s.id = w.staff_id
    left join counter_devices d on d.id = h.device_id
    where ${which}`.execute(db);
  return rows[0];
}

/** What a counter shows before it hands a purchase over. */
export interface HandOverSubject {
  readonly id: number;
  readonly state: PurchaseState;
  readonly productId: number;
  readonly productName: string;
  /** What names the product's picture; null without one. */
  readonly picture: string | null;
  readonly buyerName: string;
  readonly paidCentavos: Centavos;
  readonly wantsSignature: boolean;
}

/** A purchase of a merchant. */
export async function findHandOverSubject(
  db: Db,
  { merchantId, purchaseId }: { readonly merchantId: number; readonly purchaseId: number },
): Promise<HandOverSubject | undefined> {
  const { rows } = await sql<HandOverSubject>`
    select p.id, p.state, p.product_id as "productId", p.product_name as "productName",
      ${pictureOf('p.product_id')} as picture, u.name as "buyerName", p.paid_centavos as "paidCentavos", m.wants_signature as "wantsSignature"
    from purchases p join buyers u on u.id = p.buyer_id join merchants m on m.id = p.merchant_id
    where p.id = ${purchaseId} and p.merchant_id = ${merchantId}`.execute(db);
  return rows[0];
}
