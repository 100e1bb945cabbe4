import { shortName } from '@aparta/domain/short-name';
import { may, type StaffAct } from '@aparta/domain/staff-rights';
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
const Products = lazyPage(() => import('../products/products-page.tsx'));
const Product = lazyPage(() => import('../products/product-page.tsx'));

/** The entries of the navigation, each for who may do what is there. */
const entries: readonly (NavEntry & { readonly act: StaffAct })[] = [
  {
    act: 'take_payment',
    to: paths.find,
    icon: 'payments',
    label: appCopy.entries.find,
    holds: /^\/(cobro|recibo)\//,
    onIntent: Find.preload,
  },
  {
    act: 'see_products',
    to: paths.products,
    icon: 'tag',
    label: appCopy.entries.products,
    holds: /^\/productos\//,
    onIntent: Products.preload,
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
  const { positionId, name, role } = session.position;
  return (
    // What one person saw is not the next one's.
    <Cache key={positionId}>
      <Shell
        productName={config.productName}
        home={paths.find}
        entries={entries.filter(({ act }) => may(role, act))}
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
          <Route path={paths.products}>
            <Products />
          </Route>
          <Route path={patterns.product}>{({ id }) => <Product id={Number(id)} />}</Route>
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
