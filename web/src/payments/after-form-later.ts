import { lazyPage } from '@aparta/browser/lazy-page.tsx';

/** What follows the card form comes while the buyer types. */
export const AfterForm = lazyPage(() => import('./after-form.tsx'));
