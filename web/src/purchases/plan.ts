import type { SegmentState } from '@aparta/ui/progress.tsx';
import type { Instalment } from '../data/instalments.ts';
import type { Purchase } from '../data/purchases.ts';

/** A purchase's progress bar. `isPending`: a payment of the next instalment is in progress; if late, that leads. */
export function segmentsOf(
  { instalments }: Pick<Purchase, 'instalments'>,
  isPending: boolean,
): SegmentState[] {
  return instalments.map(({ state, isNext }) => {
    if (isNext && isPending && state !== 'late') return 'pending';
    if (state === 'due') return 'next';
    return state === 'dropped' ? 'upcoming' : state;
  });
}

/** A card payment is open, or the next instalment has a live store reference. */
export function isUnderWay({ next, openAttempt }: Purchase): boolean {
  return openAttempt !== undefined || next?.storeReferenceUntil !== undefined;
}

export function isLate({ state }: Pick<Instalment, 'state'>): boolean {
  return state === 'late';
}
