import type { ReactNode } from 'react';
import styles from './page.module.css';

/** A screen with the navigation around it: `wide` for lists and details, else the width of reading. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/**
 * One column of at most 480 px with the act docked below: wizard, payment, results. On a phone the dock takes the place
 * of the tab bar. A `StickyFooter` may be its last child.
 */
export function Flow({ children }: { children: ReactNode }) {
  return (
    <div className={styles.flow} data-flow>
      {children}
    </div>
  );
}

/** The title of a screen, with a line under it. It takes focus when the screen opens: see `useArrival`. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p>{children}</p>}
    </div>
  );
}
