import { lazyPage } from '@aparta/browser/lazy-page.tsx';

/** A purchase's detail comes while the buyer reads the list, and with the document of a purchase. */
export const PurchaseDetailPart = lazyPage(() =>
  import('./purchase-detail.tsx').then((detail) => ({ default: detail.PurchaseDetailPart })),
);
