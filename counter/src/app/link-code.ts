import { useState } from 'react';

/** The code in the fragment of the link that was followed; it leaves the address bar, and stays in memory. */
export function useLinkCode(): string {
  const [code] = useState(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
    if (found !== '') history.replaceState(history.state, '', location.pathname);
    return found;
  });
  return code;
}
