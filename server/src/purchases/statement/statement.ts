import type { DateOnly } from '@aparta/domain/calendar';
import type { Statement } from '@aparta/domain/statement';

import type { AccountEvent, DueRow } from './read-model.ts';

/** An instalment that was due, and how it stands today. */
export interface Due extends DueRow {
  readonly state: 'paid' | 'late' | 'to_pay' | 'cancelled';
}

export interface BuyerStatement extends Statement<AccountEvent> {
  readonly from: DateOnly;
  readonly to: DateOnly;
  readonly buyerName: string;
  readonly dues: readonly Due[];
  /** The database's time when it was read. */
  readonly now: Date;
}

/** How an instalment stands on a day. */
export function stateOf(
  { dueOn, amountCentavos, paidCentavos, isCancelled }: DueRow,
  today: DateOnly,
): Due['state'] {
  if (paidCentavos >= amountCentavos) return 'paid';
  if (isCancelled) return 'cancelled';
  return dueOn < today ? 'late' : 'to_pay';
}
