import { lazyPage } from '@aparta/browser/lazy-page.tsx';

/** The list comes with the document of the list, and while a phone's buyer reads a purchase that they came to without it. */
export const PurchaseListPart = lazyPage(() =>
  import('./purchase-list.tsx').then((list) => ({ default: list.PurchaseList })),
);
