import { Drawing } from '@aparta/ui/drawing.tsx';
import shelf from '@aparta/ui/drawings/shelf.svg?raw';
import { Logo } from '@aparta/ui/logo.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import styles from './public-page.module.css';

/** The page before it is known which: the HTML of the address where most visitors arrive, signed in or not. */
export function EmptyPage() {
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Logo name={config.productName} />
      </header>
    </div>
  );
}

/**
 * Layout of the public screens: logo, drawing and one column. `reading`: for long texts, without the drawing.
 */
export function PublicPage({
  children,
  foot,
  reading = false,
}: {
  children: ReactNode;
  foot: ReactNode;
  reading?: boolean;
}) {
  return (
    <div className={styles.page} data-reading={reading || undefined}>
      <header className={styles.bar}>
        <Link to={paths.login} className={styles.logo}>
          <Logo name={config.productName} />
        </Link>
      </header>
      {!reading && <Drawing svg={shelf} className={styles.shelf} />}
      <main className={styles.main}>
        {children}
        {foot && <nav className={styles.foot}>{foot}</nav>}
      </main>
    </div>
  );
}
