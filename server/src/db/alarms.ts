import { sql } from 'kysely';

import type { Db, Tx } from './db.ts';

/**
 * Closes what rang of these kinds about these subjects: somebody dealt with it. It opens again if it happens again. Kinds are
 * named, since a refund, an invoice and a merchant may have one number, and a subject more than one trouble. Answers whether
 * anything rang.
 */
export async function resolveAlarms(
  tx: Tx | Db,
  kinds: readonly string[],
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
  kind: string,
  subject: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql`
    insert into alarms (kind, subject, detail) values (${kind}, ${subject}, ${JSON.stringify(detail)}::jsonb)
    on conflict (kind, subject) where resolved_at is null do update set times = alarms.times + 1, last_at = app_now(), detail = excluded.detail
  `.execute(tx);
}

/** {@link resolveAlarms} of one kind about one subject. */
export async function resolveAlarm(tx: Tx, kind: string, subject: string): Promise<boolean> {
  return resolveAlarms(tx, [kind], [subject]);
}
