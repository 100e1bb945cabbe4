import type { ReactNode } from 'react';
import styles from './two-column.module.css';

/**
 * Stacks its parts on a phone; on wide screens `side` goes beside the rest. End `side` with the screen's
 * `StickyFooter`.
 */
export function TwoColumn({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <div className={styles.side}>{side}</div>
    </div>
  );
}
