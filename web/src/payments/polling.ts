import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState, type Dispatch } from 'react';
import { ApiError, isRefused } from '@aparta/browser/api-error.ts';
import type { CardAttempt } from '../data/card-attempt.ts';
import { readAttempt } from '../data/payments.ts';
import type { Input } from './card-reducer.ts';
import { nextPollMs, type PollingSpan } from './poll-delay.ts';
import { answered } from './use-card-payment.ts';

export interface AttemptPolling {
  /** Set if the server did not know the attempt: ms since the first check. */
  readonly missedAfterMs: number | undefined;
  readonly isChecking: boolean;
  /** Automatic polling has ended. */
  readonly hasEnded: boolean;
  check(): void;
}

/**
 * Polls an attempt for the given span, while its screen is visible, and tells the reducer once it is another than the
 * screen shows.
 */
export function useAttemptPolling(
  shown: { intentId: string; attempt: CardAttempt | undefined },
  span: PollingSpan,
  dispatch: Dispatch<Input>,
): AttemptPolling {
  const { intentId } = shown;
  const [since] = useState(() => Date.now());
  const { data, error, dataUpdatedAt, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ['attempt', intentId],
    queryFn: ({ signal }) => readAttempt(intentId, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => {
      const polls = state.dataUpdateCount + state.errorUpdateCount;
      const next = nextPollMs(polls, Date.now() - since, span);
      return next && Math.max(next, askedToWaitMs(state.error));
    },
  });
  useAttemptChange(data, shown.attempt, (found) => dispatch(answered(found, false)));
  const check = useCallback(() => void refetch(), [refetch]);
  return {
    missedAfterMs: isRefused(error, 'NOT_FOUND') ? errorUpdatedAt - since : undefined,
    isChecking: isFetching,
    hasEnded: nextPollMs(0, Math.max(dataUpdatedAt, errorUpdatedAt) - since, span) === false,
    check,
  };
}

function askedToWaitMs(error: Error | null): number {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return 0;
  return (error.failure.retryAfterSeconds ?? 0) * 1000;
}

/** Calls `onFound` once when polling finds the attempt changed from what the screen shows. */
function useAttemptChange(
  seen: CardAttempt | undefined,
  known: CardAttempt | undefined,
  onFound: (attempt: CardAttempt) => void,
): void {
  const report = useEffectEvent(onFound);
  const isNews = seen !== undefined && (seen.state !== known?.state || seen.threeDsUrl !== known.threeDsUrl);
  useEffect(() => {
    if (isNews) report(seen);
  }, [isNews, seen]);
}
