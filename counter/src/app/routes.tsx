import { shortName } from '@aparta/domain/short-name';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { openCache } from '@aparta/browser/query-cache.ts';
import { AlertHost } from '@aparta/ui/alert.tsx';
import { Broken } from '@aparta/ui/broken.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Shell, type NavEntry } from '@aparta/ui/shell.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { signOut } from '../data/sessions.ts';
import SignInPage from '../people/sign-in-page.tsx';
import { useBranch, useSession } from '../session/session.ts';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import { BASE, paths, patterns } from './paths.ts';
import styles from './routes.module.css';
import { useOnline } from './use-online.ts';

const Find = lazyPage(() => import('../till/find-page.tsx'));
const Charge = lazyPage(() => import('../till/charge-page.tsx'));
const Receipt = lazyPage(() => import('../till/receipt-page.tsx'));

const entries: readonly NavEntry[] = [
  {
    to: paths.find,
    icon: 'payments',
    label: appCopy.entries.find,
    holds: /^\/(cobro|recibo)\//,
    onIntent: Find.preload,
  },
];

/** Every screen of the counter. */
export function App() {
  return (
    <Router base={BASE}>
      <Broken>
        <AlertHost>
          <Suspense>
            <Switch>
              <Route path={paths.signIn}>
                <SignIn />
              </Route>
              <Route>
                <SignedIn />
              </Route>
            </Switch>
          </Suspense>
        </AlertHost>
      </Broken>
    </Router>
  );
}

function SignIn() {
  return useSession() ? <Redirect to={paths.find} replace /> : <SignInPage onIntent={Find.preload} />;
}

function SignedIn() {
  const session = useSession();
  const branch = useBranch();
  if (!session) return <SignInPage onIntent={Find.preload} />;
  const { positionId, name } = session.position;
  return (
    // What one person saw is not the next one's.
    <Cache key={positionId}>
      <Shell
        productName={config.productName}
        home={paths.find}
        entries={entries}
        name={branch ? `${shortName(name)} · ${branch.name}` : name}
        logout={appCopy.signOut}
        onLogout={signOut}
      >
        <Offline />
        <Switch>
          <Route path={paths.find}>
            <Find />
          </Route>
          <Route path={patterns.charge}>{({ code }) => <Charge key={code} code={code} />}</Route>
          <Route path={patterns.receipt}>{({ folio }) => <Receipt folio={folio} />}</Route>
          <Route>
            <Redirect to={paths.find} replace />
          </Route>
        </Switch>
      </Shell>
    </Cache>
  );
}

function Cache({ children }: { children: ReactNode }) {
  const [queries] = useState(openCache);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}

function Offline() {
  return (
    !useOnline() && (
      <div className={styles.offline}>
        <Notice tone="danger" title={appCopy.offline.title} urgent>
          {appCopy.offline.text}
        </Notice>
      </div>
    )
  );
}
