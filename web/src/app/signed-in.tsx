import { logout } from '@aparta/contract/account';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Outlet } from 'react-router';
import { openCache } from '../api/cache.ts';
import { call } from '../api/client.ts';
import { session, useUser } from '../session/session.ts';
import { Shell, type NavEntry } from './shell.tsx';

/** The signed-in area: its frame, and a query cache that is dropped on logout. */
export default function SignedIn({ entries }: { entries: readonly NavEntry[] }) {
  const user = useUser();
  const [queries] = useState(openCache);

  function leave() {
    // This call still carries the token. Logging out works without the server too.
    call(logout, {}).catch(() => {});
    session.close();
  }

  if (!user) return null;
  return (
    <QueryClientProvider client={queries}>
      <Shell entries={entries} name={user.userName || user.user} onLogout={leave}>
        <Outlet />
      </Shell>
    </QueryClientProvider>
  );
}
