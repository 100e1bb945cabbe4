import { useEffect, useState } from 'react';

/**
 * Whether a screen still looks for news by itself: for `forMs` after it opened, and again after `again`. What it waits for
 * may take days; its questions must not.
 */
export function usePolling(forMs: number): { isPolling: boolean; restart: () => void } {
  const [isPolling, setPolling] = useState(true);
  useEffect(() => {
    if (!isPolling) return;
    const timer = setTimeout(() => setPolling(false), forMs);
    return () => clearTimeout(timer);
  }, [isPolling, forMs]);
  return { isPolling, restart: () => setPolling(true) };
}
