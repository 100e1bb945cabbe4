import type { Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';
import { leaveBatch } from '../../platform/db/batch.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { pipeline } from '../../platform/db/transaction.ts';
import type { HoldState, LayawayReferenceState, PurchaseState } from '../../platform/db/tables.ts';

/** What a product is offered for, and what a reference freezes of that (rules/layaways#frozen-terms). */
export interface OfferedTerms {
  readonly priceCentavos: Centavos;
  readonly depositBasisPoints: number;
  readonly frequencyDays: number;
  readonly planDurationDays: number;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly penaltyCentavos: Centavos;
  /** Within how many days of its last payment the goods are handed over. */
  readonly deliveryDays: number;
  /** How many days late it ends by itself; null: never. */
  readonly endDaysLate: number | null;
}

/** A layaway reference with its frozen terms and the names that the buyer reads. */
export interface LayawayReference extends OfferedTerms {
  readonly id: number;
  readonly reference: string;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly state: LayawayReferenceState;
  readonly depositCentavos: Centavos;
  readonly sourceAddress: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When it was paid, expired or cancelled. */
  readonly closedAt: Date | null;
  readonly tradeName: string;
  readonly productName: string;
  readonly productDescription: string;
  readonly purchaseId: number | null;
  readonly purchaseState: PurchaseState | null;
  /** Whether the shop counts the product's units now. */
  readonly countsUnits: boolean;
  /** Of the unit that is kept for it. */
  readonly holdState: HoldState | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

/** References with those names, for what locks one and reads it. */
export function references(db: Db | Tx) {
  return db
    .selectFrom('layaway_references as l')
    .innerJoin('payment_references as r', 'r.id', 'l.id')
    .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
    .innerJoin('products as d', 'd.id', 'l.product_id')
    .leftJoin('purchases as p', 'p.layaway_reference_id', 'l.id')
    .leftJoin('holds as h', 'h.layaway_reference_id', 'l.id')
    .select([
      'l.id',
      'r.reference',
      'l.buyer_id as buyerId',
      'l.merchant_id as merchantId',
      'l.product_id as productId',
      'l.state',
      'l.price_centavos as priceCentavos',
      'l.deposit_centavos as depositCentavos',
      'l.deposit_basis_points as depositBasisPoints',
      'l.frequency_days as frequencyDays',
      'l.plan_duration_days as planDurationDays',
      'l.service_fee_centavos as feeCentavos',
      'l.service_fee_methods as feeMethods',
      'l.penalty_centavos as penaltyCentavos',
      'l.delivery_promise_days as deliveryDays',
      'l.end_days_late as endDaysLate',
      'l.source_address as sourceAddress',
      'l.created_at as createdAt',
      'l.expires_at as expiresAt',
      'l.closed_at as closedAt',
      'm.trade_name as tradeName',
      'd.name as productName',
      'd.description as productDescription',
      'p.id as purchaseId',
      'p.state as purchaseState',
      'd.counts_units as countsUnits',
      'h.state as holdState',
      sql<Date>`app_now()`.as('now'),
    ]);
}

/** The states in which a card attempt may still bring money. Payments come after purchases, so they are named here. */
export const IN_PLAY = ['submitting', 'pending_3ds', 'unknown', 'held'] as const;

/** What a product is offered for today, by its merchant's plan. */
export interface Offer extends OfferedTerms {
  readonly merchantId: number;
  readonly productId: number;
  readonly withdrawn: boolean;
  readonly countsUnits: boolean;
  /** A reservation keeps a unit from its beginning. */
  readonly holdsReferences: boolean;
}

/** The offer of a merchant's product; undefined when the two do not belong together. */
export async function findOffer(
  db: Db | Tx,
  merchantId: number,
  productId: number,
): Promise<Offer | undefined> {
  return db
    .selectFrom('products as d')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .where('d.id', '=', productId)
    .where('m.id', '=', merchantId)
    .select([
      'm.id as merchantId',
      'd.id as productId',
      'd.sale_price_centavos as priceCentavos',
      'm.deposit_basis_points as depositBasisPoints',
      'm.frequency_days as frequencyDays',
      'm.plan_duration_days as planDurationDays',
      'm.service_fee_centavos as feeCentavos',
      'm.service_fee_methods as feeMethods',
      'm.penalty_centavos as penaltyCentavos',
      'm.delivery_promise_days as deliveryDays',
      'm.end_days_late as endDaysLate',
      sql<boolean>`d.withdrawn_at is not null`.as('withdrawn'),
      'd.counts_units as countsUnits',
      'm.holds_references as holdsReferences',
    ])
    .executeTakeFirst();
}

/** A buyer's open reference for a product; its time may be over. */
export async function findOpenReference(
  db: Db | Tx,
  buyerId: number,
  productId: number,
): Promise<LayawayReference | undefined> {
  return references(db)
    .where('l.buyer_id', '=', buyerId)
    .where('l.product_id', '=', productId)
    .where('l.state', '=', 'open')
    .executeTakeFirst();
}

/**
 * Locks open references whose time is over (rules/ledger#lock-order, level 0), at most `limit` that nobody else holds, and
 * answers their ids. One with an open card attempt is left out: the attempt began in time and decides (rules/ledger#races). So is one
 * with a store reference that was not polled since its end, for a day: its cash may have been paid in time.
 */
export async function lockExpired(tx: Tx, limit: number): Promise<number[]> {
  const expired = await tx
    .selectFrom('layaway_references as l')
    .select('l.id')
    .where('l.state', '=', 'open')
    .where('l.expires_at', '<', sql<Date>`app_now()`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('card_attempts as a')
            .select('a.id')
            .whereRef('a.reference_id', '=', 'l.id')
            .where('a.state', 'in', IN_PLAY),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cash_references as c')
            .select('c.id')
            .whereRef('c.layaway_reference_id', '=', 'l.id')
            .where(
              sql<boolean>`(c.state <> 'failed' or c.provider_reference is not null) and coalesce(c.polled_at, c.created_at) < l.expires_at`,
            ),
        ),
      ).or(sql<boolean>`l.expires_at < app_now() - interval '1 day'`),
    )
    .orderBy('l.expires_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  return expired.map(({ id }) => id);
}

/** Whether a card attempt at a reference may still bring money. */
export async function hasAttemptInPlay(tx: Tx, referenceId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('card_attempts')
    .select('id')
    .where('reference_id', '=', referenceId)
    .where('state', 'in', IN_PLAY)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Whether the buyer reserved the same product by another reference after making this one, or has a card under way for one. Waits
 * first for other decisions about this buyer and product, and for a payment of the open reference, so that it sees them.
 */
export async function isReservedSince(
  tx: Tx,
  { id, buyerId, productId, createdAt }: { id: number; buyerId: number; productId: number; createdAt: Date },
): Promise<boolean> {
  leaveBatch(tx);
  const [, , since] = await pipeline(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended(${`reserve ${buyerId} ${productId}`}, 0))`.compile(tx),
    tx
      .selectFrom('layaway_references')
      .select('id')
      .where('buyer_id', '=', buyerId)
      .where('product_id', '=', productId)
      .where('state', '=', 'open')
      .forNoKeyUpdate()
      .compile(),
    sql`
      select from layaway_references l
      left join purchases p on p.layaway_reference_id = l.id
      where l.buyer_id = ${buyerId} and l.product_id = ${productId} and l.id <> ${id}
        and (p.created_at > ${createdAt} or l.state = 'open' and exists (
          select from card_attempts where reference_id = l.id and state in ('submitting', 'pending_3ds', 'unknown', 'held')))
      limit 1`.compile(tx),
  );
  return since.length > 0;
}
