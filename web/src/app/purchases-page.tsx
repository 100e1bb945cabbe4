import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import PurchasesPage from '../purchases/purchases-page.tsx';

const InvoicePart = lazyPage(() => import('../invoices/invoice-part.tsx'));

/** The list and a purchase, each payment with its invoice. */
export default function PurchasesWithInvoices() {
  return <PurchasesPage invoice={(of) => <InvoicePart {...of} />} onDetailNear={InvoicePart.preload} />;
}
