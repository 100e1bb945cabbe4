import { sql } from 'kysely';

import type { Db, Tx } from './db.ts';

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
