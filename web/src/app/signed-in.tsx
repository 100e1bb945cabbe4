import '@aparta/ui/more-icons.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { openCache } from '@aparta/browser/query-cache.ts';
import { endSession } from '../data/end-session.ts';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import { isOwnDocument, paths } from './paths.ts';
import { isWithoutNetwork } from '../session/seen.ts';
import { session, useUser } from '../session/session.ts';
import { Shell, type NavEntry } from '@aparta/ui/shell.tsx';

/** Nobody misses it where it cannot be loaded. */
const SeenNotice = lazy(() => import('./seen-notice.tsx').catch(() => ({ default: () => null })));
/** After what the screen needs itself. */
const SEEN_AFTER_MS = 300;

/** What each entry of the navigation does when it is about to be followed. */
export type Intents = Readonly<Record<keyof typeof appCopy.entries, () => void>>;

const entriesOf = (onIntent: Intents): readonly NavEntry[] => [
  { to: paths.home, icon: 'home', label: appCopy.entries.home, onIntent: onIntent.home },
  { to: paths.profile, icon: 'person', label: appCopy.entries.profile, onIntent: onIntent.profile },
  {
    to: paths.layaway,
    icon: 'tag',
    label: appCopy.entries.layaway,
    holds: /^\/(codigo|pullapartByClip|threeDSByclipPA)\//i,
    onIntent: onIntent.layaway,
  },
  {
    to: paths.purchases,
    icon: 'payments',
    label: appCopy.entries.purchases,
    holds: /^\/(saleCxcList|recibo|onSitePaymentByTapi|paymentByClib|threeDSByclib)\//i,
    onIntent: onIntent.purchases,
  },
];

/** The signed-in area: its frame, and a query cache that is dropped on logout. */
export default function SignedIn({ onIntent, children }: { onIntent: Intents; children: ReactNode }) {
  const user = useUser();
  const [pathname] = useLocation();
  const [queries] = useState(openCache);
  const [entries] = useState(() => entriesOf(onIntent));
  const [keeps, setKeeps] = useState(isWithoutNetwork);
  useEffect(() => {
    const timer = setTimeout(() => setKeeps(true), SEEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  // A page of the back-forward cache comes back as it was left, though its buyer signed out in another document.
  const onShow = useEffectEvent(({ persisted }: PageTransitionEvent) => {
    if (!persisted || session.user()?.id === user?.id) return;
    document.body.hidden = true;
    location.reload();
  });
  useEffect(() => {
    const gone = new AbortController();
    addEventListener('pageshow', (event) => onShow(event), { signal: gone.signal });
    return () => gone.abort();
  }, []);

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
        {keeps && (
          <Suspense>
            <SeenNotice />
          </Suspense>
        )}
        {children}
      </Shell>
    </QueryClientProvider>
  );
}
