import { sql } from 'kysely';

import type { Db, Tx } from './db/db.ts';

/** All that can ring. What each means to an operator, and his next act, are the command line's and the runbook's affair. */
export const ALARM_KINDS = [
  'attempt_overdue',
  'attempt_strange',
  'second_payment',
  'unknown_payment',
  'merchant_not_swept',
  'merchant_key_refused',
  'refund_blocked',
  'refunds_paused',
  'refund_found_back',
  'refund_approved_late',
  'refund_moved_to_cash',
  'cash_notice_unknown',
  'cash_notice_elsewhere',
  'cash_notice_changed',
  'cash_notice_twice',
  'cash_without_a_home',
  'cash_reversal_impossible',
  'invoice_in_review',
  'invoice_to_cancel',
  'invoice_refused',
  'invoice_stamped_late',
  'till_foreign_chain',
  'till_over_cap',
  'till_unknown_references',
  'machine_elsewhere',
  'job_gave_up',
  'books_broken',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

export function isAlarmKind(kind: string): kind is AlarmKind {
  return ALARM_KINDS.some((known) => known === kind);
}

/**
 * Closes what rang of these kinds about these subjects: somebody dealt with it. It opens again if it happens again. Kinds are
 * named, since a refund, an invoice and a merchant may have one number, and a subject more than one trouble. Answers whether
 * anything rang.
 */
export async function resolveAlarms(
  tx: Tx | Db,
  kinds: readonly AlarmKind[],
  subjects: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('alarms')
    .set({ resolved_at: sql<Date>`app_now()` })
    .where('kind', 'in', [...kinds])
    .where('subject', 'in', [...subjects])
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts an alarm for the operator: a storm of the same is one row. */
export async function raiseAlarm(
  tx: Tx | Db,
  kind: AlarmKind,
  subject: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql`
    insert into alarms (kind, subject, detail) values (${kind}, ${subject}, ${JSON.stringify(detail)}::jsonb)
    on conflict (kind, subject) where resolved_at is null do update set times = alarms.times + 1, last_at = app_now(), detail = excluded.detail
  `.execute(tx);
}

/** {@link resolveAlarms} of one kind about one subject. */
export async function resolveAlarm(tx: Tx, kind: AlarmKind, subject: string): Promise<boolean> {
  return resolveAlarms(tx, [kind], [subject]);
}
