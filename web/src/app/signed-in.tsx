import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { openCache } from '../api/cache.ts';
import { endSession } from '../data/sessions.ts';
import { session, useUser } from '../session/session.ts';
import { Shell, type NavEntry } from './shell.tsx';

/** The signed-in area: its frame, and a query cache that is dropped on logout. */
export default function SignedIn({
  entries,
  children,
}: {
  entries: readonly NavEntry[];
  children: ReactNode;
}) {
  const user = useUser();
  const [queries] = useState(openCache);

  function leave() {
    // First, while there is a token to send.
    endSession();
    session.close();
  }

  if (!user) return null;
  return (
    <QueryClientProvider client={queries}>
      <Shell entries={entries} name={user.userName || user.user} onLogout={leave}>
        {children}
      </Shell>
    </QueryClientProvider>
  );
}
