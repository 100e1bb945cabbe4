import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import { acceptsTills } from '../../accounts/service-accounts/read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import { TODAY } from '../../platform/db/mexico-city.ts';
import type { PurchaseState } from '../../platform/db/tables.ts';
import { isClaimed } from '../claims/read-model.ts';

/** A date of a plan as a calendar shows it. */
export interface CalendarDate {
  readonly instalmentId: number;
  readonly purchaseId: number;
  readonly state: PurchaseState;
  readonly number: number;
  readonly of: number;
  readonly dueOn: DateOnly;
  readonly owedCentavos: Centavos;
  readonly productName: string;
  readonly tradeName: string;
  readonly hasFee: boolean;
  /** What tills take any sum of the purchase by; null where its merchant has none. */
  readonly planReference: string | null;
  readonly isClaimed: boolean;
  /** How often anything about it changed: it never falls. A split changes how many all of them are. */
  readonly changes: number;
  readonly changedAt: Date;
}

/** Days for which a calendar keeps what is paid, or of a purchase that ended. */
const KEPT_DAYS = 31;
/** More than anybody pays at once; a calendar is read over and over. */
const MOST_DATES = 1_000;

/**
 * The dates of a buyer's plans but their deposits, the oldest first: what is unpaid, and for a month what is paid or was cancelled.
 * Of one purchase, or of all.
 */
export async function listCalendarDates(
  db: Db,
  { buyerId, purchaseId }: { readonly buyerId: number; readonly purchaseId?: number },
): Promise<CalendarDate[]> {
  const { rows } = await sql<CalendarDate>`
    select i.id as "instalmentId", p.id as "purchaseId", p.state, i.number, plan.of, i.due_on as "dueOn",
      i.amount_centavos - i.paid_centavos as "owedCentavos", p.product_name as "productName", m.trade_name as "tradeName",
      p.service_fee_centavos > 0 as "hasFee",
      case when ${acceptsTills(sql`p.merchant_id`)} then plan.reference end as "planReference",
      ${isClaimed(sql`p.id`)} as "isClaimed",
      moved.times + money.times + (p.cancelled_at is not null)::int as changes,
      greatest(p.created_at, moved.last_at, money.last_at, p.cancelled_at) as "changedAt"
    from purchases p join merchants m on m.id = p.merchant_id
    cross join lateral (select l.number as of, n.reference from instalments l join payment_references n on n.id = l.id
      where l.purchase_id = p.id order by l.number desc limit 1) plan
    join instalments i on i.purchase_id = p.id
    cross join lateral (select max(c.changed_at) as last_at,
        (count(*) filter (where c.number = i.number or c.kind = 'split'))::int as times
      from plan_changes c where c.purchase_id = p.id) moved
    cross join lateral (select count(*)::int as times, max(a.created_at) as last_at from allocations a
      where a.instalment_id = i.id) money
    where p.buyer_id = ${buyerId} and p.id = coalesce(${purchaseId ?? null}::bigint, p.id) and i.number > 1
      and (p.state = 'active' and i.paid_centavos < i.amount_centavos
        or i.due_on >= ${TODAY} - ${KEPT_DAYS}::int)
    order by i.due_on, i.id limit ${MOST_DATES}`.execute(db);
  return rows;
}

/** What a purchase's file needs to know of it; undefined for anybody else's. */
export async function findCalendarPurchase(
  db: Db,
  buyerId: number,
  purchaseId: number,
): Promise<{ readonly state: PurchaseState; readonly isPaidOff: boolean } | undefined> {
  const { rows } = await sql<{ state: PurchaseState; isPaidOff: boolean }>`
    select state, paid_centavos >= price_centavos as "isPaidOff" from purchases
    where id = ${purchaseId} and buyer_id = ${buyerId}`.execute(db);
  return rows[0];
}
