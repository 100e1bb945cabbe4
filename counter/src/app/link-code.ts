import { useEffect, useState } from 'react';

/**
 * The code in the fragment of the link that was followed; it leaves the address bar, and stays in memory. Not before the screen is
 * there: React may begin to draw one twice, and the second time would find no code.
 */
export function useLinkCode(): string {
  const [code] = useState(() => new URLSearchParams(location.hash.slice(1)).get('code') ?? '');
  useEffect(() => {
    if (code !== '') history.replaceState(history.state, '', location.pathname);
  }, [code]);
  return code;
}
