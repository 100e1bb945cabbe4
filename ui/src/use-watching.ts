import { useEffect, useState } from 'react';

/**
 * Whether a screen still looks for news by itself: for `forMs` after it opened, and again after `again`. What it waits for
 * may take days; its questions must not.
 */
export function useWatching(forMs: number): { watching: boolean; again: () => void } {
  const [watching, setWatching] = useState(true);
  useEffect(() => {
    if (!watching) return;
    const timer = setTimeout(() => setWatching(false), forMs);
    return () => clearTimeout(timer);
  }, [watching, forMs]);
  return { watching, again: () => setWatching(true) };
}
