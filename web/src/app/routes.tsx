import type { LayawayReferenceProblem } from '@aparta/domain/layaway-reference';
import { Posted } from '@aparta/ui/form.tsx';
import { Suspense, useState } from 'react';
import { Route, Routes, useLocation } from 'react-router';
// In the first load: it is its purpose, and its HTML is prerendered.
import SignInPage from '../account/sign-in-page.tsx';
import { AlertHost } from '@aparta/ui/alert.tsx';
import { asPostedForm, type Posted as PostedHere } from './blocks.ts';
import { Broken } from './broken.tsx';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import { CatchAll, Guard } from './guard.tsx';
import { lazyPage } from './lazy-page.tsx';
import { paths, patterns } from './paths.ts';
import type { NavEntry } from './shell.tsx';

const BadReference = lazyPage(() => import('./bad-reference.tsx'));
const SignedIn = lazyPage(() => import('./signed-in.tsx'));
const Home = lazyPage(() => import('../home/home-page.tsx'));
const BarcodeView = lazyPage(() => import('../layaway/barcode-page.tsx'));
const Scanned = lazyPage(() => import('../layaway/scanned.tsx'));
const Layaway = lazyPage(() => import('../layaway/layaway-page.tsx'));
const LayawayPayment = lazyPage(() => import('../payments/layaway-payment-page.tsx'));
const InstalmentPayment = lazyPage(() => import('../payments/instalment-payment-page.tsx'));
const Purchases = lazyPage(() => import('../purchases/purchases-page.tsx'));
const Receipt = lazyPage(() => import('../purchases/receipt-page.tsx'));
const NextPayment = lazyPage(() => import('../purchases/next-payment.tsx'));
const Dashboard = lazyPage(() => import('../purchases/dashboard-page.tsx'));
const StorePayment = lazyPage(() => import('../cash/store-payment-page.tsx'));
const Register = lazyPage(() => import('../account/register-page.tsx'));
const ForgotPassword = lazyPage(() => import('../account/forgot-password-page.tsx'));
const ChangePassword = lazyPage(() => import('../account/change-password-page.tsx'));
const ConfirmEmail = lazyPage(() => import('../account/confirm-email-page.tsx'));
const FiscalData = lazyPage(() => import('../invoices/fiscal-data.tsx'));
const InvoicePart = lazyPage(() => import('../invoices/invoice-part.tsx'));
const Legal = lazyPage(() => import('../account/legal-page.tsx'));
const Profile = lazyPage(() => import('../account/profile-page.tsx'));
const Design = lazyPage(() => import('@aparta/ui/design-page.tsx'));

const entries: readonly NavEntry[] = [
  { to: paths.home, icon: 'home', label: appCopy.entries.home, onIntent: Home.preload },
  { to: paths.profile, icon: 'person', label: appCopy.entries.profile, onIntent: Profile.preload },
  {
    to: paths.layaway,
    icon: 'tag',
    label: appCopy.entries.layaway,
    holds: /^\/(codigo|pullapartByClip|threeDSByclipPA)\//i,
    onIntent: Layaway.preload,
  },
  {
    to: paths.purchases,
    icon: 'payments',
    label: appCopy.entries.purchases,
    holds: /^\/(saleCxcList|recibo|onSitePaymentByTapi|paymentByClib|threeDSByclib)\//i,
    onIntent: Purchases.preload,
  },
];

/** The screens that follow signing in. */
function preloadHome() {
  SignedIn.preload();
  Home.preload();
  NextPayment.preload();
  Scanned.preload();
}

/** Public screens outside the first load; prerendered like the others. */
export async function loadPublicPages() {
  await Promise.all([
    Register.load(),
    ForgotPassword.load(),
    ChangePassword.load(),
    ConfirmEmail.load(),
    Legal.load(),
  ]);
}

/** Screens with their own document, by the first segment of their path: prerender.tsx makes those. */
export const framed: Readonly<Record<string, { load: () => Promise<{ default: unknown }> }>> = {
  dashboard: Dashboard,
  clientedit: Profile,
  apartado: Layaway,
  codigo: BarcodeView,
  cxclist: Purchases,
  salecxclist: Purchases,
  recibo: Receipt,
  onsitepaymentbytapi: StorePayment,
  pullapartbyclip: LayawayPayment,
  threedsbyclippa: LayawayPayment,
  paymentbyclib: InstalmentPayment,
  threedsbyclib: InstalmentPayment,
};

/**
 * Loads the code of a signed-in screen, so that it replaces the prerendered frame at once. Never rejects: the
 * screen itself reports failures.
 */
export async function loadScreen(path: string): Promise<void> {
  const screen = framed[path.split('/')[1]?.toLowerCase() ?? ''];
  if (screen) await Promise.all([SignedIn.load(), screen.load()]).catch(() => {});
}

const showsDesign = import.meta.env.DEV || config.designPage;

/**
 * Every screen of the app (spec §2). Pages that need two features are composed here. `problem`: what was wrong with the
 * scanned reference that it was opened with. `posted`: a form that was sent before scripts had run; its page starts with it.
 */
export function App({
  problem,
  posted,
}: {
  problem?: LayawayReferenceProblem | undefined;
  posted?: PostedHere | undefined;
}) {
  const at = useLocation().pathname.toLowerCase();
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
        <Posted value={waiting && asPostedForm(waiting)}>
          <Suspense>
            <Routes>
              <Route path={paths.login} element={<SignInPage onIntent={preloadHome} />} />
              <Route path={paths.register} element={<Register />} />
              <Route path={paths.forgotPassword} element={<ForgotPassword />} />
              <Route path={paths.changePassword} element={<ChangePassword />} />
              <Route path={paths.confirmEmail} element={<ConfirmEmail />} />
              <Route path={paths.terms} element={<Legal key="terms" kind="terms" />} />
              <Route path={paths.privacy} element={<Legal key="privacy" kind="privacy" />} />
              {showsDesign && <Route path={paths.design} element={<Design />} />}
              <Route element={<Guard atStore={<StorePayment />} />}>
                <Route element={<SignedIn entries={entries} />}>
                  <Route
                    path={paths.home}
                    element={
                      <Home
                        around={(actions) => (
                          <Suspense>
                            <Scanned />
                            <NextPayment>{actions}</NextPayment>
                          </Suspense>
                        )}
                      />
                    }
                  />
                  <Route path={paths.dashboard} element={<Dashboard />} />
                  <Route
                    path={paths.profile}
                    element={
                      <Profile
                        fiscal={
                          <Suspense>
                            <FiscalData />
                          </Suspense>
                        }
                      />
                    }
                  />
                  <Route path={paths.layaway} element={<Layaway />} />
                  <Route path={patterns.barcode} element={<BarcodeView />} />
                  {/* One element for both routes, so that the list stays mounted. */}
                  <Route
                    element={
                      <Purchases
                        invoice={(of) => (
                          <Suspense>
                            <InvoicePart {...of} />
                          </Suspense>
                        )}
                      />
                    }
                  >
                    <Route path={paths.purchases} element={null} />
                    <Route path={patterns.purchase} element={null} />
                  </Route>
                  <Route path={patterns.receipt} element={<Receipt />} />
                  <Route path={patterns.payInStore} element={<StorePayment />} />
                  <Route path={patterns.payLayaway} element={<LayawayPayment step="pay" />} />
                  <Route path={patterns.threeDsLayaway} element={<LayawayPayment step="threeDs" />} />
                  <Route path={patterns.payInstalment} element={<InstalmentPayment step="pay" />} />
                  <Route path={patterns.threeDsInstalment} element={<InstalmentPayment step="threeDs" />} />
                </Route>
              </Route>
              <Route path="*" element={<CatchAll />} />
            </Routes>
          </Suspense>
        </Posted>
      </AlertHost>
    </Broken>
  );
}
