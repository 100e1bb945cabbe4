import { AGE_DAYS } from '@aparta/domain/ageing';
import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type PurchaseShow, SHOWN_AGE, SHOWN_DAYS } from '@aparta/domain/shop-lists';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import { dayOf, TODAY_ONCE } from '../../platform/db/mexico-city.ts';
import { type EndTerms, warningsOf } from '../../purchases/ending/read-model.ts';
import { findPayable } from '../../payments/owed/read-model.ts';
import type { BuyerSearch, Search } from './search.ts';

/** A purchase or reservation of a merchant, as a line of a list. */
export interface ShopPurchaseRow {
  readonly kind: 'purchase' | 'reservation';
  readonly id: number;
  readonly reference: string;
  readonly state: 'active' | 'late' | 'paid_off' | 'delivered' | 'cancelled' | 'waiting';
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
  /** When the payment was made that settled it; null while something is to be paid, and of a cancelled one. */
  readonly settledAt: Date | null;
  /** The branch that keeps a unit for it. */
  readonly keptIn: string | null;
  readonly handedOverAt: Date | null;
  readonly handedOverBy: string | null;
  /** Of a late one that ends by its rule. */
  readonly endTerms: Omit<EndTerms, 'now'> | null;
  readonly now: Date;
}

export interface ShopListOf {
  readonly merchantId: number;
  readonly show: PurchaseShow;
  readonly search?: Search | undefined;
  /** Only those older than this one. */
  readonly before?: number | undefined;
  /** One of few, since it stands in the statement: a plan for any number is made anew each time. */
  readonly limit: number;
}

const NONE = sql<boolean>`false`;

/** A merchant's purchases or reservations, the newest first. */
export async function listShopPurchases(db: Db, of: ShopListOf): Promise<ShopPurchaseRow[]> {
  const { rows } =
    of.show === 'waiting' || of.show === 'expiring'
      ? await reservations(of, await soughtReservation(db, of.search)).execute(db)
      : await purchases(of, await pageOf(db, of)).execute(db);
  return rows;
}

/** All that a line says is read of a page's purchases alone; `page` is a query of their ids. */
function purchases({ show }: ShopListOf, page: RawBuilder<unknown>) {
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
      (${listed})::bigint as "listedCentavos", null as "expiresAt", p.next_due_on as "nextDueOn",
      greatest(0, ${TODAY_ONCE} - p.next_due_on) as "lateDays", app_now() as now,
      case when p.state <> 'cancelled' and p.next_due_on is null then (select max(coalesce(r.paid_at, r.received_at))
        from instalments i join allocations a on a.instalment_id = i.id join receipts r on r.id = a.receipt_id
        where i.purchase_id = p.id and a.reverses_id is null
          and not exists (select from allocations u where u.reverses_id = a.id)) end as "settledAt",
      (select w.name from holds h join branches w on w.id = h.branch_id
        where h.layaway_reference_id = p.layaway_reference_id and h.state = 'held') as "keptIn",
      o.created_at as "handedOverAt", s.name as "handedOverBy",
      case when p.end_days_late is not null and p.next_due_on < ${TODAY_ONCE} then jsonb_build_object('state', p.state,
        'endDaysLate', p.end_days_late, 'nextDueOn', p.next_due_on, 'moreTimeUntil', p.more_time_until,
        'moreTimeFor', p.more_time_for, 'warnings', ${warningsOf(sql`p.id`, 'running')}) end as "endTerms",
      case when p.state <> 'active' then p.state when p.next_due_on is null then 'paid_off'
        when p.next_due_on < ${TODAY_ONCE} then 'late' else 'active' end as state,
      (select reference from payment_references where id = (select i.id from instalments i where i.purchase_id = p.id
        order by i.paid_centavos = i.amount_centavos, i.number limit 1)) as reference
    from (${page}) page join purchases p on p.id = page.id join buyers b on b.id = p.buyer_id
      left join hand_overs o on o.purchase_id = p.id left join staff_positions t on t.id = o.position_id
      left join staff s on s.id = t.staff_id
      cross join lateral (select case p.state when 'active' then p.price_centavos - p.paid_centavos else 0 end as centavos) balance
      cross join lateral (${owedOf(days ?? 0)}) owed
    order by p.id desc`;
}

/** Of a purchase: what of it is overdue, and what is due within some days. */
function owedOf(days: number) {
  return sql`select
      coalesce(sum(i.amount_centavos - i.paid_centavos) filter (where i.due_on < ${TODAY_ONCE}), 0) as overdue,
      coalesce(sum(i.amount_centavos - i.paid_centavos) filter (where i.due_on between ${TODAY_ONCE} and ${TODAY_ONCE} + ${sql.lit(days)}), 0) as due
    from instalments i where i.purchase_id = p.id and i.paid_centavos < i.amount_centavos`;
}

/** The ids of a page's purchases. */
async function pageOf(db: Db, of: ShopListOf): Promise<RawBuilder<unknown>> {
  const { search } = of;
  if (search?.by === 'name' || search?.by === 'phone') return pageOfBuyers(of, search);
  return newest(of, await soughtPurchase(db, search));
}

const FEW_BUYERS = 200;

/**
 * Of few buyers of a name in the whole country, the purchases are looked up one by one; of more, the shop's are walked until the
 * page is full, which is soon where a name is common.
 */
function pageOfBuyers(of: ShopListOf, search: BuyerSearch) {
  const areFew = sql`(select count(*) <= ${sql.lit(FEW_BUYERS)} from (select from sought limit ${sql.lit(FEW_BUYERS + 1)}) first)`;
  // An array leads through the buyers' index, `is true` keeps the planner from it.
  const lookedUp = sql`${areFew} and p.buyer_id = any (array(select id from sought where ${areFew}))`;
  const walked = sql`not ${areFew} and (p.buyer_id in (select id from sought)) is true`;
  return sql`with sought as materialized (select b.id from buyers b where ${isSought(search)})
    select id from ((${newest(of, lookedUp)}) union all (${newest(of, walked)})) either order by id desc limit ${sql.lit(of.limit)}`;
}

/**
 * The ids of the newest that a list shows. Whoever looks for days is led through them, and puts all that it finds in order: the
 * planner, who does not know how rare they are, would walk the shop's purchases.
 */
function newest({ merchantId, show, before, limit }: ShopListOf, sought: RawBuilder<unknown>) {
  const which = (shown: RawBuilder<unknown>) => sql`
    select p.id from purchases p where p.merchant_id = ${merchantId} and ${shown} and ${sought}
      and ${before === undefined ? sql`true` : sql`p.id < ${before}`}`;
  const first = (found: RawBuilder<unknown>) => sql`${found} order by id desc limit ${sql.lit(limit)}`;
  const days = SHOWN_DAYS[show];
  if (days !== undefined) {
    const until = sql`${TODAY_ONCE} + ${sql.lit(days)}`;
    // What is late may have another instalment due: asked of those alone that are as new as the others.
    return sql`
      with soon as materialized (${first(sql`select id from (${which(sql`p.next_due_on between ${TODAY_ONCE} and ${until}`)} offset 0) due`)}),
      late as materialized (${which(sql`${isLate()}
        and p.id > (select case when count(*) = ${sql.lit(limit)} then min(id) else 0 end from soon)`)})
      ${first(sql`select id from (select id from soon union all select id from late where (
        select count(*) from instalments i where i.purchase_id = late.id and i.paid_centavos < i.amount_centavos
          and i.due_on between ${TODAY_ONCE} and ${until}) > 0) due`)}`;
  }
  if (show.startsWith('late')) return first(sql`select id from (${which(isLate(show))} offset 0) late`);
  if (show === 'claimed')
    return first(
      which(
        sql`p.id = any (array(select purchase_id from claims where merchant_id = ${merchantId} and ended_at is null))`,
      ),
    );
  return first(which(SHOWN[show] ?? sql`true`));
}

/** What of a purchase a list shows, where that is not about days. */
const SHOWN: Readonly<Partial<Record<PurchaseShow, RawBuilder<unknown>>>> = {
  active: sql`p.next_due_on is not null`,
  in_time: sql`p.next_due_on >= ${TODAY_ONCE}`,
  paid_off: sql`p.state = 'active' and p.next_due_on is null`,
  delivered: sql`p.state = 'delivered' and p.next_due_on is null`,
  cancelled: sql`p.state = 'cancelled' and p.next_due_on is null`,
};

/** Both ends are said, since the planner takes a range for rare. */
function isLate(show: PurchaseShow = 'late') {
  const age = SHOWN_AGE[show];
  const { least, most } = age === undefined ? { least: 1, most: null } : AGE_DAYS[age];
  const oldest = most === null ? sql`'-infinity'` : sql`${TODAY_ONCE} - ${sql.lit(most)}`;
  return sql`p.next_due_on between ${oldest} and ${TODAY_ONCE} - ${sql.lit(least)}`;
}

function reservations({ merchantId, show, before, limit }: ShopListOf, sought: RawBuilder<unknown>) {
  return sql<ShopPurchaseRow>`
    select 'reservation' as kind, p.id, d.name as "productName", b.name as "buyerName", p.created_at as "madeAt",
      p.price_centavos as "priceCentavos", 0 as "paidCentavos", p.deposit_centavos as "balanceCentavos",
      p.deposit_centavos as "listedCentavos", p.expires_at as "expiresAt", null as "nextDueOn", 0 as "lateDays",
      app_now() as now, null as "endTerms", null as "settledAt", null as "handedOverAt", null as "handedOverBy",
      (select w.name from holds h join branches w on w.id = h.branch_id
        where h.layaway_reference_id = p.id and h.state = 'held') as "keptIn", 'waiting' as state, r.reference
    from layaway_references p join payment_references r on r.id = p.id join products d on d.id = p.product_id
      join buyers b on b.id = p.buyer_id
    where p.merchant_id = ${merchantId} and p.state = 'open' and p.expires_at > app_now()
      and ${show === 'expiring' ? sql`${dayOf(sql`p.expires_at`)} = ${TODAY_ONCE}` : sql`true`}
      and ${before === undefined ? sql`true` : sql`p.id < ${before}`} and ${sought}
    order by p.id desc limit ${sql.lit(limit)}`;
}

async function soughtPurchase(
  db: Db,
  search: Exclude<Search, BuyerSearch> | undefined,
): Promise<RawBuilder<unknown>> {
  if (search === undefined) return sql`true`;
  if (search.by === 'id') return sql`p.id = ${search.id}`;
  const found = await findPayable(db, search.code);
  return typeof found?.purchaseId !== 'number' ? NONE : sql`p.id = ${found.purchaseId}`;
}

async function soughtReservation(db: Db, search: Search | undefined): Promise<RawBuilder<unknown>> {
  if (search === undefined) return sql`true`;
  if (search.by === 'id') return NONE;
  if (search.by !== 'code')
    return sql`(p.buyer_id in (select b.id from buyers b where ${isSought(search)})) is true`;
  const found = await findPayable(db, search.code);
  return found === undefined ? NONE : sql`p.id = ${found.layawayReferenceId}`;
}

/** Through an index of the buyers; names by words that begin so. */
function isSought(search: BuyerSearch): RawBuilder<unknown> {
  if (search.by === 'phone') return sql`right(b.phone, 4) = ${search.last4}`;
  return sql`name_words(b.name) @@ (select name_query(${search.name}))`;
}
