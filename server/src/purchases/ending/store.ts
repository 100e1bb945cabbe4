import type { DateOnly } from '@aparta/domain/calendar';
import type { EndStep } from '@aparta/domain/plan-end';

import type { Tx } from '../../platform/db/db.ts';

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
