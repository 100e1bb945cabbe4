import { sql } from 'kysely';

import type { Db, Tx } from './db/db.ts';
import { defer } from './db/transaction.ts';

/** Every kind of alert. The command line and the runbook say what each means and what to do about it. */
export const ALERT_KINDS = [
  'attempt_overdue',
  'attempt_mismatch',
  'second_payment',
  'unknown_payment',
  'merchant_not_swept',
  'provider_clock_off',
  'merchant_key_refused',
  'refund_blocked',
  'refunds_paused',
  'refund_found_back',
  'refund_approved_late',
  'refund_undone',
  'refund_moved_to_cash',
  'cash_notice_refused',
  'cash_notice_missed',
  'cash_reference_unknown',
  'cash_reference_unanswered',
  'cash_notice_unknown',
  'cash_notice_elsewhere',
  'cash_notice_changed',
  'cash_notice_twice',
  'unapplied_cash',
  'cash_reversal_impossible',
  'invoice_in_review',
  'invoice_to_cancel',
  'invoice_refused',
  'invoice_stamped_late',
  'till_foreign_chain',
  'till_foreign_merchant',
  'till_over_cap',
  'till_unknown_references',
  'service_account_elsewhere',
  'webhook_undelivered',
  'job_gave_up',
  'books_broken',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export function isAlertKind(kind: string): kind is AlertKind {
  return ALERT_KINDS.some((known) => known === kind);
}

/**
 * Closes the open alerts of these kinds about these subjects; a new one opens if it happens again. Resolves with whether any
 * was open. Kinds are named because a refund and an invoice may share a number.
 */
export async function resolveAlerts(
  tx: Tx | Db,
  kinds: readonly AlertKind[],
  subjects: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('alerts')
    .set({ resolved_at: sql<Date>`app_now()` })
    .where('kind', 'in', [...kinds])
    .where('subject', 'in', [...subjects])
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Raises an alert for the operator, or counts it once more while it is open. */
export async function raiseAlert(
  tx: Tx | Db,
  kind: AlertKind,
  subject: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await defer(
    tx,
    sql`
    insert into alerts (kind, subject, detail) values (${kind}, ${subject}, ${JSON.stringify(detail)}::jsonb)
    on conflict (kind, subject) where resolved_at is null do update set times = alerts.times + 1, last_at = app_now(), detail = excluded.detail`,
  );
}

/**
 * Raises an alert about what stays as it is, however often it is seen: none once the same was told and dealt with. Answers whether
 * it is open.
 */
export async function raiseAlertOnce(
  db: Db,
  kind: AlertKind,
  subject: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into alerts (kind, subject, detail) select ${kind}, ${subject}, ${JSON.stringify(detail)}::jsonb
    where not exists (select from alerts where kind = ${kind} and subject = ${subject} and detail = ${JSON.stringify(detail)}::jsonb
      and resolved_at is not null)
    on conflict (kind, subject) where resolved_at is null do update set times = alerts.times + 1, last_at = app_now(), detail = excluded.detail
    returning id`.execute(db);
  return rows.length > 0;
}

/** {@link resolveAlerts} of one kind about one subject. */
export async function resolveAlert(tx: Tx, kind: AlertKind, subject: string): Promise<boolean> {
  return resolveAlerts(tx, [kind], [subject]);
}

export async function isAlertOpen(db: Db, kind: AlertKind, subject: string): Promise<boolean> {
  const open = await db
    .selectFrom('alerts')
    .select('id')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return open !== undefined;
}
