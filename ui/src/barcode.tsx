import { useEffect, useState, type CSSProperties } from 'react';
import { inGroups } from '@aparta/domain/in-groups';
import type { Bar } from './code128.ts';
import { partsCopy } from './parts-copy.ts';
import styles from './barcode.module.css';

/**
 * A bar code on its plate. Orange marks the next act (spec §9), by day and night alike, since a scanner reads
 * it. The encoder loads with the first bar code; the space is reserved until then.
 */
export function Barcode({
  reference,
  ground = 'orange',
  narrow = false,
}: {
  reference: string;
  ground?: 'orange' | 'white';
  /** One pixel per module, as in the spec's bar-code view (spec §9), instead of two. */
  narrow?: boolean;
}) {
  const [drawn, setDrawn] = useState<{ modules: number; bars: Bar[] } | 'failed'>();
  useEffect(() => {
    let gone = false;
    import('./code128.ts')
      .then(({ code128 }) => code128(reference))
      .then(
        (code) => !gone && setDrawn(code),
        () => !gone && setDrawn('failed'),
      );
    return () => {
      gone = true;
    };
  }, [reference]);

  if (drawn === 'failed') return <p className={styles.failed}>{partsCopy.barcodeFailed}</p>;
  return (
    <div
      className={styles.plate}
      data-ground={ground}
      data-narrow={narrow || undefined}
      role="img"
      aria-label={partsCopy.barcodeOf(inGroups(reference))}
    >
      {drawn === undefined ? (
        <div className={styles.place} />
      ) : (
        <svg
          className={styles.bars}
          viewBox={`0 0 ${drawn.modules} 1`}
          preserveAspectRatio="none"
          // A multiple of the module token: whole pixels keep the bars scannable.
          style={{ '--modules': drawn.modules } as CSSProperties}
          aria-hidden="true"
        >
          <path d={drawn.bars.map(({ x, width }) => `M${x} 0h${width}v1h-${width}z`).join('')} />
        </svg>
      )}
    </div>
  );
}
