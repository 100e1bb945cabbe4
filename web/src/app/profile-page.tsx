import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { Suspense } from 'react';
import ProfilePage, { loadGeneral } from '../account/profile-page.tsx';

const FiscalData = lazyPage(() => import('../invoices/fiscal-data.tsx'));

/** The profile with its first tab, unless it is opened at the other. */
export async function loadProfile() {
  await loadGeneral(globalThis.location?.search);
  return { default: ProfileWithFiscal };
}

/** The profile, its tax data among it. */
export default function ProfileWithFiscal() {
  return (
    <ProfilePage
      fiscal={
        <Suspense>
          <FiscalData />
        </Suspense>
      }
      onFiscalNear={FiscalData.preload}
    />
  );
}
