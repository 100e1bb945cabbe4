import type { ReactNode } from 'react';
import styles from './skeleton.module.css';

/** A loading placeholder. Announced as `label`; its blocks are silent. */
export function Skeleton({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-label={label} aria-busy="true" className={styles.skeleton}>
      {children}
    </div>
  );
}

/** One placeholder block in the shape of what will appear. */
export function SkeletonBlock({
  shape = 'line',
  width = 'full',
}: {
  shape?: 'line' | 'title' | 'sum' | 'tile' | 'control' | 'chip' | 'segments' | 'facts';
  width?: 'full' | 'most' | 'half' | 'third';
}) {
  return <span className={styles.block} data-shape={shape} data-width={width} />;
}
