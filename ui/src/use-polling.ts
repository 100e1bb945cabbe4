import { useEffect, useState } from 'react';

/**
 * Whether a screen should still poll: for `forMs` after it opens, and again after `restart`. What it waits
 * for may take days.
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
