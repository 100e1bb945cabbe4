import type { ReactNode } from 'react';
import { partsCopy } from './parts-copy.ts';
import styles from './progress.module.css';

export type SegmentState = 'paid' | 'next' | 'late' | 'pending' | 'upcoming';

/** One segment per instalment, announced as 'Pagados 2 de 3'. `aside` goes at the right. */
export function Progress({ segments, aside }: { segments: readonly SegmentState[]; aside?: ReactNode }) {
  const paid = segments.filter((segment) => segment === 'paid').length;
  const text = partsCopy.paidCount(paid, segments.length);
  return (
    <div className={styles.progress}>
      <div className={styles.text}>
        <b aria-hidden="true">{text}</b>
        {aside && <span className={styles.aside}>{aside}</span>}
      </div>
      <div
        className={styles.segments}
        role="progressbar"
        aria-label={partsCopy.paid}
        aria-valuemin={0}
        aria-valuemax={segments.length}
        aria-valuenow={paid}
        aria-valuetext={text}
      >
        {segments.map((segment, index) => (
          <span key={index} className={styles.segment} data-state={segment} />
        ))}
      </div>
    </div>
  );
}
