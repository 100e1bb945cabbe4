import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';

import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

export interface NewPlanChange {
  readonly purchaseId: number;
  readonly sequence: number;
  readonly kind: 'moved' | 'split';
  readonly number: number;
  readonly fromDay: DateOnly;
  readonly toDay: DateOnly;
  readonly amountCentavos: Centavos;
  readonly firstCentavos: Centavos | null;
}

/** Writes down what was changed of a plan, under its purchase's lock. Throws on `plan_changes_once`. Deferred. */
export async function insertPlanChange(tx: Tx, change: NewPlanChange): Promise<void> {
  await defer(
    tx,
    tx.insertInto('plan_changes').values({
      purchase_id: change.purchaseId,
      sequence: change.sequence,
      kind: change.kind,
      number: change.number,
      from_day: change.fromDay,
      to_day: change.toDay,
      amount_centavos: change.amountCentavos,
      first_centavos: change.firstCentavos,
    }),
  );
}
