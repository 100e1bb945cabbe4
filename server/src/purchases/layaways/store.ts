import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { gathered, writtenTogether } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { inOrder, lockRows } from '../../platform/db/rows.ts';
import { defer, pipeline } from '../../platform/db/transaction.ts';
import { movement } from '../../platform/lifecycle.ts';
import { newReferenceIds } from '../references/reference-ids.ts';
import { closeCashReferencesOfLayaways } from '../cash-references/store.ts';
import { referenceInsert } from '../references/store.ts';
import { releaseHolds } from '../holds/store.ts';
import { LAYAWAY_REFERENCE, type LayawayReferenceEvent } from './layaway-reference.ts';
import { type LayawayReference, lockExpired, type OfferedTerms, references } from './read-model.ts';

/** Locks a reference, the head of everything that is paid by it (rules/ledger#lock-order, level 0), and reads it afterwards. */
export const lockReference = gathered<number, LayawayReference | undefined>({
  async many(tx, ids, locking) {
    const lock = lockRows(tx, 'layaway_references', ids, locking);
    const [locked, found] = await pipeline(tx, lock, referencesOf(tx, { ids }));
    return inOrder(ids, found, locked);
  },
  headOf: (reference) => reference && `reference ${reference.id}`,
});

const referencesOf = builtOnce((tx, { ids }: { ids: readonly number[] }) =>
  references(tx).where(sql<boolean>`l.id = any(${ids})`),
);

export interface NewReference extends OfferedTerms {
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly sourceAddress: string;
  readonly depositCentavos: Centavos;
  readonly expiresAt: Date;
}

/** Inserts a reference with its printed number and answers its id. Throws on `layaway_references_one_open_per_product`. */
export async function insertReference(tx: Tx, terms: NewReference): Promise<number> {
  const [id] = await newReferenceIds(tx, 1);
  if (id === undefined) throw new Error('the sequence gave no number');
  await defer(tx, referenceInsert('layaway', [{ id, prefix: '1' }]));
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
      delivery_promise_days: terms.deliveryDays,
      end_days_late: terms.endDaysLate,
      expires_at: terms.expiresAt,
      closed_at: null,
    })
    .execute();
  return id;
}

/** Ends a reference, whose lock the caller holds. */
export async function closeReference(tx: Tx, id: number, event: LayawayReferenceEvent): Promise<void> {
  await close(tx, { id, event });
}

const close = writtenTogether<{ readonly id: number; readonly event: LayawayReferenceEvent }>(
  async (tx, ends) => {
    for (const [event, those] of Map.groupBy(ends, (end) => end.event))
      await defer(tx, closing(tx, { ids: those.map(({ id }) => id) }, event));
    await closeCashReferencesOfLayaways(
      tx,
      ends.map(({ id }) => id),
    );
    const unpaid = ends.filter(({ event }) => event !== 'paid');
    if (unpaid.length > 0)
      await releaseHolds(
        tx,
        unpaid.map(({ id }) => id),
      );
  },
);

const closing = builtOnce((_, { ids }: { ids: readonly number[] }, event: LayawayReferenceEvent) =>
  movement(LAYAWAY_REFERENCE, {
    event,
    where: sql`id = any(${ids}::bigint[])`,
    set: { closed_at: sql`app_now()` },
  }),
);

/** Expires open references whose time is over, at most `limit` of them, and says how many. */
export async function expireReferences(tx: Tx, limit: number): Promise<number> {
  const ids = await lockExpired(tx, limit);
  for (const id of ids) await closeReference(tx, id, 'expired');
  return ids.length;
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
    .where('state', '<>', 'cancelled')
    .where('created_at', '>', sql<Date>`app_now() - interval '24 hours'`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
