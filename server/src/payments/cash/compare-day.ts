import { type DateOnly, endOfDayInMexicoCity } from '@aparta/domain/calendar';
import type { Tx } from '../../platform/db/db.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { compareDay, type DayDifference, type DayOperation } from '../tills/day-file.ts';
import type { CashFileOperation } from './cash-file.ts';
import { listCashDay } from './read-model.ts';

/** Of a file that has nothing to do with ours, not every line becomes a question to Tapi. */
const MOST_POLLED = 500;

/**
 * Compares a day that is over with Tapi's list of it, and asks Tapi about every operation that only the list has: what no
 * notice brought is booked by the job. Refuses `day_not_over`.
 */
export async function compareCashDay(
  tx: Tx,
  day: DateOnly,
  theirs: readonly CashFileOperation[],
): Promise<{ readonly operations: number; readonly differences: DayDifference[]; readonly polled: number }> {
  if (endOfDayInMexicoCity(day).getTime() > Date.now()) throw new RefusedChange('day_not_over', { day });
  const ours = await listCashDay(tx, day);
  const differences = compareDay(ours.map(asOperation), theirs.map(asOperation));
  const unknown = differences.filter(({ difference }) => difference === 'only in their file');
  const polled = unknown.slice(0, MOST_POLLED);
  for (const { transactionId: operationId } of polled)
    await enqueue(tx, 'check_cash_operation', { operationId }, { key: `cash:${operationId}` });
  return { operations: ours.length, differences, polled: polled.length };
}

/** Tapi has one list for all stores, so an operation can only be matched by its number. */
function asOperation({ operationId, amountCentavos, isReversed }: CashFileOperation): DayOperation {
  return {
    branch: '',
    transactionId: operationId,
    reference: '',
    amountCentavos,
    authorisation: '',
    isReversed,
    at: '',
  };
}
