import type { ReactNode } from 'react';
import styles from './two-column.module.css';

/**
 * The parts of a `Flow` under its head: one after the other on a phone, and where there is room `side` beside the rest. What
 * `side` ends with is the screen's `StickyFooter`.
 */
export function TwoColumn({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <div className={styles.side}>{side}</div>
    </div>
  );
}
