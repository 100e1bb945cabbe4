import { Icon } from '@aparta/ui/icon.tsx';
import { AppLink } from '@aparta/ui/app-link.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import type { NavEntry } from '@aparta/ui/shell.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import styles from './more-page.module.css';

/** On a phone: the entries of the navigation that have no tab of their own. */
export function MorePage({ entries }: { entries: readonly NavEntry[] }) {
  useArrival(appCopy.entries.more, config.productName);
  return (
    <Page>
      <PageHead title={appCopy.entries.more} />
      <ul className={styles.list}>
        {entries.map(({ to, icon, label }) => (
          <li key={to}>
            <AppLink to={to} className={styles.entry}>
              <Icon name={icon} />
              <span>{label}</span>
              <Icon name="next" small />
            </AppLink>
          </li>
        ))}
      </ul>
    </Page>
  );
}
