import type { PaymentMethod } from '@aparta/domain/service-fee';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { pipeline } from '../../platform/db/transaction.ts';
import type { LayawayReferenceState } from '../../platform/db/tables.ts';
import { deferMove } from '../../platform/lifecycle.ts';
import { LAYAWAY_REFERENCE } from './layaway-reference.ts';
import { newReferenceIds } from './reference-ids.ts';

/** A layaway reference with its frozen terms and the names that the buyer reads. */
export interface LayawayReference {
  readonly id: number;
  readonly reference: string;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly state: LayawayReferenceState;
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  readonly depositBasisPoints: number;
  readonly frequencyDays: number;
  readonly planDurationDays: number;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly penaltyCentavos: Centavos;
  readonly sourceAddress: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When it was paid, expired or cancelled. */
  readonly closedAt: Date | null;
  readonly tradeName: string;
  readonly productName: string;
  readonly productDescription: string;
  readonly purchaseId: number | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

function references(db: Db | Tx) {
  return db
    .selectFrom('layaway_references as l')
    .innerJoin('payment_references as r', 'r.id', 'l.id')
    .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
    .innerJoin('products as d', 'd.id', 'l.product_id')
    .leftJoin('purchases as p', 'p.layaway_reference_id', 'l.id')
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
      'l.source_address as sourceAddress',
      'l.created_at as createdAt',
      'l.expires_at as expiresAt',
      'l.closed_at as closedAt',
      'm.trade_name as tradeName',
      'd.name as productName',
      'd.description as productDescription',
      'p.id as purchaseId',
      sql<Date>`app_now()`.as('now'),
    ]);
}

/** States in which a card attempt may still bring money to its reference. */
const IN_PLAY = ['submitting', 'pending_3ds', 'unknown', 'held'] as const;

/** What a product is offered for today, by its merchant's plan. */
export interface Offer {
  readonly merchantId: number;
  readonly productId: number;
  readonly priceCentavos: Centavos;
  readonly depositBasisPoints: number;
  readonly frequencyDays: number;
  readonly planDurationDays: number;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly penaltyCentavos: Centavos;
  readonly withdrawn: boolean;
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
      sql<boolean>`d.withdrawn_at is not null`.as('withdrawn'),
    ])
    .executeTakeFirst();
}

/** A buyer's own reference; somebody else's is undefined like one that does not exist. */
export async function findReference(
  db: Db | Tx,
  buyerId: number,
  id: number,
): Promise<LayawayReference | undefined> {
  return references(db).where('l.id', '=', id).where('l.buyer_id', '=', buyerId).executeTakeFirst();
}

/** A buyer's open reference for a product, past its expiry or not. */
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

/** Locks a reference, the head of everything that is paid by it (rules/ledger#lock-order, level 0), and reads it afterwards. */
export async function lockReference(tx: Tx, id: number): Promise<LayawayReference | undefined> {
  const lock = tx.selectFrom('layaway_references').select('id').where('id', '=', id).forNoKeyUpdate();
  const [, [reference]] = await pipeline(tx, lock.compile(), references(tx).where('l.id', '=', id).compile());
  return reference;
}

export interface NewReference {
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly sourceAddress: string;
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  readonly depositBasisPoints: number;
  readonly frequencyDays: number;
  readonly planDurationDays: number;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly penaltyCentavos: Centavos;
  readonly expiresAt: Date;
}

/** Inserts a reference with its printed number. Throws on `layaway_references_one_open_per_product`. */
export async function insertReference(tx: Tx, terms: NewReference): Promise<number> {
  const [id] = await newReferenceIds(tx, 1);
  if (id === undefined) throw new Error('the sequence gave no number');
  await tx.insertInto('payment_references').values({ id, kind: 'layaway', prefix: '1' }).execute();
  await tx
    .insertInto('layaway_references')
    .values({
      id,
      buyer_id: terms.buyerId,
      merchant_id: terms.merchantId,
      product_id: terms.productId,
      source_address: terms.sourceAddress,
      price_centavos: terms.priceCentavos,
      deposit_centavos: terms.depositCentavos,
      deposit_basis_points: terms.depositBasisPoints,
      frequency_days: terms.frequencyDays,
      plan_duration_days: terms.planDurationDays,
      service_fee_centavos: terms.feeCentavos,
      service_fee_methods: [...terms.feeMethods],
      penalty_centavos: terms.penaltyCentavos,
      expires_at: terms.expiresAt,
      closed_at: null,
    })
    .execute();
  return id;
}

/** Ends a reference's life; the caller holds its lock. */
export async function closeReference(
  tx: Tx,
  id: number,
  state: Exclude<LayawayReferenceState, 'open'>,
): Promise<void> {
  await deferMove(tx, LAYAWAY_REFERENCE, {
    event: state,
    where: sql`id = ${id}`,
    set: { closed_at: sql`app_now()` },
  });
}

/**
 * Expires open references whose time is over, at most `limit` of them, and says how many. One with an open card attempt
 * is left alone: the attempt began in time and decides (rules/ledger#races).
 */
export async function expireReferences(tx: Tx, limit: number): Promise<number> {
  const due = await tx
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
    .orderBy('l.expires_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  for (const { id } of due) await closeReference(tx, id, 'expired');
  return due.length;
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

/** How many references a buyer made in the last hour. */
export async function countRecentReferences(db: Db | Tx, buyerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('layaway_references')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('buyer_id', '=', buyerId)
    .where('created_at', '>', sql<Date>`app_now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether the buyer reserved this product in the last 24 hours and did not cancel it. */
export async function reservedRecently(db: Db | Tx, buyerId: number, productId: number): Promise<boolean> {
  const found = await db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('product_id', '=', productId)
    .where('state', '=', 'active')
    .where('created_at', '>', sql<Date>`app_now() - interval '24 hours'`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
