import { Page, PageHead } from '@aparta/ui/page.tsx';
import { Tabs } from '@aparta/ui/tabs.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { lazy, Suspense, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { useUser } from '../session/session.ts';
import { GeneralInformation } from './general-information.tsx';
import { profileCopy } from './profile-copy.ts';
import { Sessions } from './sessions.tsx';
import styles from './profile-page.module.css';

/** They are read last: nothing is amiss without them. */
const CalendarAddress = lazy(() => import('./calendar-address.tsx').catch(() => ({ default: () => null })));
const YourData = lazy(() => import('./your-data.tsx').catch(() => ({ default: () => null })));

const copy = profileCopy.tabs;

/** Spec §2, client edit with its two tabs. The open tab is in the URL, so that going back restores it. */
export default function ProfilePage({ fiscal }: { fiscal: ReactNode }) {
  useArrival(profileCopy.title, config.productName);
  const user = useUser();
  const [search, setSearch] = useSearchParams();
  if (!user) return null;
  return (
    <Page>
      <PageHead title={profileCopy.title} />
      <Tabs
        label={copy.label}
        open={search.get('parte') === 'fiscal' ? 'fiscal' : 'general'}
        onOpen={(tab) => setSearch(tab === 'fiscal' ? { parte: tab } : {}, { replace: true })}
        tabs={[
          {
            id: 'general',
            label: copy.general,
            panel: (
              <div className={styles.general}>
                <GeneralInformation buyerId={user.id}>
                  <Sessions />
                  <Suspense>
                    <CalendarAddress />
                    <YourData />
                  </Suspense>
                </GeneralInformation>
              </div>
            ),
          },
          { id: 'fiscal', label: copy.fiscal, panel: <div className={styles.panel}>{fiscal}</div> },
        ]}
      />
      <nav className={styles.legal} aria-label={profileCopy.legal.label}>
        <Link to={paths.terms}>{profileCopy.legal.terms}</Link>
        <Link to={paths.privacy}>{profileCopy.legal.privacy}</Link>
        <Help />
      </nav>
    </Page>
  );
}
