import { may, needsOwnSession, type StaffAct, worksInBranches } from '@aparta/domain/staff-rights';
import { shortName } from '@aparta/domain/short-name';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { openCache } from '@aparta/browser/query-cache.ts';
import { AlertHost } from '@aparta/ui/alert.tsx';
import { Broken } from '@aparta/ui/broken.tsx';
import { Shell, type NavEntry } from '@aparta/ui/shell.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { signOut } from '../data/sessions.ts';
import SignInPage from '../people/sign-in-page.tsx';
import { useEnrolled } from '../session/device.ts';
import { useBranch, useSession } from '../session/session.ts';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import { MorePage } from './more-page.tsx';
import { NoPage } from './no-page.tsx';
import { Offline } from './offline.tsx';
import { BASE, paths, patterns } from './paths.ts';
import styles from './routes.module.css';
import { useLock } from './use-lock.ts';

const Find = lazyPage(() => import('../till/find-page.tsx'));
const Charge = lazyPage(() => import('../till/charge-page.tsx'));
const Receipt = lazyPage(() => import('../till/receipt-page.tsx'));
const HandOver = lazyPage(() => import('../hand-over/hand-over-page.tsx'));
const HandedOver = lazyPage(() => import('../hand-over/handed-over-page.tsx'));
const Cuts = lazyPage(() => import('../cuts/cuts-page.tsx'));
const Cut = lazyPage(() => import('../cuts/closed-cut-page.tsx'));
const Products = lazyPage(() => import('../products/products-page.tsx'));
const Product = lazyPage(() => import('../products/product-page.tsx'));
const AddProduct = lazyPage(() => import('../products/add-product-page.tsx'));
const EditProduct = lazyPage(() => import('../products/edit-product-page.tsx'));
const Shelf = lazyPage(() => import('../shelf/shelf-page.tsx'));
const Today = lazyPage(() => import('../today/today-page.tsx'));
const Takings = lazyPage(() => import('../today/takings-page.tsx'));
const GivenBack = lazyPage(() => import('../today/given-back-page.tsx'));
const OwedRefunds = lazyPage(() => import('../today/refunds-page.tsx'));
const Invoices = lazyPage(() => import('../invoices/invoices-page.tsx'));
const Settlements = lazyPage(() => import('../settlements/settlements-page.tsx'));
const Purchases = lazyPage(() => import('../purchases/purchases-page.tsx'));
const Invitation = lazyPage(() => import('../people/invitation-page.tsx'));
const Forgot = lazyPage(() => import('../people/forgot-page.tsx'));
const NewPassword = lazyPage(() => import('../people/new-password-page.tsx'));
const Staff = lazyPage(() => import('../people/staff-page.tsx'));
const Account = lazyPage(() => import('../people/account-page.tsx'));
const NeedsPasskey = lazyPage(() => import('../people/needs-passkey-page.tsx'));
const Enrol = lazyPage(() => import('../devices/enrol-page.tsx'));
const Device = lazyPage(() => import('../devices/device-page.tsx'));
const Devices = lazyPage(() => import('../devices/devices-page.tsx'));
const Rules = lazyPage(() => import('../rules/rules-page.tsx'));
const Webhooks = lazyPage(() => import('../webhooks/webhooks-page.tsx'));
const Webhook = lazyPage(() => import('../webhooks/webhook-page.tsx'));

/** The entries of the navigation, each for who may do what is there. */
const entries: readonly (NavEntry & { readonly act: StaffAct })[] = [
  {
    act: 'take_payment',
    to: paths.find,
    icon: 'payments',
    label: appCopy.entries.find,
    holds: /^\/(cobro|recibo|entregado)\/|^\/entrega(\/|$)/,
    onIntent: Find.preload,
  },
  {
    act: 'see_reports',
    to: paths.today,
    icon: 'calendar',
    label: appCopy.entries.today,
    holds: /^\/hoy\//,
    onIntent: Today.preload,
  },
  {
    act: 'list_purchases',
    to: paths.purchases,
    icon: 'invoice',
    label: appCopy.entries.purchases,
    holds: /^\/compras\//,
    onIntent: Purchases.preload,
  },
  {
    act: 'see_cuts',
    to: paths.cuts,
    icon: 'clock',
    label: appCopy.entries.cuts,
    holds: /^\/corte\//,
    onIntent: Cuts.preload,
  },
  {
    act: 'see_invoices',
    to: paths.invoices,
    icon: 'copy',
    label: appCopy.entries.invoices,
    holds: /^\/facturas\//,
    onIntent: Invoices.preload,
  },
  {
    act: 'see_products',
    to: paths.products,
    icon: 'tag',
    label: appCopy.entries.products,
    holds: /^\/productos\//,
    onIntent: Products.preload,
  },
  {
    act: 'check_shelf',
    to: paths.shelf,
    icon: 'store',
    label: appCopy.entries.shelf,
    onIntent: Shelf.preload,
  },
  {
    act: 'list_staff',
    to: paths.staff,
    icon: 'person',
    label: appCopy.entries.staff,
    onIntent: Staff.preload,
  },
  {
    act: 'list_devices',
    to: paths.devices,
    icon: 'qr',
    label: appCopy.entries.devices,
    onIntent: Devices.preload,
  },
  {
    act: 'manage_webhooks',
    to: paths.webhooks,
    icon: 'share',
    label: appCopy.entries.webhooks,
    holds: /^\/avisos\//,
    onIntent: Webhooks.preload,
  },
  {
    act: 'see_rules',
    to: paths.rules,
    icon: 'info',
    label: appCopy.entries.rules,
    onIntent: Rules.preload,
  },
  {
    act: 'own_sessions',
    to: paths.account,
    icon: 'lock',
    label: appCopy.entries.account,
    onIntent: Account.preload,
  },
];

/** What fits beside each other on a phone. */
const MOST_TABS = 5;

type Session = NonNullable<ReturnType<typeof useSession>>;

/** Whether somebody's rights open the page of an act; on a shared device they open fewer. */
const opens = ({ position, isShared }: Session, act: StaffAct) =>
  may(position.role, act) && !(isShared && needsOwnSession(act));

/** The entries that somebody's rights open. */
function entriesOf(session: Session): readonly NavEntry[] {
  // Owners and accountants begin with the morning; who stands at a counter, with taking money.
  const first = session.isShared || worksInBranches(session.position.role) ? paths.find : paths.today;
  return entries
    .toSorted((one, other) => Number(other.to === first) - Number(one.to === first))
    .filter(({ act }) => opens(session, act))
    .map(({ act: _act, ...entry }) => entry);
}

/** The same as they are shown: what does not fit on a phone is behind one more. */
function tabsOf(open: readonly NavEntry[]): readonly NavEntry[] {
  if (open.length <= MOST_TABS) return open;
  const rest = open.slice(MOST_TABS - 1);
  const holds = new RegExp(`^(${rest.map(({ to }) => to).join('|')})(/|$)`);
  return [
    ...open.slice(0, MOST_TABS - 1),
    ...rest.map((entry) => ({ ...entry, only: 'desk' as const })),
    { to: paths.more, icon: 'more', label: appCopy.entries.more, holds, only: 'phone' },
  ];
}

/** Where somebody's work begins. */
const homeOf = (session: Session) => entriesOf(session)[0]?.to ?? paths.find;

/** Every screen of the counter. */
export function App() {
  return (
    <Router base={BASE}>
      <Broken text={appCopy.broken}>
        <AlertHost>
          <Suspense>
            <Switch>
              <Route path={paths.signIn}>
                <SignIn />
              </Route>
              <Route path={paths.invitation}>
                <Cache>
                  <Invitation />
                </Cache>
              </Route>
              <Route path={paths.forgot}>
                <Forgot />
              </Route>
              <Route path={paths.newPassword}>
                <NewPassword />
              </Route>
              <Route path={paths.enrol}>
                <Enrol />
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
  const session = useSession();
  return session ? <Redirect to={homeOf(session)} replace /> : <SignInPage onIntent={Find.preload} />;
}

function SignedIn() {
  const session = useSession();
  const [location, navigate] = useLocation();
  const branch = useBranch();
  const isEnrolled = useEnrolled();
  // Where they signed in, until they have been led to where their work begins, or have gone elsewhere.
  const [enteredAt, setEnteredAt] = useState(session ? undefined : location);
  if (!session && enteredAt !== location) setEnteredAt(location);
  if (session && enteredAt !== undefined && enteredAt !== location) setEnteredAt(undefined);
  const isNew = enteredAt === location;
  useLock();
  if (!session && isEnrolled) {
    return (
      <Cache>
        <Device />
      </Cache>
    );
  }
  if (!session) return <SignInPage onIntent={Find.preload} />;
  if (session.needsPasskey) {
    return (
      <Cache>
        <NeedsPasskey />
      </Cache>
    );
  }
  const { positionId, name, role } = session.position;
  const open = entriesOf(session);
  const home = homeOf(session);
  /** A page whose act is theirs, or the word that it is not; the next at a shared device stands where the one before did. */
  const page = (act: StaffAct, theirs: ReactNode) =>
    opens(session, act) ? (
      theirs
    ) : session.isShared && isNew ? (
      <Redirect to={home} replace />
    ) : (
      <NoPage isShared={may(role, act)} to={open[0]} />
    );
  return (
    // What one person saw is not the next one's.
    <Cache key={positionId}>
      <div className={styles.frame}>
        <Shell
          productName={config.productName}
          home={home}
          entries={tabsOf(open)}
          name={branch ? `${shortName(name)} · ${branch.name}` : name}
          logout={appCopy.signOut}
          broken={appCopy.broken}
          onLogout={() => {
            signOut();
            // Where one person was is not where the next one begins.
            navigate(paths.find, { replace: true });
          }}
        >
          <Offline />
          <Switch>
            <Route path={paths.find}>
              {may(role, 'look_up') && !(isNew && home !== paths.find) ? (
                <Find />
              ) : (
                <Redirect to={home} replace />
              )}
            </Route>
            <Route path={patterns.charge}>
              {({ code }) => page('look_up', <Charge key={code} code={code} />)}
            </Route>
            <Route path={patterns.receipt}>
              {({ folio }) => page('see_receipt', <Receipt folio={folio} />)}
            </Route>
            <Route path={patterns.handOver}>
              {({ code }) => page('hand_over', <HandOver key={code ?? ''} code={code} />)}
            </Route>
            <Route path={patterns.handedOver}>
              {({ id }) => page('see_receipt', <HandedOver id={id} />)}
            </Route>
            <Route path={paths.cuts}>{page('see_cuts', <Cuts />)}</Route>
            <Route path={patterns.cut}>{({ id }) => page('see_cuts', <Cut id={id} />)}</Route>
            <Route path={paths.more}>
              <MorePage entries={open.slice(MOST_TABS - 1)} />
            </Route>
            <Route path={paths.products}>{page('see_products', <Products />)}</Route>
            <Route path={paths.newProduct}>{page('edit_products', <AddProduct />)}</Route>
            <Route path={patterns.editProduct}>
              {({ id }) => page('edit_products', <EditProduct key={id} id={Number(id)} />)}
            </Route>
            <Route path={patterns.product}>
              {({ id }) => page('see_products', <Product id={Number(id)} />)}
            </Route>
            <Route path={paths.shelf}>{page('check_shelf', <Shelf />)}</Route>
            <Route path={paths.today}>{page('see_reports', <Today />)}</Route>
            <Route path={paths.takings}>{page('see_reports', <Takings />)}</Route>
            <Route path={paths.givenBack}>{page('see_reports', <GivenBack />)}</Route>
            <Route path={paths.refunds}>{page('see_reports', <OwedRefunds />)}</Route>
            <Route path={paths.invoices}>{page('see_invoices', <Invoices />)}</Route>
            <Route path={paths.settlements}>{page('see_settlements', <Settlements />)}</Route>
            <Route path={patterns.purchases}>{page('list_purchases', <Purchases />)}</Route>
            <Route path={paths.staff}>{page('list_staff', <Staff />)}</Route>
            <Route path={paths.devices}>{page('list_devices', <Devices />)}</Route>
            <Route path={paths.webhooks}>{page('manage_webhooks', <Webhooks />)}</Route>
            <Route path={patterns.webhook}>
              {({ id }) => page('manage_webhooks', <Webhook key={id} id={id} />)}
            </Route>
            <Route path={paths.rules}>{page('see_rules', <Rules />)}</Route>
            <Route path={paths.account}>{page('own_sessions', <Account />)}</Route>
            <Route>
              <Redirect to={home} replace />
            </Route>
          </Switch>
        </Shell>
      </div>
    </Cache>
  );
}

function Cache({ children }: { children: ReactNode }) {
  const [queries] = useState(openCache);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}
