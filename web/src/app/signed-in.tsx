import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { openCache } from '@aparta/browser/query-cache.ts';
import { endSession } from '../data/sessions.ts';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import { isOwnDocument, paths } from './paths.ts';
import { session, useUser } from '../session/session.ts';
import { Shell, type NavEntry } from '@aparta/ui/shell.tsx';

/** The signed-in area: its frame, and a query cache that is dropped on logout. */
export default function SignedIn({
  entries,
  children,
}: {
  entries: readonly NavEntry[];
  children: ReactNode;
}) {
  const user = useUser();
  const [pathname] = useLocation();
  const [queries] = useState(openCache);

  function leave() {
    // First, while there is a token to send.
    endSession();
    session.close();
  }

  if (!user) return null;
  return (
    <QueryClientProvider client={queries}>
      <Shell
        productName={config.productName}
        home={paths.home}
        entries={entries}
        // A card screen's policy must not outlive its document.
        reload={isOwnDocument(pathname)}
        name={user.userName || user.user}
        logout={appCopy.logout}
        onLogout={leave}
      >
        {children}
      </Shell>
    </QueryClientProvider>
  );
}
