import type { ReactNode } from 'react';
import styles from './page.module.css';

/** A screen inside the navigation. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/**
 * One column of at most 480 px with the main action at the bottom: wizard, payment, results. On a phone it
 * replaces the tab bar. A `StickyFooter` may be its last child.
 */
export function Flow({ children }: { children: ReactNode }) {
  return (
    <div className={styles.flow} data-flow>
      {children}
    </div>
  );
}

/** The title of a screen with a line under it. Receives focus when the screen opens: see `useArrival`. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p>{children}</p>}
    </div>
  );
}
