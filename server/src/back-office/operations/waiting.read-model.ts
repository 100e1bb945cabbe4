import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import { takenLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import { wallTimeOf } from '../../platform/db/mexico-city.ts';

/** All that may wait, for a person or, a refund, for the provider; the command line says what to do about each. */
export const WAITING_KINDS = [
  'held',
  'held_unknown',
  'refund_blocked',
  'refunds_paused',
  'refund_in_cash',
  'refund_on_terminal',
  'refund_moved_to_cash',
  'invoice_in_review',
  'invoice_to_cancel',
  'notice_unapplied',
  'claim_overdue',
  'email_failed',
  'job_gave_up',
  'job_overdue',
  'alert',
  'refund_declined',
  'refund_unanswered',
  'refund_quiet',
] as const;

/**
 * The job that should move it: due later or now, due for so long that no worker takes it, under way, left by a server that died,
 * given up, or not in the queue where one should be.
 */
export interface WaitingJob {
  /** Null where it is missing. */
  readonly task: string | null;
  readonly key: string;
  readonly standing: 'later' | 'due' | 'overdue' | 'running' | 'left' | 'gave_up' | 'missing';
  /** When it is due, or since when it runs; ISO-8601, as the database writes it inside JSON. */
  readonly at: string | null;
  readonly tries: number;
  readonly lastError: string | null;
}

/** Something that does not go on without a person, or takes its time. */
export interface Waiting {
  readonly kind: (typeof WAITING_KINDS)[number];
  /** Of an alert its kind and subject, `kind:subject`. */
  readonly id: string;
  readonly since: Date;
  readonly amountCentavos: Centavos | null;
  readonly merchant: string | null;
  readonly detail: string;
  /** Null where only a person moves it. */
  readonly job: WaitingJob | null;
}

/** As the alert JobsNotRun has it. */
const OVERDUE = sql`interval '5 minutes'`;
/** A dead server's jobs are taken over within this. */
const TAKEN_OVER = sql`interval '6 minutes'`;
/** When no worker works all are overdue: these say so. */
const MOST_OVERDUE = 20;

/** The key of the job that should move a row: that of the payment, refund, invoice or operation which it is about. */
const JOB_KEY = sql`case
  when kind = 'held' then 'resolve:' || id
  when kind in ('refund_declined', 'refund_unanswered') then 'refund:' || id
  when kind = 'job_gave_up' then substr(id, strpos(id, ' ') + 1)
  when kind = 'alert' then case
    when id ~ '^(attempt_overdue|attempt_mismatch|second_payment|refund_undone):' then 'resolve:'
    when id ~ '^refund_(found_back|approved_late):' then 'refund:'
    when id ~ '^invoice_(refused|stamped_late):' then 'invoice:'
    when id ~ '^cash_notice_(unknown|changed|twice):' then 'cash:' end || substr(id, strpos(id, ':') + 1) end`;

/** How a job stands. */
const STANDING = sql`case
  when locked_at < now() - ${TAKEN_OVER} then 'left' when locked_at is not null then 'running' when is_over then 'gave_up'
  when is_overdue or run_at < now() - ${OVERDUE} then 'overdue' when run_at <= now() then 'due' else 'later' end`;

/**
 * All that waits for a person, and jobs that no worker takes, oldest first, then the refunds that go on by themselves; at most 500.
 * Each with the job that should move it, by the queue's own tables.
 */
export async function listWaiting(db: Db): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    with waiting as materialized (select waits.*, ${JOB_KEY} as job_key from (
      select case when buyer_id is null then 'held_unknown' else 'held' end as kind, id::text as id, state_since as since,
        case captured_centavos when 0 then principal_centavos + fee_centavos else captured_centavos end as amount,
        merchant_id, coalesce(detail_code, '') as detail from card_attempts where state = 'held'
      union all select 'refund_blocked', f.id::text, f.created_at, f.amount_centavos, r.merchant_id, coalesce(f.detail_code, '')
        from refunds f join receipts r on r.id = f.receipt_id where f.state = 'blocked'
        and (f.quiet_until is null or f.quiet_until <= app_now())
      union all select 'refunds_paused', c.merchant_id::text, c.refused_at,
        (select sum(f.amount_centavos)::bigint from refunds f join receipts r on r.id = f.receipt_id
          where r.merchant_id = c.merchant_id and f.method = 'card' and f.state in ('owed', 'sending', 'unknown')), c.merchant_id,
        (select string_agg(i.id::text, ' ') from (select f.id from refunds f join receipts r on r.id = f.receipt_id
          where r.merchant_id = c.merchant_id and f.method = 'card' and f.state in ('owed', 'sending', 'unknown') order by f.id limit 3) i)
        from provider_credentials c where c.refused_at is not null and c.retired_at is null
      union all select case when f.state = 'blocked' then 'refund_quiet' when f.state = 'owed' and f.tries > 0 then 'refund_declined'
          else 'refund_unanswered' end, f.id::text, f.created_at, f.amount_centavos, r.merchant_id,
          concat_ws(' ', f.detail_code, case when f.tries > 0 then f.tries || 'x' end,
            case f.state when 'blocked' then to_char(${wallTimeOf(sql`f.quiet_until`)}, '-> YYYY-MM-DD') end)
        from refunds f join receipts r on r.id = f.receipt_id where f.method = 'card' and (f.state = 'blocked' and f.quiet_until > app_now()
          or f.state in ('owed', 'sending', 'unknown') -- not those that are done in a moment, or paused with their merchant's key
            and (f.state = 'unknown' or f.tries > 0 or f.created_at < app_now() - interval '10 minutes')
            and not exists (select from provider_credentials c where c.merchant_id = r.merchant_id and c.refused_at is not null and c.retired_at is null))
      union all select case when f.attempt_id is not null then 'refund_moved_to_cash' when ${takenLast4('r')} is not null then 'refund_on_terminal'
          else 'refund_in_cash' end,
        f.id::text, f.created_at, f.amount_centavos, r.merchant_id, f.cause
        from refunds f join receipts r on r.id = f.receipt_id where f.state = 'owed' and f.method = 'cash'
      union all select 'invoice_in_review', id::text, created_at, amount_centavos, merchant_id, detail_code || ' ' || detail_message
        from invoices where state = 'review'
      union all select 'notice_unapplied', operation_id, received_at, amount_centavos, null, status || ' ' || currency
        from cash_notices where outcome = 'unapplied' and status = 'confirmed' -- of a reversal its alert tells
      union all select 'claim_overdue', c.folio, c.opened_at, p.paid_centavos, c.merchant_id, c.purchase_id::text
        from claims c join purchases p on p.id = c.purchase_id where c.ended_at is null and c.due_at < app_now()
      union all select 'email_failed', id::text, created_at, null, null, topic from outbox where state = 'failed'
      union all select case kind when 'job_gave_up' then 'job_gave_up' when 'invoice_to_cancel' then 'invoice_to_cancel' else 'alert' end,
        case when kind in ('job_gave_up', 'invoice_to_cancel') then subject else kind || ':' || subject end,
        first_at, null, null, concat_ws(' ', detail ->> 'observed', detail ->> 'code', detail ->> 'why', detail ->> 'address',
          (select user_name from service_accounts where id::text = split_part(subject, ' ', 1)), case when times > 1 then times || 'x' end)
        from alerts where resolved_at is null and kind not in ('refund_blocked', 'refunds_paused', 'refund_moved_to_cash', 'invoice_in_review', 'unapplied_cash')
          and subject not in (select unnest(array[id::text, provider_payment_id]) from card_attempts where state = 'held' and provider_payment_id is not null)
    ) waits),
    jobs as materialized (select * from see_jobs(
      array(select job_key from waiting where job_key is not null), ${OVERDUE}, ${MOST_OVERDUE})),
    all_of_them as (
      select waiting.kind, waiting.id, since, amount, merchant_id, detail, job_key, task, case when named is not null then ${STANDING}
          when kind in ('held', 'refund_declined', 'refund_unanswered') or waiting.id like 'attempt_overdue:%' then 'missing' end as standing,
        run_at, locked_at, jobs.tries, last_error
      from waiting left join jobs on named = job_key
      union all select 'job_overdue', task || ' ' || named, run_at, coalesce(a.principal_centavos + a.fee_centavos, f.amount_centavos),
        coalesce(a.merchant_id, r.merchant_id), '', named, task, ${STANDING}, run_at, locked_at, jobs.tries, last_error
      from jobs left join card_attempts a on a.id = case when named ~ '^resolve:[0-9a-f-]{36}$' then substr(named, 9)::uuid end
        left join refunds f on f.id = case when named ~ '^refund:[0-9]+$' then substr(named, 8)::bigint end
        left join receipts r on r.id = f.receipt_id
      where is_overdue and not exists (select from waiting where job_key = named))
    select kind, w.id, since, amount as "amountCentavos", m.trade_name as "merchant", detail,
      case when standing is not null then json_build_object('task', task, 'key', job_key, 'standing', standing,
        'at', case when standing in ('running', 'left') then locked_at else run_at end, 'tries', coalesce(tries, 0),
        'lastError', last_error) end as job
    from all_of_them w left join merchants m on m.id = merchant_id
    order by kind in ('refund_declined', 'refund_unanswered', 'refund_quiet'), since limit 500`.execute(db);
  return rows;
}
