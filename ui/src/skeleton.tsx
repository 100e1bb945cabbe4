import type { ReactNode } from 'react';
import styles from './skeleton.module.css';

/** What a screen of this shape looks like while it loads. Spoken as `label`; its bones are silent. */
export function Skeleton({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-label={label} aria-busy="true" className={styles.skeleton}>
      {children}
    </div>
  );
}

/** One bone: a line of text, a title, a sum, a tile, a control, or a chip. */
export function SkeletonBlock({
  shape = 'line',
  width = 'full',
}: {
  shape?: 'line' | 'title' | 'sum' | 'tile' | 'control' | 'chip' | 'segments';
  width?: 'full' | 'most' | 'half' | 'third';
}) {
  return <span className={styles.block} data-shape={shape} data-width={width} />;
}
