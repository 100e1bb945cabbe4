import type { DateOnly } from '@aparta/domain/calendar';
import type { EndStep } from '@aparta/domain/plan-end';

import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** Writes down a warning and answers its id. Throws on `end_warnings_once`. */
export async function insertWarning(
  tx: Tx,
  warning: { purchaseId: number; dueOn: DateOnly; step: EndStep; endsOn: DateOnly },
): Promise<number> {
  const { id } = await tx
    .insertInto('end_warnings')
    .values({
      purchase_id: warning.purchaseId,
      due_on: warning.dueOn,
      step: warning.step,
      ends_on: warning.endsOn,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Closes warnings of a purchase that are void: its end was put off, or they warned nobody. The caller holds the purchase's lock. Deferred. */
export async function closeWarnings(tx: Tx, purchaseId: number, steps: readonly EndStep[]): Promise<void> {
  await defer(
    tx,
    sql`update end_warnings set closed_at = app_now()
      where purchase_id = ${purchaseId} and closed_at is null and step = any (${[...steps]}::text[])`,
  );
}
