import { Drawing } from '@aparta/ui/drawing.tsx';
import { Logo } from '@aparta/ui/logo.tsx';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import styles from './public-page.module.css';

/** In the page's HTML already when it was prerendered, so that it is not sent twice. */
let shelf = globalThis.document?.querySelector(`.${styles.shelf}`)?.innerHTML;

/** For who prerenders. */
export function bringShelf(svg: string): void {
  shelf = svg;
}

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
 * Layout of the public screens: logo, drawing and one column. `reading`: the class of one for long texts, without the drawing.
 */
export function PublicPage({
  children,
  foot,
  reading,
}: {
  children: ReactNode;
  foot: ReactNode;
  reading?: string | undefined;
}) {
  return (
    <div className={reading ? `${styles.page} ${reading}` : styles.page}>
      <header className={styles.bar}>
        <Link to={paths.login} className={styles.logo}>
          <Logo name={config.productName} />
        </Link>
      </header>
      {!reading && <Shelf />}
      <main className={styles.main}>
        {children}
        {foot && <nav className={styles.foot}>{foot}</nav>}
      </main>
    </div>
  );
}

function Shelf() {
  const [svg, setSvg] = useState(shelf ?? '');
  useEffect(() => {
    if (svg) return;
    void import('@aparta/ui/drawings/shelf.svg?raw').then(
      (drawing) => {
        shelf = drawing.default;
        setSvg(shelf);
      },
      // It only decorates.
      () => {},
    );
  }, [svg]);
  return <Drawing svg={svg} className={styles.shelf} />;
}
