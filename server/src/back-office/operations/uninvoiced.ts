import type { DateOnly } from '@aparta/domain/calendar';
import { isPastCutOff, lastDayToInvoice } from '@aparta/domain/invoice-cut-off';

import type { Db } from '../../platform/db/db.ts';
import { listUninvoicedRows, type UninvoicedRow } from './uninvoiced.read-model.ts';

/** Whether its buyer can ask: yes; not any more; not yet, since an instalment is not paid whole; never, the merchant does not invoice here. */
export const UNINVOICED_STATES = ['open', 'over', 'unpaid', 'not-offered'] as const;
export type UninvoicedState = (typeof UNINVOICED_STATES)[number];

export interface Uninvoiced extends Omit<
  UninvoicedRow,
  'parts' | 'now' | 'isOffered' | 'merchantCutOffDays'
> {
  /** The instalments that it paid of and nobody invoiced. */
  readonly instalments: readonly number[];
  readonly state: UninvoicedState;
  /** The last day to ask for an invoice of it, past or to come; of several parts the first. */
  readonly until: DateOnly | null;
}

/** Receipts that nobody invoiced, of all merchants or one, of all months or one, in all states or one. */
export async function listUninvoiced(
  db: Db,
  given: {
    merchantId?: number | undefined;
    month?: DateOnly | undefined;
    state?: UninvoicedState | undefined;
  } = {},
): Promise<Uninvoiced[]> {
  const all = (await listUninvoicedRows(db, given)).map(judged);
  return given.state === undefined ? all : all.filter(({ state }) => state === given.state);
}

function judged({ parts, now, isOffered, merchantCutOffDays, ...row }: UninvoicedRow): Uninvoiced {
  const days = parts
    .filter(({ isPaid }) => isPaid && isOffered)
    .map(({ lastPaidAt, bookedAt, cutOffDays, closedAt }) =>
      lastDayToInvoice(
        [{ paidAt: new Date(lastPaidAt), bookedAt: new Date(bookedAt), cutOffDays }],
        merchantCutOffDays,
        closedAt === null ? null : new Date(closedAt),
      ),
    );
  const [until = null] = days.flatMap((day) => day ?? []).toSorted();
  return { ...row, instalments: parts.map(({ number }) => number), state: stateOf(), until };

  function stateOf(): UninvoicedState {
    if (!isOffered) return 'not-offered';
    if (days.some((day) => !isPastCutOff(day, now))) return 'open';
    return days.length > 0 ? 'over' : 'unpaid';
  }
}
