import { type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import {
  type EndClock,
  endsAfter,
  type EndStep,
  planEndsOn,
  WARNED_DAYS_BEFORE,
} from '@aparta/domain/plan-end';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { dayOf, startOf, TODAY } from '../../platform/db/mexico-city.ts';
import { isLive } from '../cash-references/is-live.ts';
import { isClaimed } from '../claims/read-model.ts';
import { isBeingPaid } from '../plans/being-paid.read-model.ts';

/** A warning with when its email went out; null while it waits. */
export interface WrittenWarning {
  readonly step: EndStep;
  /** ISO-8601, as the database writes it inside JSON. */
  readonly writtenAt: string;
  readonly sentAt: string | null;
  readonly endsOn: DateOnly;
}

/** The key of a warning's email in the outbox. */
export const warningKey = (warningId: number) => `end_warning:${warningId}`;

/**
 * Whether a card payment of a purchase, its buyer's or a helper's, was under review or being confirmed for an hour or more, and on a
 * later day than a moment's: until then the buyer was told not to pay. A bank's check that somebody leaves is over sooner.
 */
function isKeptFromPayingSince(purchaseId: RawBuilder<unknown>, moment: RawBuilder<unknown>) {
  return sql`exists (
    select from (
      select id from card_attempts where reference_id in (select id from instalments where purchase_id = ${purchaseId})
      union select attempt_id from card_attempt_parts where purchase_id = ${purchaseId}
    ) a cross join lateral (
      select from_state as state, lag(moved_at) over (order by id) as since, moved_at as until
      from state_history where subject_kind = 'card_attempt' and subject_id = a.id::text
      union all select state, state_since, app_now() from card_attempts where id = a.id
    ) spell
    where spell.state in ('unknown', 'held') and spell.until - spell.since >= interval '1 hour'
      and ${dayOf(sql`spell.until`)} > ${dayOf(moment)})`;
}

/**
 * The warnings of a purchase, oldest first: those of the clock that runs, or all. One that warned nobody is in no clock, so that it is
 * written again: its email was dropped, or it was the last one and its buyer was kept from paying since.
 */
export function warningsOf(purchaseId: RawBuilder<unknown>, which: 'running' | 'all') {
  const running = sql`and w.closed_at is null and o.state is distinct from 'dropped'
      and not (w.step = 'last' and o.sent_at is not null and ${isKeptFromPayingSince(purchaseId, sql`o.sent_at`)})`;
  return sql<WrittenWarning[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('step', w.step, 'writtenAt', w.written_at, 'sentAt', o.sent_at, 'endsOn', w.ends_on)
      order by w.id), '[]')
    from end_warnings w left join outbox o on o.topic = 'end_warned' and o.dedupe_key = 'end_warning:' || w.id
    where w.purchase_id = ${purchaseId} ${which === 'running' ? running : sql``})`;
}

/** The warning of an email, if it still counts; undefined once its clock stopped or its end was put off. */
export async function findWarning(
  db: Db,
  { outboxId, purchaseId }: { outboxId: number; purchaseId: number },
): Promise<{ readonly step: EndStep; readonly dueOn: DateOnly } | undefined> {
  const { rows } = await sql<{ step: EndStep; dueOn: DateOnly }>`
    select w.step, w.due_on as "dueOn" from end_warnings w join outbox o on o.topic = 'end_warned' and o.dedupe_key = 'end_warning:' || w.id
    where w.purchase_id = ${purchaseId} and w.closed_at is null and o.id = ${outboxId}`.execute(db);
  return rows[0];
}

/** What a late purchase's clock is made of. */
export interface EndTerms {
  readonly state: string;
  readonly endDaysLate: number | null;
  readonly nextDueOn: DateOnly | null;
  readonly moreTimeUntil: DateOnly | null;
  readonly moreTimeFor: DateOnly | null;
  readonly warnings: readonly WrittenWarning[];
  readonly now: Date;
}

/** The clock of a purchase that ends by its rule; undefined where nothing of it is due, or it never does. */
function endClockOf(terms: EndTerms): EndClock | undefined {
  const { state, endDaysLate, nextDueOn, warnings, moreTimeUntil, moreTimeFor, now } = terms;
  if (state !== 'active' || endDaysLate === null || nextDueOn === null) return undefined;
  return {
    dueOn: nextDueOn,
    endDaysLate,
    warnings: warnings.map(({ step, sentAt }) => ({
      step,
      sentOn: sentAt === null ? undefined : mexicoCityDate(new Date(sentAt)),
    })),
    moreTimeUntil: moreTimeFor === nextDueOn ? (moreTimeUntil ?? undefined) : undefined,
    today: mexicoCityDate(now),
  };
}

/** When a purchase ends by its rule as things stand, and what its buyer was told of it. */
export interface PlanEnd {
  readonly endsOn: DateOnly;
  /** How many warnings went out. */
  readonly warned: number;
  /** The last day of the time that its shop gave, where that decides. */
  readonly moreTimeUntil: DateOnly | undefined;
}

/** How a late purchase ends by its rule; undefined for any other. */
export function planEndOf(terms: EndTerms): PlanEnd | undefined {
  const clock = endClockOf(terms);
  if (clock === undefined || clock.today <= clock.dueOn) return undefined;
  const endsOn = planEndsOn(clock);
  const warned = clock.warnings.filter(({ sentOn }) => sentOn !== undefined).length;
  const { moreTimeUntil } = clock;
  const decides = moreTimeUntil !== undefined && endsAfter(moreTimeUntil) === endsOn;
  return { endsOn, warned, moreTimeUntil: decides ? moreTimeUntil : undefined };
}

/** The same of one whose buyer was told a day. */
export function announcedEndOf(terms: EndTerms): PlanEnd | undefined {
  const end = planEndOf(terms);
  return end?.moreTimeUntil !== undefined || terms.warnings.length > 0 ? end : undefined;
}

/** A plan whose rule may ask for something. */
export interface LatePlan {
  readonly id: number;
  readonly merchantId: number;
  /** Where the next page begins. */
  readonly day: DateOnly;
}

/** Plans that end by their rule in 14 days or less, the earliest first, after another. */
export async function listLatePlans(db: Db, after: LatePlan | undefined, limit: number): Promise<LatePlan[]> {
  const { rows } = await sql<LatePlan>`
    select id, merchant_id as "merchantId", next_due_on + end_days_late as day from purchases
    where next_due_on is not null and end_days_late is not null
      and next_due_on + end_days_late <= ${TODAY} + ${WARNED_DAYS_BEFORE.first}::int
      and (next_due_on + end_days_late, id) > (${after?.day ?? '-infinity'}::date, ${after?.id ?? 0})
    order by next_due_on + end_days_late, id limit ${limit}`.execute(db);
  return rows;
}

/** The clock of a purchase, and what decides beside it. */
export interface PlanClock {
  /** Undefined too under an open claim. */
  readonly clock: EndClock | undefined;
  /** The sum that stops it: what is unpaid of its oldest day. */
  readonly toPayCentavos: Centavos;
  /** A card payment, of its buyer or a helper, is not decided: they are neither warned meanwhile, nor is it ended. */
  readonly isBeingPaid: boolean;
}

/** The clock of a purchase. Who acts on it holds the purchase's lock. */
export async function readEndClock(db: Db | Tx, purchaseId: number): Promise<PlanClock> {
  const { rows } = await sql<
    EndTerms & { isClaimed: boolean; isBeingPaid: boolean; toPayCentavos: Centavos | null }
  >`
    select p.state, p.end_days_late as "endDaysLate", p.next_due_on as "nextDueOn",
      p.more_time_until as "moreTimeUntil", p.more_time_for as "moreTimeFor", app_now() as now, ${isClaimed(sql`p.id`)} as "isClaimed",
      ${isBeingPaid(sql`p.id`, 'anybody')} as "isBeingPaid", ${warningsOf(sql`p.id`, 'running')} as warnings,
      (select sum(amount_centavos - paid_centavos)::bigint from instalments where purchase_id = p.id and due_on = p.next_due_on) as "toPayCentavos"
    from purchases p where p.id = ${purchaseId}`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error(`no purchase ${purchaseId}`);
  return {
    clock: found.isClaimed ? undefined : endClockOf(found),
    toPayCentavos: found.toPayCentavos ?? (0 as Centavos),
    isBeingPaid: found.isBeingPaid,
  };
}

/**
 * Whether a store may take money, or have taken some before this day: a cash reference lives, or its network was not asked about it
 * since the day began.
 */
export async function mayBePaidAtStore(tx: Tx, purchaseId: number): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (
      select from cash_references where purchase_id = ${purchaseId} and upper(valid) > app_now() - interval '1 day'
        and (state <> 'failed' or provider_reference is not null)
        and (coalesce(polled_at, created_at) < ${startOf(TODAY)}
          or state in ('issued', 'with_helper') and ${isLive('valid')})
    ) as may`.execute(tx);
  return rows[0]?.may ?? true;
}
