import type { LayawayReferenceProblem } from '@aparta/domain/layaway-reference';
import { Posted } from '@aparta/ui/form.tsx';
import { Suspense, useState } from 'react';
import { Route, Router, Switch, useLocation, type AroundNavHandler } from 'wouter';
// In the first load: it is its purpose, and its HTML is prerendered.
import SignInPage from '../account/sign-in-page.tsx';
import { AlertHost } from '@aparta/ui/alert.tsx';
import { Broken } from '@aparta/ui/broken.tsx';
import { config } from './config.ts';
import { CatchAll, Guard } from './guard.tsx';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { paths, patterns } from './paths.ts';
import type { PostedHere } from './posted.ts';
import { PurchaseDetailPart } from '../purchases/detail-later.ts';
import { PurchaseListPart } from '../purchases/list-later.ts';
import type { Intents } from './signed-in.tsx';
import { session } from '../session/session.ts';

const BadReference = lazyPage(() => import('./bad-reference.tsx'));
const SignedIn = lazyPage(() => import('./signed-in.tsx'));
const Home = lazyPage(() => import('../home/home-page.tsx'));
const BarcodeView = lazyPage(() => import('../layaway/barcode-page.tsx'));
const Scanned = lazyPage(() => import('../layaway/scanned.tsx'));
const Layaway = lazyPage(() => import('../layaway/layaway-page.tsx').then((page) => page.loadLayaway()));
const LayawayPayment = lazyPage(() => import('../payments/layaway-payment-page.tsx'));
const InstalmentPayment = lazyPage(() => import('../payments/instalment-payment-page.tsx'));
const Purchases = lazyPage(() => import('./purchases-page.tsx'));
const Receipt = lazyPage(() => import('../purchases/receipt-page.tsx'));
const NextPayment = lazyPage(() => import('../purchases/next-payment.tsx'));
const Dashboard = lazyPage(() => import('../purchases/dashboard-page.tsx'));
const StorePayment = lazyPage(() => import('../cash/store-payment-page.tsx'));
const Register = lazyPage(() => import('../account/register-page.tsx'));
const ForgotPassword = lazyPage(() => import('../account/forgot-password-page.tsx'));
const ChangePassword = lazyPage(() => import('../account/change-password-page.tsx'));
const ConfirmEmail = lazyPage(() => import('../account/confirm-email-page.tsx'));
const Legal = lazyPage(() => import('../account/legal-page.tsx'));
const Activity = lazyPage(() => import('../account/activity-page.tsx'));
const Profile = lazyPage(() => import('./profile-page.tsx').then((page) => page.loadProfile()));
const Design = lazyPage(() => import('@aparta/ui/design-page.tsx'));

/** What stands on Home comes with it: one after the other, each would be a wait for the network. */
const homeParts = [Home, NextPayment, Scanned];
const home = {
  load: async () => void (await Promise.all(homeParts.map((part) => part.load()))),
  preload: () => homeParts.forEach((part) => part.preload()),
};

/** What the navigation's entries preload. */
const intents: Intents = {
  home: home.preload,
  profile: Profile.preload,
  layaway: Layaway.preload,
  purchases: Purchases.preload,
};

/** The screens that follow signing in. */
function preloadHome() {
  SignedIn.preload();
  home.preload();
}

/** Public screens outside the first load, by their path; prerendered like the others. */
const publicScreens: Readonly<Record<string, { load: () => Promise<unknown> }>> = {
  buyerregister: Register,
  resetyourpassword: ForgotPassword,
  changeyourpassword: ChangePassword,
  confirmarcorreo: ConfirmEmail,
  terminos: Legal,
  privacidad: Legal,
};

export async function loadPublicPages() {
  await Promise.all(Object.values(publicScreens).map(({ load }) => load()));
}

/** The list or a purchase; what stands beside it where there is room comes later. */
const purchases = (shown: { load: () => Promise<unknown> }) => ({
  load: async () => (await Promise.all([Purchases.load(), shown.load()]))[0],
});

/** Screens with their own document, by the first segment of their path: prerender.tsx makes those. */
export const framed: Readonly<Record<string, { load: () => Promise<{ default: unknown }> }>> = {
  dashboard: Dashboard,
  clientedit: Profile,
  actividad: Activity,
  apartado: Layaway,
  codigo: BarcodeView,
  cxclist: purchases(PurchaseListPart),
  salecxclist: purchases(PurchaseDetailPart),
  recibo: Receipt,
  onsitepaymentbytapi: StorePayment,
  pullapartbyclip: LayawayPayment,
  threedsbyclippa: LayawayPayment,
  paymentbyclib: InstalmentPayment,
  threedsbyclib: InstalmentPayment,
};

/** What only who is signed in may see; the rest is public, or nothing. */
const protectedPath = new RegExp(`^/(?:$|(?:${Object.keys(framed).join('|')})(?:/|$))`, 'i');

/**
 * Loads the code of an address's screen, so that it replaces at once what is shown. Never rejects: the screen itself
 * reports failures.
 */
export async function loadScreen(address: string): Promise<void> {
  const segment = address.split(/[/?#]/)[1]?.toLowerCase() ?? '';
  const screen = segment === '' ? home : framed[segment];
  const frame = session.user() || session.stays() ? [SignedIn, screen] : [];
  const needed = screen ? frame : [publicScreens[segment]];
  await Promise.all(needed.map(async (one) => one?.load())).catch(() => {});
}

let navigations = 0;
/** The screen before stays until the next one's code is here; what was asked for last counts. */
const onceLoaded: AroundNavHandler = (navigate, asked, options) => {
  navigations += 1;
  const mine = navigations;
  // Who stays signed in needs no login.
  const to = asked === paths.login && session.stays() ? paths.home : asked;
  // The screen that is open already is not a second one to go back from.
  const replace = options?.replace ?? to === location.pathname + location.search;
  void loadScreen(to).then(() => mine === navigations && navigate(to, { ...options, replace }));
};

const showsDesign = import.meta.env.DEV || config.designPage;

/**
 * Every screen of the app (spec §2). Pages that need two features are composed here. `problem`: what was wrong with the
 * scanned reference that it was opened with. `posted`: a form that was sent before scripts had run; its page starts with
 * it. `legal`: a text that the document came with. `at`: the address, where there is no browser.
 */
export function App({
  at,
  ...rest
}: {
  at?: string;
  problem?: LayawayReferenceProblem | undefined;
  posted?: PostedHere | undefined;
  legal?: unknown;
}) {
  return (
    <Router aroundNav={onceLoaded} {...(at !== undefined && { ssrPath: at })}>
      <Screens {...rest} />
    </Router>
  );
}

function Screens({
  problem,
  posted,
  legal,
}: {
  problem?: LayawayReferenceProblem | undefined;
  posted?: PostedHere | undefined;
  legal?: unknown;
}) {
  const at = useLocation()[0].toLowerCase();
  const [waiting, setWaiting] = useState(posted);
  if (waiting && waiting.path !== at) setWaiting(undefined);
  return (
    <Broken>
      <AlertHost>
        {problem && (
          <Suspense>
            <BadReference problem={problem} />
          </Suspense>
        )}
        <Posted value={waiting}>
          <Suspense>
            <Switch>
              <Route path={paths.login}>
                <SignInPage onIntent={preloadHome} />
              </Route>
              <Route path={paths.register}>
                <Register />
              </Route>
              <Route path={paths.forgotPassword}>
                <ForgotPassword />
              </Route>
              <Route path={paths.changePassword}>
                <ChangePassword />
              </Route>
              <Route path={paths.confirmEmail}>
                <ConfirmEmail />
              </Route>
              <Route path={paths.terms}>
                <Legal key="terms" kind="terms" block={legal} />
              </Route>
              <Route path={paths.privacy}>
                <Legal key="privacy" kind="privacy" block={legal} />
              </Route>
              {showsDesign && (
                <Route path={paths.design}>
                  <Design />
                </Route>
              )}
              <Route path={protectedPath}>
                <Guard>
                  <SignedIn onIntent={intents}>
                    <SignedInScreens />
                  </SignedIn>
                </Guard>
              </Route>
              <Route>
                <CatchAll />
              </Route>
            </Switch>
          </Suspense>
        </Posted>
      </AlertHost>
    </Broken>
  );
}

function SignedInScreens() {
  return (
    <Switch>
      <Route path={paths.home}>
        <Home
          around={(actions) => (
            <Suspense>
              <Scanned after={(isKnown) => <NextPayment waits={!isKnown}>{actions}</NextPayment>} />
            </Suspense>
          )}
        />
      </Route>
      <Route path={paths.dashboard}>
        <Dashboard />
      </Route>
      <Route path={paths.profile}>
        <Profile />
      </Route>
      <Route path={paths.activity}>
        <Activity />
      </Route>
      <Route path={paths.layaway}>
        <Layaway onCardNear={LayawayPayment.preload} />
      </Route>
      <Route path={patterns.barcode}>
        <BarcodeView />
      </Route>
      <Route path={patterns.purchases}>
        <Purchases />
      </Route>
      <Route path={patterns.receipt}>
        <Receipt />
      </Route>
      <Route path={patterns.payInStore}>
        <StorePayment />
      </Route>
      <Route path={patterns.payLayaway}>
        <LayawayPayment step="pay" />
      </Route>
      <Route path={patterns.threeDsLayaway}>
        <LayawayPayment step="threeDs" />
      </Route>
      <Route path={patterns.payInstalment}>
        <InstalmentPayment step="pay" />
      </Route>
      <Route path={patterns.threeDsInstalment}>
        <InstalmentPayment step="threeDs" />
      </Route>
      <Route>
        <CatchAll />
      </Route>
    </Switch>
  );
}
