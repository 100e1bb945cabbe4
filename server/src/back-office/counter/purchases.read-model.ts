import { AGE_DAYS } from '@aparta/domain/ageing';
import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type PurchaseShow, SHOWN_AGE, SHOWN_DAYS } from '@aparta/domain/shop-lists';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import { findPayable } from '../../payments/owed/read-model.ts';
import type { Search } from './search.ts';

/** A purchase or reservation of a merchant, as a line of a list. */
export interface ShopPurchaseRow {
  readonly kind: 'purchase' | 'reservation';
  readonly id: number;
  readonly reference: string;
  readonly state: 'active' | 'late' | 'paid_off' | 'cancelled' | 'waiting';
  readonly productName: string;
  readonly buyerName: string;
  readonly madeAt: Date;
  readonly priceCentavos: Centavos;
  readonly paidCentavos: Centavos;
  readonly balanceCentavos: Centavos;
  /** What the list is about: what is late of it, what is due soon, else its balance. */
  readonly listedCentavos: Centavos;
  readonly nextDueOn: DateOnly | null;
  readonly lateDays: number;
  readonly expiresAt: Date | null;
}

export interface ShopListOf {
  readonly merchantId: number;
  readonly show: PurchaseShow;
  readonly search?: Search | undefined;
  /** Only those older than this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Today in Mexico City, read once per statement. */
export const TODAY = sql`(select (app_now() at time zone 'America/Mexico_City')::date)`;
const NONE = sql<boolean>`false`;

/** A merchant's purchases or reservations, the newest first. */
export async function listShopPurchases(db: Db, of: ShopListOf): Promise<ShopPurchaseRow[]> {
  const { rows } =
    of.show === 'waiting' || of.show === 'expiring'
      ? await reservations(of, await soughtReservation(db, of.search)).execute(db)
      : await purchases(of, await soughtPurchase(db, of.search)).execute(db);
  return rows;
}

function purchases({ merchantId, show, before, limit }: ShopListOf, sought: RawBuilder<unknown>) {
  const days = SHOWN_DAYS[show];
  const listed =
    days === undefined
      ? show.startsWith('late')
        ? sql`owed.overdue`
        : sql`balance.centavos`
      : sql`owed.due`;
  return sql<ShopPurchaseRow>`
    select 'purchase' as kind, p.id, p.product_name as "productName", b.name as "buyerName", p.created_at as "madeAt",
      p.price_centavos as "priceCentavos", p.paid_centavos as "paidCentavos", balance.centavos as "balanceCentavos",
      (${listed})::bigint as "listedCentavos", null as "expiresAt",
      case when p.state = 'active' then owed.next_due_on end as "nextDueOn",
      case when p.state = 'active' then greatest(0, ${TODAY} - owed.next_due_on) else 0 end as "lateDays",
      case when p.state = 'cancelled' then 'cancelled' when p.paid_centavos = p.price_centavos then 'paid_off'
        when owed.next_due_on < ${TODAY} then 'late' else 'active' end as state,
      (select r.reference from instalments i join payment_references r on r.id = i.id where i.purchase_id = p.id
        order by i.paid_centavos = i.amount_centavos, i.number limit 1) as reference
    from purchases p join buyers b on b.id = p.buyer_id
      cross join lateral (select case p.state when 'active' then p.price_centavos - p.paid_centavos else 0 end as centavos) balance
      cross join lateral (${owedOf(sql`p.id`, days ?? 0)}) owed
    where p.merchant_id = ${merchantId} and ${before === undefined ? sql`true` : sql`p.id < ${before}`}
      and ${shownPurchase(show)} and ${sought}
    order by p.id desc limit ${limit}`;
}

/** Of a purchase: its oldest unpaid day, what of it is overdue, and what is due within some days. */
function owedOf(purchaseId: RawBuilder<unknown>, days: number) {
  return sql`select min(i.due_on) as next_due_on,
      coalesce(sum(i.amount_centavos - i.paid_centavos) filter (where i.due_on < ${TODAY}), 0) as overdue,
      coalesce(sum(i.amount_centavos - i.paid_centavos) filter (where i.due_on between ${TODAY} and ${TODAY} + ${sql.lit(days)}), 0) as due
    from instalments i where i.purchase_id = ${purchaseId} and i.paid_centavos < i.amount_centavos`;
}

const OPEN = sql`(p.state = 'active' and p.paid_centavos < p.price_centavos)`;

function shownPurchase(show: PurchaseShow): RawBuilder<unknown> {
  if (show === 'all') return sql`true`;
  if (show === 'active') return OPEN;
  if (show === 'in_time') return sql`${OPEN} and owed.next_due_on >= ${TODAY}`;
  if (show === 'cancelled') return sql`p.state = 'cancelled'`;
  if (show === 'paid_off') return sql`p.state = 'active' and p.paid_centavos = p.price_centavos`;
  if (SHOWN_DAYS[show] !== undefined) return sql`${OPEN} and owed.due > 0`;
  const age = SHOWN_AGE[show];
  if (age === undefined) return sql`${OPEN} and owed.next_due_on < ${TODAY}`;
  const { least, most } = AGE_DAYS[age];
  return sql`${OPEN} and owed.next_due_on <= ${TODAY} - ${sql.lit(least)}
    and ${most === null ? sql`true` : sql`owed.next_due_on >= ${TODAY} - ${sql.lit(most)}`}`;
}

function reservations({ merchantId, show, before, limit }: ShopListOf, sought: RawBuilder<unknown>) {
  return sql<ShopPurchaseRow>`
    select 'reservation' as kind, p.id, d.name as "productName", b.name as "buyerName", p.created_at as "madeAt",
      p.price_centavos as "priceCentavos", 0 as "paidCentavos", p.deposit_centavos as "balanceCentavos",
      p.deposit_centavos as "listedCentavos", p.expires_at as "expiresAt", null as "nextDueOn", 0 as "lateDays",
      'waiting' as state, r.reference
    from layaway_references p join payment_references r on r.id = p.id join products d on d.id = p.product_id
      join buyers b on b.id = p.buyer_id
    where p.merchant_id = ${merchantId} and p.state = 'open' and p.expires_at > app_now()
      and ${show === 'expiring' ? sql`(p.expires_at at time zone 'America/Mexico_City')::date = ${TODAY}` : sql`true`}
      and ${before === undefined ? sql`true` : sql`p.id < ${before}`} and ${sought}
    order by p.id desc limit ${limit}`;
}

async function soughtPurchase(db: Db, search: Search | undefined): Promise<RawBuilder<unknown>> {
  if (search?.by === 'id') return sql`p.id = ${search.id}`;
  if (search?.by !== 'code') return soughtBuyer(search);
  const found = await findPayable(db, search.code);
  return typeof found?.purchaseId !== 'number' ? NONE : sql`p.id = ${found.purchaseId}`;
}

async function soughtReservation(db: Db, search: Search | undefined): Promise<RawBuilder<unknown>> {
  if (search?.by === 'id') return NONE;
  if (search?.by !== 'code') return soughtBuyer(search);
  const found = await findPayable(db, search.code);
  return found === undefined ? NONE : sql`p.id = ${found.layawayReferenceId}`;
}

/** Without accents, as people type names. */
const plain = (text: RawBuilder<unknown>) => sql`translate(lower(${text}), 'áéíóúüñ', 'aeiouun')`;

function soughtBuyer(search: Exclude<Search, { by: 'code' | 'id' }> | undefined): RawBuilder<unknown> {
  if (search === undefined) return sql`true`;
  if (search.by === 'phone') return sql`right(b.phone, 4) = ${search.last4}`;
  return sql`position(${plain(sql`${search.name}::text`)} in ${plain(sql`b.name`)}) > 0`;
}
