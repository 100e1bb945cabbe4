import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';
import { writtenTogether } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';
import { deferMove, movement, moveState } from '../../platform/lifecycle.ts';
import { CASH_REFERENCE } from './cash-reference.ts';
import { isLive } from './is-live.ts';

/** A number that stores take cash for. */
export interface CashReference {
  /** Our request's id at the provider. */
  readonly id: string;
  /** The instalment, or the layaway reference, that it pays. */
  readonly payableId: number;
  /** Null for a deposit. */
  readonly purchaseId: number | null;
  /** Of a deposit. */
  readonly layawayReferenceId: number | null;
  readonly merchantId: number;
  readonly amountCentavos: Centavos;
  /** The buyer chose the sum; else it is what was left of the instalment. */
  readonly isChosen: boolean;
  readonly providerReference: string | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly helper: Helper | null;
}

/** Who asked for a number by a help link, and what their browser calls it. */
export interface Helper {
  readonly linkId: string;
  readonly name: string;
  /** Null once it is forgotten. */
  readonly email: string | null;
  readonly intentId: string;
}

/** Whether a number is of somebody who helps. */
export function isHelpers(
  reference: CashReference | undefined,
): reference is CashReference & { helper: Helper } {
  return reference !== undefined && reference.helper !== null;
}

function references(db: Db | Tx) {
  return db.selectFrom('cash_references').select([
    'id',
    'instalment_id as payableId',
    'purchase_id as purchaseId',
    'layaway_reference_id as layawayReferenceId',
    'merchant_id as merchantId',
    'amount_centavos as amountCentavos',
    'is_chosen as isChosen',
    'provider_reference as providerReference',
    sql<Date>`upper(valid)`.as('expiresAt'),
    'created_at as createdAt',
    sql<Helper | null>`case when help_link_id is not null then jsonb_build_object(
        'linkId', help_link_id, 'name', payer_name, 'email', payer_email, 'intentId', intent_id) end`.as(
      'helper',
    ),
  ]);
}

/** The cash reference of an instalment, or of a layaway's deposit, that a store would take now. */
export async function findValid(db: Db | Tx, payableId: number): Promise<CashReference | undefined> {
  return references(db)
    .where('instalment_id', '=', payableId)
    .where('state', '=', 'issued')
    .where(isLive('valid'))
    .executeTakeFirst();
}

/** A request of the last hour whose outcome is unknown, and whose time is not over. Asked for again by its id, it is the same reference. */
export async function findRequested(
  tx: Tx,
  wanted: { payableId: number; amountCentavos: Centavos; isChosen: boolean },
): Promise<CashReference | undefined> {
  return references(tx)
    .where('instalment_id', '=', wanted.payableId)
    .where('amount_centavos', '=', wanted.amountCentavos)
    .where('is_chosen', '=', wanted.isChosen)
    .where('state', '=', 'requesting')
    .where('help_link_id', 'is', null)
    .where(isLive('valid'))
    .where('created_at', '>', sql<Date>`app_now() - interval '1 hour'`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A helper's number, in any state, by the id that their browser gave it. */
export async function findHelpersNumber(tx: Tx, intentId: string): Promise<CashReference | undefined> {
  return references(tx).where('intent_id', '=', intentId).executeTakeFirst();
}

/** How many cash references a buyer asked for in the last hour; not who helps them. */
export async function countRecent(tx: Tx, buyerId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('cash_references as c')
    .leftJoin('purchases as p', 'p.id', 'c.purchase_id')
    .leftJoin('layaway_references as l', 'l.id', 'c.layaway_reference_id')
    .where(({ eb, or }) => or([eb('p.buyer_id', '=', buyerId), eb('l.buyer_id', '=', buyerId)]))
    .where('c.help_link_id', 'is', null)
    .where('c.created_at', '>', sql<Date>`app_now() - interval '1 hour'`)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a reference that the provider is about to be asked for. */
export async function insertRequest(
  tx: Tx,
  request: {
    payableId: number;
    purchaseId: number | null;
    layawayReferenceId: number | null;
    merchantId: number;
    amountCentavos: Centavos;
    isChosen: boolean;
    expiresAt: Date;
    /** Of who helps, and from where they asked. */
    helper?: Helper & { readonly sourceIpPrefix: string };
  },
): Promise<CashReference> {
  const { id } = await tx
    .insertInto('cash_references')
    .values({
      instalment_id: request.payableId,
      purchase_id: request.purchaseId,
      layaway_reference_id: request.layawayReferenceId,
      merchant_id: request.merchantId,
      amount_centavos: request.amountCentavos,
      is_chosen: request.isChosen,
      state: CASH_REFERENCE.initial,
      provider_reference: null,
      valid: sql<string>`tstzrange(app_now(), ${request.expiresAt})`,
      closed_at: null,
      polled_at: null,
      asked_at: null,
      help_link_id: request.helper?.linkId ?? null,
      payer_name: request.helper?.name ?? null,
      payer_email: request.helper?.email ?? null,
      intent_id: request.helper?.intentId ?? null,
      source_ip_prefix: request.helper?.sourceIpPrefix ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return references(tx).where('id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Gives a request its number. One that was closed while the provider was asked stays closed, and gets it too: a store may take
 * cash for it. Throws on `cash_references_one_valid`.
 */
export async function markIssued(
  tx: Tx,
  id: string,
  providerReference: string,
  event: 'issued' | 'issued_to_helper' = 'issued',
): Promise<void> {
  await moveState(tx, CASH_REFERENCE, {
    event,
    where: sql`id = ${id} and provider_reference is null`,
    set: { provider_reference: providerReference },
  });
}

/** Ends a request that the provider refused. */
export async function markRefused(tx: Tx, id: string): Promise<void> {
  await deferMove(tx, CASH_REFERENCE, { event: 'refused', where: sql`id = ${id}`, set: CLOSED_NOW });
}

/** Closes a request whose balance changed while the provider was asked. */
export async function closeRequest(tx: Tx, id: string): Promise<void> {
  await close(tx, sql`id = ${id} and state = 'requesting'`);
}

/** Closes an instalment's or a deposit's reference that stores still take: another one takes its place. */
export async function closeIssued(tx: Tx, payableId: number): Promise<void> {
  await close(tx, sql`instalment_id = ${payableId} and state = 'issued'`);
}

/** Closes a reference that a store took cash for, of whatever part: for more there is another one. */
export async function closeTaken(tx: Tx, id: string): Promise<void> {
  await close(tx, sql`id = ${id}`);
}

/** Closes the references of a purchase's paid instalments. */
export const closePaidCashReferences = writtenTogether<number>((tx, purchaseIds) =>
  defer(tx, closingPaid(tx, { purchaseIds })),
);

const closingPaid = builtOnce((_, { purchaseIds }: { purchaseIds: readonly number[] }) =>
  closing(sql`purchase_id = any(${purchaseIds}::bigint[]) and instalment_id in (
    select i.id from instalments i where i.purchase_id = any(${purchaseIds}::bigint[]) and i.paid_centavos = i.amount_centavos)`),
);

/** Closes all references of a purchase that ended. */
export async function closeCashReferencesOf(tx: Tx, purchaseId: number): Promise<void> {
  await close(tx, sql`purchase_id = ${purchaseId}`);
}

/** Closes all references of layaways that were paid, or ended. */
export const closeCashReferencesOfLayaways = (tx: Tx, ids: readonly number[]) =>
  defer(tx, closingOfLayaways(tx, { ids }));

const closingOfLayaways = builtOnce((_, { ids }: { ids: readonly number[] }) =>
  closing(sql`layaway_reference_id = any(${ids}::bigint[])`),
);

const CLOSED_NOW = { closed_at: sql`app_now()` };
const close = (tx: Tx, where: RawBuilder<unknown>) => defer(tx, closing(where));

const closing = (where: RawBuilder<unknown>) =>
  movement(CASH_REFERENCE, { event: 'closed', where, set: CLOSED_NOW });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The reference that a cash notice names, in any state; undefined too where its number and our id name two. */
export async function findNamed(
  db: Db | Tx,
  named: { externalRequestId: string | undefined; reference: string | undefined },
): Promise<CashReference | undefined> {
  const { externalRequestId = '', reference = '' } = named;
  const [found, another] = await references(db)
    .where((eb) =>
      eb.or([
        eb('provider_reference', '=', reference),
        ...(UUID.test(externalRequestId) ? [eb('id', '=', externalRequestId)] : []),
      ]),
    )
    .limit(2)
    .execute();
  return another === undefined ? found : undefined;
}

/** A cash reference in any state; undefined when there is none of that id. */
export async function findCashReference(db: Db | Tx, id: string): Promise<CashReference | undefined> {
  return references(db).where('id', '=', id).executeTakeFirst();
}

/** A store may take cash a while after a reference's last moment, and its reversal comes later still. */
const LIVES_ON = sql<Date>`app_now() - interval '1 day'`;

/**
 * Until when a reference must have been polled to be left alone: two hours ago, or the moment that is asked for. Never after
 * now, by the database's clock, or a round would poll its own again.
 */
export async function pollLimit(db: Db, before: Date | undefined): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select least(${before ?? null}::timestamptz, app_now() - ${before === undefined ? EVERY : '0'}::interval) as at`.execute(
    db,
  );
  return rows[0]?.at ?? new Date(0);
}
const EVERY = '2 hours';

/**
 * References that stores may have taken cash for, and of which the provider last said something before a moment. First those
 * that it was asked about longest ago, so that one of which it says nothing keeps nobody else waiting.
 */
export async function listUnpolled(
  db: Db,
  { before, except, limit }: { before: Date; except: readonly string[]; limit: number },
): Promise<CashReference[]> {
  return references(db)
    .where(sql<Date>`upper(valid)`, '>', LIVES_ON)
    .where((eb) => eb.or([eb('state', '<>', 'failed'), eb('provider_reference', 'is not', null)]))
    .where(sql<Date>`coalesce(polled_at, created_at)`, '<', before)
    .where(sql<boolean>`id <> all (${[...except]}::uuid[])`)
    .orderBy(sql`greatest(asked_at, polled_at, created_at)`)
    .limit(limit)
    .execute();
}

/** Notes that the provider is about to be asked about a reference. */
export async function markAsked(tx: Tx, id: string): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('cash_references')
      .set({ asked_at: sql<Date>`app_now()` })
      .where('id', '=', id),
  );
}

/** Notes that the provider has just said what became of a reference. */
export async function markPolled(tx: Tx, id: string): Promise<void> {
  await defer(
    tx,
    tx
      .updateTable('cash_references')
      .set({ polled_at: sql<Date>`app_now()` })
      .where('id', '=', id),
  );
}
