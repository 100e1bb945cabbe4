import { WARNED_DAYS_BEFORE } from '@aparta/domain/plan-end';

/** One query and the gauges that its columns become. Its other columns are labels: words of the code, nothing personal. */
interface Reading {
  readonly labels: readonly string[];
  readonly gauges: Readonly<Record<string, { readonly name: string; readonly help: string }>>;
  readonly query: string;
}

const AGE = (since: string) => `coalesce(extract(epoch from app_now() - min(${since})), 0)::float8 as oldest`;
const COUNT = 'count(*)::float8 as count';
const TODAY = `(app_now() at time zone 'America/Mexico_City')::date`;
const { first: FIRST, last: LAST } = WARNED_DAYS_BEFORE;

/** What is open in the whole product. Each query reads an index of open rows, so history does not slow it down. */
export const READINGS: readonly Reading[] = [
  {
    labels: ['state'],
    gauges: {
      count: { name: 'aparta_card_attempts', help: 'Card attempts that are not decided, by state' },
      oldest: {
        name: 'aparta_card_attempts_oldest_seconds',
        help: 'How long the oldest of them has been in its state',
      },
    },
    query: `
      select s.state, count(a.state_since)::float8 as count, ${AGE('a.state_since')}
      from unnest(array['submitting', 'pending_3ds', 'unknown', 'held']) s (state)
      left join (
        select state, state_since from card_attempts where state in ('submitting', 'pending_3ds', 'unknown')
        union all select state, state_since from card_attempts where state = 'held'
      ) a using (state) group by 1`,
  },
  {
    labels: ['method', 'state'],
    gauges: {
      count: { name: 'aparta_refunds', help: 'Refunds that are not done, by method and state' },
      oldest: { name: 'aparta_refunds_oldest_seconds', help: 'Age of the oldest of them' },
    },
    query: `
      select w.method, w.state, count(r.id)::float8 as count, ${AGE('r.created_at')}
      from (values ('card', 'owed'), ('card', 'sending'), ('card', 'unknown'), ('card', 'blocked'), ('cash', 'owed')) w (method, state)
      left join (
        select id, method, state, created_at from refunds where state in ('owed', 'sending', 'unknown', 'blocked')
          and (quiet_until is null or quiet_until <= app_now())
      ) r using (method, state) group by 1, 2`,
  },
  {
    labels: ['state'],
    gauges: {
      count: { name: 'aparta_emails', help: 'Emails that are not sent, by state' },
      oldest: { name: 'aparta_emails_oldest_seconds', help: 'Age of the oldest of them' },
    },
    query: `
      select s.state, count(o.created_at)::float8 as count, ${AGE('o.created_at')}
      from unnest(array['waiting', 'failed']) s (state)
      left join (
        select state, created_at from outbox where state = 'waiting'
        union all select state, created_at from outbox where state = 'failed'
      ) o using (state) group by 1`,
  },
  {
    labels: ['state'],
    gauges: {
      count: { name: 'aparta_invoices', help: 'Invoices that are not issued, by state' },
      oldest: { name: 'aparta_invoices_oldest_seconds', help: 'Age of the oldest of them' },
    },
    query: `
      select s.state, count(i.created_at)::float8 as count, ${AGE('i.created_at')}
      from unnest(array['requested', 'sending', 'stamped', 'review']) s (state)
      left join (
        select state, created_at from invoices where state in ('requested', 'sending', 'stamped', 'review')
      ) i using (state) group by 1`,
  },
  {
    labels: [],
    gauges: {
      count: { name: 'aparta_claims', help: 'Claims of buyers that are open' },
      overdue: {
        name: 'aparta_claims_overdue',
        help: 'Of these, claims that their shop did not answer, or end, in time',
      },
    },
    query: `
      select ${COUNT}, (count(*) filter (where due_at < app_now()))::float8 as overdue from claims where ended_at is null`,
  },
  {
    labels: [],
    gauges: {
      overdue: {
        name: 'aparta_plan_ends_overdue',
        help: 'Late plans that should have been warned of, or ended by their rule, before today',
      },
    },
    // What domain/plan-end.ts would have asked for. A warning that did not go out is an email that is stuck; a dropped one is none.
    query: `
      select count(*)::float8 as overdue
      from purchases p cross join lateral (
        select count(*) as written, count(o.sent_at) as sent, max((o.sent_at at time zone 'America/Mexico_City')::date
          + case w.step when 'first' then ${FIRST} else ${LAST} end) as not_before
        from end_warnings w left join outbox o on o.topic = 'end_warned' and o.dedupe_key = 'end_warning:' || w.id
        where w.purchase_id = p.id and w.closed_at is null and o.state is distinct from 'dropped') told
        cross join lateral (select greatest(p.next_due_on + p.end_days_late, told.not_before,
          case when p.more_time_for = p.next_due_on then p.more_time_until + 1 end) as ends_on) rule
      where p.next_due_on is not null and p.end_days_late is not null and told.written = told.sent
        and p.next_due_on + p.end_days_late < ${TODAY} + ${FIRST}
        and rule.ends_on - case told.written when 0 then ${FIRST} when 1 then ${LAST} else 0 end < ${TODAY}
        and not exists (select from claims where purchase_id = p.id and ended_at is null)`,
  },
  {
    labels: ['kind'],
    gauges: {
      count: { name: 'aparta_alerts_open', help: 'Alerts that nobody resolved, by kind' },
      oldest: { name: 'aparta_alerts_oldest_seconds', help: 'Age of the oldest of them' },
    },
    // Held money is counted with the card attempts.
    query: `
      select kind, ${COUNT}, ${AGE('first_at')} from alerts
      where resolved_at is null and subject not in (
        select unnest(array[id::text, coalesce(provider_payment_id, '')]) from card_attempts where state = 'held')
      group by 1`,
  },
  {
    // Jobs that are done are not kept, so the whole queue is what is open.
    labels: ['task', 'state'],
    gauges: { count: { name: 'aparta_jobs', help: 'Jobs in the queue, by task and state' } },
    query: `
      select task_identifier as task, ${COUNT},
        case when locked_at is not null then 'running' when attempts >= max_attempts then 'gave_up'
          when last_error is not null then 'failing' when run_at <= now() then 'due' else 'waiting' end as state
      from graphile_worker.jobs group by 1, 3`,
  },
  {
    labels: [],
    gauges: {
      oldest: {
        name: 'aparta_jobs_oldest_due_seconds',
        help: 'How long the job that is due longest has waited for a worker',
      },
    },
    query: `
      select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as oldest from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts`,
  },
  {
    labels: ['channel'],
    gauges: {
      at: { name: 'aparta_receipt_last_timestamp_seconds', help: 'When money last came by a channel' },
    },
    query: `
      select channel, extract(epoch from max(received_at))::float8 as at
      from (select channel, received_at from receipts order by id desc limit 2000) latest group by 1`,
  },
  {
    labels: [],
    gauges: {
      oldest: {
        name: 'aparta_cash_references_oldest_poll_seconds',
        help: 'How long ago the cash network was last asked about the living reference that waits longest',
      },
    },
    query: `
      select ${AGE('coalesce(polled_at, created_at)')} from cash_references
      where upper(valid) > app_now() - interval '1 day' and (state <> 'failed' or provider_reference is not null)`,
  },
  {
    labels: ['hours'],
    gauges: {
      missing: {
        name: 'aparta_cash_payments_missing',
        help: 'Payments at stores that these hours of the last four weeks brought on average, while none came now; else 0',
      },
    },
    query: `
      select hours, case when count(*) filter (where week = 0 and operation_id is not null) > 0 then 0
        else count(operation_id) / 4.0 end::float8 as missing
      from (values (4), (24)) longs (hours) cross join generate_series(0, 4) week left join cash_notices n
        on n.received_at > app_now() - week * interval '7 days' - hours * interval '1 hour'
        and n.received_at <= app_now() - week * interval '7 days'
      group by hours`,
  },
  {
    labels: [],
    gauges: {
      oldest: {
        name: 'aparta_cash_uncompared_oldest_seconds',
        help: "How long ago the oldest of the last 30 days ended that nobody compared with the cash network's list",
      },
    },
    query: `
      select coalesce(extract(epoch from app_now() - min((day + 1)::timestamp at time zone 'America/Mexico_City')), 0)::float8 as oldest
      from (select ${TODAY} - n as day from generate_series(1, 30) n) days
      where exists (select from cash_references where created_at < (day + 1)::timestamp at time zone 'America/Mexico_City')
        and not exists (select from audit_log where subject_kind = 'cash_day' and subject_id = day::text)`,
  },
  {
    labels: [],
    gauges: {
      at: {
        name: 'aparta_books_proved_timestamp_seconds',
        help: 'When the books were last proven; the last migration before the first proof',
      },
      broken: { name: 'aparta_books_broken_proofs', help: 'Proofs that did not hold then' },
    },
    query: `
      select coalesce(extract(epoch from p.proved_at), extract(epoch from m.at))::float8 as at,
        coalesce(p.broken, 0)::float8 as broken
      from (select max(timestamp::timestamptz) as at from kysely_migration) m
      left join (select proved_at, broken from book_proofs order by id desc limit 1) p on true`,
  },
  {
    labels: [],
    gauges: {
      at: {
        name: 'aparta_backup_timestamp_seconds',
        help: 'When the database was last backed up; the last migration before the first backup',
      },
    },
    query: `
      select extract(epoch from coalesce(
        (select max(at) from audit_log where subject_kind = 'backup'),
        (select max(timestamp::timestamptz) from kysely_migration)))::float8 as at`,
  },
  {
    // Absent where nobody archives: a database that others run, or the nightly file alone.
    labels: [],
    gauges: {
      at: {
        name: 'aparta_archive_timestamp_seconds',
        help: 'When a change of the database was last seen in its archive',
      },
    },
    query: `
      select extract(epoch from max(at))::float8 as at from audit_log
      where subject_kind = 'archive' having count(*) > 0`,
  },
];
