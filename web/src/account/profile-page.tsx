import { Page, PageHead } from '@aparta/ui/page.tsx';
import { Tabs } from '@aparta/ui/tabs.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { whenIdle } from '@aparta/browser/when-idle.ts';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { Suspense, useEffect, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { useUser } from '../session/session.ts';
import { profileCopy } from './profile-copy.ts';
import styles from './profile-page.module.css';

const GeneralTab = lazyPage(() => import('./general-tab.tsx'));

const copy = profileCopy.tabs;

const opensFiscal = (search: URLSearchParams) => search.get('parte') === 'fiscal';

/** The general tab, where an address with this search opens it. */
export async function loadGeneral(search: string | undefined): Promise<void> {
  if (!opensFiscal(new URLSearchParams(search))) await GeneralTab.load();
}

/**
 * Spec §2, client edit with its two tabs: the code of the other comes while one is read. The open tab is in the URL, so that going back
 * restores it.
 */
export default function ProfilePage({
  fiscal,
  onFiscalNear,
}: {
  fiscal: ReactNode;
  onFiscalNear?: () => void;
}) {
  useArrival(profileCopy.title, config.productName);
  const user = useUser();
  const [search, setSearch] = useSearchParams();
  useEffect(
    () =>
      whenIdle(() => {
        GeneralTab.preload();
        onFiscalNear?.();
      }),
    [onFiscalNear],
  );
  if (!user) return null;
  return (
    <Page>
      <PageHead title={profileCopy.title} />
      <Tabs
        label={copy.label}
        open={opensFiscal(search) ? 'fiscal' : 'general'}
        onOpen={(tab) => setSearch(tab === 'fiscal' ? { parte: tab } : {}, { replace: true })}
        tabs={[
          {
            id: 'general',
            label: copy.general,
            panel: (
              <div className={styles.general}>
                <Suspense>
                  <GeneralTab buyerId={user.id} />
                </Suspense>
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
