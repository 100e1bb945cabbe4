import { lazy, Suspense } from 'react';
import { GeneralInformation } from './general-information.tsx';
import { Sessions } from './sessions.tsx';

/** They are read last: nothing is amiss without them. */
const CalendarAddress = lazy(() => import('./calendar-address.tsx').catch(() => ({ default: () => null })));
const YourData = lazy(() => import('./your-data.tsx').catch(() => ({ default: () => null })));

/** Spec §2, the general tab, and what we add to it. */
export default function GeneralTab({ buyerId }: { buyerId: number }) {
  return (
    <GeneralInformation buyerId={buyerId}>
      <Sessions />
      <Suspense>
        <CalendarAddress />
        <YourData />
      </Suspense>
    </GeneralInformation>
  );
}
