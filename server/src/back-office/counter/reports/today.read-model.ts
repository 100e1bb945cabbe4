import { type Age, AGE_DAYS, AGES } from '@aparta/domain/ageing';
import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { type CounterMethod, SHOWN_DAYS } from '@aparta/domain/shop-lists';
import { type RawBuilder, sql } from 'kysely';

import type { Db } from '../../../platform/db/db.ts';
import { dayOf, startOf, TODAY_ONCE } from '../../../platform/db/mexico-city.ts';
import type { MerchantSumKind } from '../../../platform/db/tables.ts';
import { PAID_AT, withdrawnLater } from './withdrawn.read-model.ts';

export interface Figure {
  readonly amountCentavos: Centavos;
  readonly count: number;
}

/** Payments of some days, and what of earlier ones was taken back in them. */
export interface Collected extends Figure {
  readonly withdrawnCentavos: Centavos;
}

export interface CollectedFigure extends Collected {
  readonly method: CounterMethod;
}

/** Whose money is counted: a merchant's, or what the counters of some of its branches took. */
export interface Counted {
  readonly merchantId: number;
  readonly branchIds: readonly number[] | undefined;
}

/** Where a shop stands on a day. */
export interface Morning {
  readonly day: DateOnly;
  readonly today: readonly CollectedFigure[];
  readonly week: readonly CollectedFigure[];
  readonly weeks: readonly (Collected & { readonly from: DateOnly; readonly to: DateOnly })[];
  readonly due: readonly (Figure & { readonly days: number })[];
  readonly overdue: Figure;
  readonly balances: readonly (Figure & { readonly age: 'in_time' | Age })[];
  readonly expiring: Figure;
  readonly refunds: Figure;
  readonly toHandOver: Figure;
  readonly claims: Figure;
}

const WEEKS = 8;
const MONDAY = sql`date_trunc('week', ${TODAY_ONCE}::timestamp)::date`;

/** A shop's figures of today. They sum days, and never purchases: triggers keep the sums. */
export async function readMorning(db: Db, of: Counted): Promise<Morning> {
  const { merchantId } = of;
  const of15 = Math.max(...Object.values(SHOWN_DAYS));
  const { rows } = await sql<Morning>`
    with collected as materialized (
      select day, method, sum(amount)::bigint as amount, sum(withdrawn)::bigint as withdrawn, sum(items)::bigint as items
      from ${collectedIn(merchantId, sql`${MONDAY} - ${sql.lit(7 * (WEEKS - 1))}`, TODAY_ONCE)}
      where ${within(of)} group by 1, 2
    ), due as materialized (
      select greatest(day, ${TODAY_ONCE} - 1) as day, sum(amount)::bigint as amount, sum(items)::bigint as items
      from ${sumsOf(merchantId, 'due', sql`day <= ${TODAY_ONCE} + ${sql.lit(of15)}`)} group by 1
    ), open as materialized (
      select ${ageOf(sql`day`)} as age, sum(amount)::bigint as amount, sum(items)::bigint as items
      from ${sumsOf(merchantId, 'open', sql`true`)} group by 1
    )
    select ${TODAY_ONCE} as day,
      ${byMethod(sql`day = ${TODAY_ONCE}`)} as today, ${byMethod(sql`day >= ${MONDAY}`)} as week,
      (select json_agg(week order by week."from") from (
        select w::date as "from", w::date + 6 as "to", coalesce(sum(amount), 0)::bigint as "amountCentavos",
          coalesce(sum(withdrawn), 0)::bigint as "withdrawnCentavos", coalesce(sum(items), 0)::bigint as count
        from generate_series(${MONDAY} - ${sql.lit(7 * (WEEKS - 1))}, ${MONDAY}, interval '7 days') w
          left join collected on day between w::date and w::date + 6 group by w) week) as weeks,
      (select json_agg(soon order by soon.days) from (
        select days, coalesce(sum(amount), 0)::bigint as "amountCentavos", coalesce(sum(items), 0)::bigint as count
        from unnest(${Object.values(SHOWN_DAYS)}::int[]) days
          left join due on day between ${TODAY_ONCE} and ${TODAY_ONCE} + days group by days) soon) as due,
      (select ${FIGURE} from due where day < ${TODAY_ONCE}) as overdue,
      (select json_agg(by_age order by by_age.place) from (
        select age, place, coalesce(amount, 0) as "amountCentavos", coalesce(items, 0) as count
        from unnest(${['in_time', ...AGES]}::text[]) with ordinality as ages (age, place) left join open using (age)) by_age) as balances,
      (select json_build_object('amountCentavos', coalesce(sum(deposit_centavos), 0), 'count', count(*)) from layaway_references
        where merchant_id = ${merchantId} and state = 'open' and expires_at > app_now()
          and expires_at < ${startOf(TODAY_ONCE, 1)}) as expiring,
      (select ${FIGURE} from ${sumsOf(merchantId, 'refund', sql`true`)}) as refunds,
      (select ${FIGURE} from ${sumsOf(merchantId, 'kept', sql`true`)}) as "toHandOver",
      (select json_build_object('amountCentavos', coalesce(sum(paid_centavos), 0), 'count', count(*)) from purchases
        where id = any (array(select purchase_id from claims where merchant_id = ${merchantId} and ended_at is null))) as claims`.execute(
    db,
  );
  const [morning] = rows;
  if (morning === undefined) throw new Error('the database answered no morning');
  return morning;
}

const FIGURE = sql`json_build_object('amountCentavos', coalesce(sum(amount), 0), 'count', coalesce(sum(items), 0))`;

/** A merchant's sums of a kind: those that are folded, and the changes since. */
function sumsOf(merchantId: number, kind: MerchantSumKind, days: RawBuilder<unknown>) {
  const from = (table: string) => sql`
    select day, method, branch_id, amount_centavos as amount, items from ${sql.table(table)}
    where merchant_id = ${merchantId} and kind = ${kind} and ${days}`;
  return sql`(${from('merchant_sums')} union all ${from('merchant_sum_changes')}) sums`;
}

/**
 * What a merchant collected on each of some days, and what of earlier days was taken back on it. The sums that are kept have what
 * was taken back off its own day: what was on another, of which there is little, is put back there. A day that is over stays as it was.
 */
export function collectedIn(merchantId: number, from: RawBuilder<unknown>, to: RawBuilder<unknown>) {
  const days = sql`day between ${from} and ${to}`;
  return sql`(
    select day, method, branch_id, amount, 0 as withdrawn, items from ${sumsOf(merchantId, 'collected', days)}
    union all
    select day, method, branch_id, amount, withdrawn, items from (
      select collected_by_method(r.channel, o.method) as method, coalesce(o.branch_id, 0) as branch_id,
        ${dayOf(PAID_AT)} as paid_on, ${dayOf(sql`e.occurred_at`)} as withdrawn_on, r.withdrawn_centavos as centavos
      from ${withdrawnLater(merchantId)} and e.occurred_at >= ${startOf(from)}
    ) back cross join lateral (values (paid_on, centavos, 0, 1), (withdrawn_on, 0, centavos, 0)) as moved (day, amount, withdrawn, items)
    where ${days}) collected`;
}

/** Of summed days: whether anything was collected, or taken back. */
export const IS_ANY = sql`(sum(items) <> 0 or sum(withdrawn) <> 0)`;

/** Money that came to no branch is the merchant's. */
export function within({ branchIds }: Counted) {
  return branchIds === undefined ? sql`true` : sql`branch_id = any (${branchIds}::bigint[])`;
}

function byMethod(days: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(by_method order by by_method.method), '[]') from (
    select method, sum(amount)::bigint as "amountCentavos", sum(withdrawn)::bigint as "withdrawnCentavos", sum(items)::bigint as count
    from collected where ${days} group by 1 having ${IS_ANY}) by_method)`;
}

function ageOf(day: RawBuilder<unknown>) {
  const arms = AGES.map((age) => {
    const { least } = AGE_DAYS[age];
    return sql`when ${day} <= ${TODAY_ONCE} - ${sql.lit(least)} then ${sql.lit(age)}`;
  });
  // The oldest first: each holds the days of those after it.
  return sql`case ${sql.join(arms.toReversed(), sql` `)} else 'in_time' end`;
}
