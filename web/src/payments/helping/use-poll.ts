import { ApiError, isRefused } from '@aparta/browser/api-error.ts';
import { useCallback, useEffect, useEffectEvent, useState, type Dispatch } from 'react';
import type { CardAttempt } from '../../data/card-attempt.ts';
import { readHelpPayment } from '../../data/helping.ts';
import { nextPollMs, type PollingSpan } from '../poll-delay.ts';
import { helpingCopy as copy } from './copy.ts';
import { answered, type HelpInput } from './use-helping.ts';

/**
 * Polls a helper's payment while its screen is visible, and tells the reducer what is new: another state, or that the server never
 * had it. `check` asks once more after the span.
 */
export function usePoll(
  intentId: string,
  known: CardAttempt | undefined,
  span: PollingSpan,
  dispatch: Dispatch<HelpInput>,
): { isChecking: boolean; hasEnded: boolean; check: () => void } {
  const [since] = useState(() => Date.now());
  const [turn, setTurn] = useState(0);
  const [isChecking, setChecking] = useState(false);
  const [hasEnded, setEnded] = useState(span === 'once');

  const ask = useEffectEvent(async (signal: AbortSignal): Promise<number> => {
    try {
      const found = await readHelpPayment(intentId, signal);
      if (found.state !== known?.state || found.threeDsUrl !== known.threeDsUrl)
        dispatch(answered(found, false));
    } catch (error) {
      if (signal.aborted) return 0;
      if (isRefused(error, 'NOT_FOUND')) {
        const notice = { title: copy.neverArrived, text: copy.neverArrivedHow };
        dispatch({ type: 'notThere', afterMs: Date.now() - since, now: Date.now(), notice });
      }
      if (error instanceof ApiError && error.failure.kind === 'refused')
        return (error.failure.retryAfterSeconds ?? 0) * 1_000;
    }
    return 0;
  });

  useEffect(() => {
    const gone = new AbortController();
    let polls = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll(): Promise<void> {
      let waitMs = 0;
      if (document.visibilityState === 'visible') {
        setChecking(true);
        waitMs = await ask(gone.signal);
        if (gone.signal.aborted) return;
        setChecking(false);
        polls += 1;
      }
      const nextMs = nextPollMs(polls, Date.now() - since, span);
      if (nextMs === false) return setEnded(true);
      timer = setTimeout(() => void poll(), Math.max(nextMs, waitMs));
    }
    void poll();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [intentId, span, since, turn]);

  const check = useCallback(() => setTurn((before) => before + 1), []);
  return { isChecking, hasEnded, check };
}
