import { sql } from 'kysely';

import { listUncutDrawers } from '../../payments/counter/cuts/read-model.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { startOf, TODAY_ONCE } from '../../platform/db/mexico-city.ts';
import type { DigestOf, ShopDigest } from '../../platform/email/digest-copy.ts';
import { type EndTerms, planEndOf, warningsOf } from '../../purchases/ending/read-model.ts';
import { collectedIn, IS_ANY, readMorning } from '../counter/reports/today.read-model.ts';

/** Owners whose email of this morning is not queued yet. */
export async function listOwnersToTell(
  tx: Tx,
  most: number,
): Promise<(DigestOf & { readonly email: string; readonly dedupeKey: string })[]> {
  const { rows } = await sql<DigestOf & { readonly email: string; readonly dedupeKey: string }>`
    with owners as (
      select p.id as "positionId", p.merchant_id as "merchantId", ${TODAY_ONCE} as day, s.email, p.id || ' ' || ${TODAY_ONCE} as "dedupeKey"
      from staff_positions p join staff s on s.id = p.staff_id
      where p.role = 'owner' and p.revoked_at is null and p.digest_off_at is null)
    select * from owners
    where not exists (select from outbox where topic = 'staff_digest' and dedupe_key = "dedupeKey")
    order by "positionId" limit ${most}`.execute(tx);
  return rows;
}

const YESTERDAY = sql`(${TODAY_ONCE} - 1)`;

type Yesterday = Pick<ShopDigest, 'collected' | 'newPurchases' | 'paidOff' | 'cancelled'> & {
  readonly tradeName: string;
};

/**
 * How an owner's shop stands. Undefined when the owner has left or said no since, when another day has begun, and when there is
 * nothing to say.
 */
export async function readDigest(db: Db, of: DigestOf): Promise<ShopDigest | undefined> {
  const { merchantId, day } = of;
  const [yesterday] = await readYesterday(db, of);
  if (yesterday === undefined) return undefined;
  const { expiring, refunds, overdue, claims } = await readMorning(db, { merchantId, branchIds: undefined });
  const uncut = await listUncutDrawers(db, { merchantId, branchIds: undefined });
  const ending = await listWarned(db, merchantId);
  const digest = { day, ...yesterday, expiring, refunds, overdue, claims, ending, uncut };
  const counts = [expiring, refunds, overdue, claims].map(({ count }) => count);
  const { collected, cancelled } = yesterday;
  return [...counts, collected.length, cancelled, ending.length, uncut.length].some((count) => count > 0)
    ? digest
    : undefined;
}

/** A merchant's late plans whose buyers were warned of their end, the earliest first. */
async function listWarned(db: Db, merchantId: number): Promise<ShopDigest['ending']> {
  const { rows } = await sql<EndTerms & { id: number }>`
    select p.id, p.state, p.end_days_late as "endDaysLate", p.next_due_on as "nextDueOn",
      p.more_time_until as "moreTimeUntil", p.more_time_for as "moreTimeFor", ${warningsOf(sql`p.id`, 'running')} as warnings,
      app_now() as now
    from purchases p
    where p.merchant_id = ${merchantId} and p.next_due_on < ${TODAY_ONCE} and p.end_days_late is not null
      and exists (select from end_warnings w where w.purchase_id = p.id and w.closed_at is null)`.execute(db);
  return rows
    .flatMap((row) => {
      const end = planEndOf(row);
      return end === undefined ? [] : [{ purchaseId: row.id, endsOn: end.endsOn }];
    })
    .toSorted((a, b) => a.endsOn.localeCompare(b.endsOn) || a.purchaseId - b.purchaseId);
}

async function readYesterday(db: Db, { positionId, merchantId, day }: DigestOf): Promise<Yesterday[]> {
  const { rows } = await sql<Yesterday>`
    with paid as materialized (
      -- A purchase's deposit is its first instalment.
      select p.id, bool_or(i.number = 1) as is_new, bool_and(p.paid_centavos = p.price_centavos) as is_paid_off
      from receipts r join allocations a on a.receipt_id = r.id join instalments i on i.id = a.instalment_id
        join purchases p on p.id = i.purchase_id
      where r.merchant_id = ${merchantId} and r.withdrawn_centavos < r.amount_centavos and p.state <> 'cancelled'
        and coalesce(r.paid_at, r.received_at) >= ${startOf(YESTERDAY)} and coalesce(r.paid_at, r.received_at) < ${startOf(TODAY_ONCE)}
      group by p.id
    )
    select m.trade_name as "tradeName", (select count(*) from paid where is_new)::int as "newPurchases",
      (select count(*) from paid where is_paid_off)::int as "paidOff",
      (select count(*) from purchases where merchant_id = ${merchantId}
        and cancelled_at >= ${startOf(YESTERDAY)} and cancelled_at < ${startOf(TODAY_ONCE)})::int as cancelled,
      (select coalesce(json_agg(by_method order by by_method.method), '[]') from (
        select method, sum(amount)::bigint as "amountCentavos", sum(withdrawn)::bigint as "withdrawnCentavos", sum(items)::bigint as count
        from ${collectedIn(merchantId, YESTERDAY, YESTERDAY)} group by 1 having ${IS_ANY}) by_method) as collected
    from staff_positions p join merchants m on m.id = p.merchant_id
    where p.id = ${positionId} and p.merchant_id = ${merchantId} and p.role = 'owner' and p.revoked_at is null
      and p.digest_off_at is null and ${TODAY_ONCE} = ${day}::date`.execute(db);
  return rows;
}
