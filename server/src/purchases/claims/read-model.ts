import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { ClaimState, PurchaseState } from '../../platform/db/tables.ts';

/** A claim, with what both sides read of it. */
export interface ClaimRow {
  readonly id: number;
  readonly folio: string;
  readonly purchaseId: number;
  readonly state: ClaimState;
  readonly notes: string;
  readonly openedAt: Date;
  readonly dueAt: Date;
  readonly answer: string | null;
  readonly promisedOn: DateOnly | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

const CLAIM = sql`c.id, c.folio, c.purchase_id as "purchaseId", c.state, c.notes, c.opened_at as "openedAt", c.due_at as "dueAt",
  c.answer, c.promised_on as "promisedOn", c.answered_at as "answeredAt", c.ended_at as "endedAt", app_now() as now`;

/** The newest claim of a purchase. */
export async function findClaim(db: Db | Tx, purchaseId: number): Promise<ClaimRow | undefined> {
  const { rows } = await sql<ClaimRow>`
    select ${CLAIM} from claims c where c.purchase_id = ${purchaseId} order by c.id desc limit 1`.execute(db);
  return rows[0];
}

/** All claims of a purchase, the oldest first. */
export async function listClaims(db: Db, purchaseId: number): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select ${CLAIM} from claims c where c.purchase_id = ${purchaseId} order by c.id`.execute(db);
  return rows;
}

/** A purchase, as far as it matters to a claim of it. */
export interface ClaimablePurchase {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly state: PurchaseState;
  readonly paidCentavos: Centavos;
  readonly deliveryDays: number;
  /** When the payment was made that settled it; null while something is to be paid. */
  readonly settledAt: Date | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

/** Whose a purchase has to be. */
type Owner = { readonly buyerId: number } | { readonly merchantId: number };

const ownedBy = (owner: Owner): RawBuilder<boolean> =>
  'buyerId' in owner ? sql`p.buyer_id = ${owner.buyerId}` : sql`p.merchant_id = ${owner.merchantId}`;

/** A purchase of a buyer, or of a merchant; undefined for any other. */
export async function findClaimable(
  db: Db | Tx,
  owner: Owner,
  purchaseId: number,
): Promise<ClaimablePurchase | undefined> {
  const { rows } = await sql<ClaimablePurchase>`
    select p.id, p.buyer_id as "buyerId", p.merchant_id as "merchantId", p.state, p.paid_centavos as "paidCentavos",
      p.delivery_promise_days as "deliveryDays", app_now() as now,
      case when p.paid_centavos = p.price_centavos then (
        select max(coalesce(r.paid_at, r.received_at))
        from instalments i join allocations a on a.instalment_id = i.id join receipts r on r.id = a.receipt_id
        where i.purchase_id = p.id and a.reverses_id is null
          and not exists (select from allocations u where u.reverses_id = a.id)) end as "settledAt"
    from purchases p where p.id = ${purchaseId} and ${ownedBy(owner)}`.execute(db);
  return rows[0];
}

/** Locks a purchase (rules/ledger#lock-order, level 1), then reads it. Its claims change under this lock alone. */
export async function lockClaimable(
  tx: Tx,
  owner: Owner,
  purchaseId: number,
): Promise<ClaimablePurchase | undefined> {
  await sql`select from purchases p where p.id = ${purchaseId} and ${ownedBy(owner)} for no key update`.execute(
    tx,
  );
  return findClaimable(tx, owner, purchaseId);
}

/** Whether a purchase has an open claim: its clocks stand meanwhile. */
export const isClaimed = (purchaseId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from claims where claims.purchase_id = ${purchaseId} and claims.ended_at is null)`;

/** A claim of anybody by its number, and whose purchase it is of. */
export async function findClaimByFolio(
  db: Db | Tx,
  folio: string,
): Promise<(ClaimRow & { readonly merchantId: number; readonly buyerId: number }) | undefined> {
  const { rows } = await sql<ClaimRow & { merchantId: number; buyerId: number }>`
    select ${CLAIM}, c.merchant_id as "merchantId", c.buyer_id as "buyerId" from claims c where c.folio = ${folio}`.execute(
    db,
  );
  return rows[0];
}
