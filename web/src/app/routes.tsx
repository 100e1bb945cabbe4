import { Suspense } from 'react';
import { Route, Routes } from 'react-router';
// The public screens come with the first load: they are what it is for, and their HTML is already there.
import RegisterPage from '../account/register-page.tsx';
import SignInPage from '../account/sign-in-page.tsx';
import { AlertHost } from '../ui/alert.tsx';
import { Broken } from './broken.tsx';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import { CatchAll, Guard } from './guard.tsx';
import { lazyPage } from './lazy-page.tsx';
import { paths, patterns } from './paths.ts';
import type { NavEntry } from './shell.tsx';

const SignedIn = lazyPage(() => import('./signed-in.tsx'));
const Home = lazyPage(() => import('../home/home-page.tsx'));
const BarcodeView = lazyPage(() => import('../layaway/barcode-page.tsx'));
const Layaway = lazyPage(() => import('../layaway/layaway-page.tsx'));
const LayawayPayment = lazyPage(() => import('../payments/layaway-payment-page.tsx'));
const Purchases = lazyPage(() => import('../purchases/purchases-page.tsx'));
const Receipt = lazyPage(() => import('../purchases/receipt-page.tsx'));
const NextPayment = lazyPage(() => import('../purchases/next-payment.tsx'));
const Dashboard = lazyPage(() => import('../purchases/dashboard-page.tsx'));
const NotOpen = lazyPage(() => import('./not-open-page.tsx'));
const Design = lazyPage(() => import('../ui/design-page.tsx'));

const entries: readonly NavEntry[] = [
  { to: paths.home, icon: 'home', label: appCopy.entries.home, onIntent: Home.preload },
  { to: paths.profile, icon: 'person', label: appCopy.entries.profile },
  { to: paths.layaway, icon: 'tag', label: appCopy.entries.layaway, onIntent: Layaway.preload },
  { to: paths.purchases, icon: 'payments', label: appCopy.entries.purchases, onIntent: Purchases.preload },
];

/** What a buyer who is signing in will see next. */
function preloadHome() {
  SignedIn.preload();
  Home.preload();
  NextPayment.preload();
}

const showsDesign = import.meta.env.DEV || config.designPage;

/** Every screen of the app (§2). A page that needs two features is put together here. */
export function App() {
  return (
    <Broken>
      <AlertHost>
        <Suspense>
          <Routes>
            <Route path={paths.login} element={<SignInPage onIntent={preloadHome} />} />
            <Route path={paths.register} element={<RegisterPage />} />
            <Route path={paths.forgotPassword} element={<NotOpen screen="forgotPassword" />} />
            <Route path={paths.changePassword} element={<NotOpen screen="changePassword" />} />
            {showsDesign && <Route path={paths.design} element={<Design />} />}
            <Route element={<Guard />}>
              <Route element={<SignedIn entries={entries} />}>
                <Route
                  path={paths.home}
                  element={
                    <Home
                      nextPayment={
                        <Suspense>
                          <NextPayment />
                        </Suspense>
                      }
                    />
                  }
                />
                <Route path={paths.dashboard} element={<Dashboard />} />
                <Route path={paths.profile} element={<NotOpen screen="profile" />} />
                <Route path={paths.layaway} element={<Layaway />} />
                <Route path={patterns.barcode} element={<BarcodeView />} />
                {/* One element for both: the list stays as it is while its details change. */}
                <Route element={<Purchases />}>
                  <Route path={paths.purchases} element={null} />
                  <Route path={patterns.purchase} element={null} />
                </Route>
                <Route path={patterns.receipt} element={<Receipt />} />
                <Route path="/onSitePaymentByTapi/:id/:cxcid" element={<NotOpen screen="payment" />} />
                <Route path={patterns.payLayaway} element={<LayawayPayment step="pay" />} />
                <Route path={patterns.threeDsLayaway} element={<LayawayPayment step="threeDs" />} />
                <Route path="/paymentByClib/:id/:cxcid" element={<NotOpen screen="payment" />} />
                <Route
                  path="/threeDSByclib/:id/:cxcid/:bussinessid/:saldo"
                  element={<NotOpen screen="payment" />}
                />
              </Route>
            </Route>
            <Route path="*" element={<CatchAll />} />
          </Routes>
        </Suspense>
      </AlertHost>
    </Broken>
  );
}
