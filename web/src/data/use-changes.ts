import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LAYAWAY_REFERENCE, refreshPurchases } from './purchases-key.ts';

/** How often a screen polls that is told. */
export const LIVE_POLL_MS = 60_000;

/**
 * While a screen waits for money, the server tells it, and what it shows is asked for anew. Whether it can be told now: else it
 * polls as often as it needs.
 */
export function useChanges(waits: boolean): boolean {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (!waits) return;
    const leaving = new AbortController();
    const onChange = () => {
      void refreshPurchases(queries);
      void queries.invalidateQueries({ queryKey: LAYAWAY_REFERENCE });
    };
    // Where its script does not come, the screen polls.
    void import('../api/listen-to-changes.ts').then(
      ({ listenToChanges }) => listenToChanges({ onChange, onOpen: setLive }, leaving.signal),
      () => {},
    );
    return () => leaving.abort();
  }, [queries, waits]);
  return isLive;
}
