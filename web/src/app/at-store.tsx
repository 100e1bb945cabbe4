import '@aparta/ui/more-icons.ts';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { Route, Switch } from 'wouter';
import { patterns } from './paths.ts';

const StorePayment = lazyPage(() => import('../cash/store-payment-page.tsx'));
const KeptCode = lazyPage(() => import('../purchases/kept-code.tsx'));

/** What a shop is shown without internet, in a tab where nobody can sign in. */
export default function AtStore() {
  return (
    <Switch>
      <Route path={patterns.payInStore}>
        <StorePayment />
      </Route>
      <Route path={patterns.purchase}>{({ id }) => <KeptCode purchaseId={Number(id)} />}</Route>
    </Switch>
  );
}
