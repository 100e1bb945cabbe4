import { daysBetween, type DateOnly } from '@aparta/domain/calendar';
import { worksInBranches } from '@aparta/domain/staff-rights';

import type { Staff } from '../../../platform/principal.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { TakingCursor, TakingRow } from './takings.read-model.ts';
import type { Counted } from './today.read-model.ts';

/** A year, and what an accountant closes after it. */
const MOST_DAYS = 400;

/** Who works in branches, and who works on a shared device, is told what their counters took. */
export function countedFor({ merchantId, role, branchIds, device }: Staff): Counted {
  return { merchantId, branchIds: worksInBranches(role) || device !== undefined ? branchIds : undefined };
}

/** Refuses INVALID_INPUT for days in the wrong order, or too many. */
export function refuseTooLong({ from, to }: { readonly from: DateOnly; readonly to: DateOnly }): void {
  const days = daysBetween(from, to);
  if (days < 0 || days >= MOST_DAYS)
    throw new Refusal('INVALID_INPUT', {
      fields: { to: `at most ${MOST_DAYS} days, none before the first` },
    });
}

/** What a page's `next` is: the receipt of its last line, with a mark where that is of money taken back. */
export function takingCursorOf(last: Pick<TakingRow, 'id' | 'withdrawnCentavos'> | undefined): string | null {
  return last === undefined ? null : `${last.id}${last.withdrawnCentavos > 0 ? 'w' : ''}`;
}

export function readTakingCursor(cursor: string | undefined): TakingCursor | undefined {
  return cursor === undefined
    ? undefined
    : { id: Number.parseInt(cursor, 10), isWithdrawn: cursor.endsWith('w') };
}
