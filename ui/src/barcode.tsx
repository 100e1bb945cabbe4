import { useEffect, useState, type CSSProperties } from 'react';
import { inGroups } from './code.tsx';
import type { Bar } from './code128.ts';
import { uiCopy } from './copy.ts';
import styles from './barcode.module.css';

/**
 * The plate of a bar code. Orange because showing it is the next act (spec §9); the same by day and night, since a
 * scanner reads it. The encoder is downloaded when the first plate shows, and its place is kept until then.
 */
export function Barcode({
  reference,
  ground = 'orange',
  narrow = false,
}: {
  reference: string;
  ground?: 'orange' | 'white';
  /** One pixel per module, as the spec's bar-code view has it (§9), instead of the readable two. */
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

  if (drawn === 'failed') return <p className={styles.failed}>{uiCopy.barcodeFailed}</p>;
  return (
    <div
      className={styles.plate}
      data-ground={ground}
      data-narrow={narrow || undefined}
      role="img"
      aria-label={uiCopy.barcodeOf(inGroups(reference))}
    >
      {drawn === undefined ? (
        <div className={styles.place} />
      ) : (
        <svg
          className={styles.bars}
          viewBox={`0 0 ${drawn.modules} 1`}
          preserveAspectRatio="none"
          // Its width is a multiple of the module token: whole pixels keep a bar code readable.
          style={{ '--modules': drawn.modules } as CSSProperties}
          aria-hidden="true"
        >
          <path d={drawn.bars.map(({ x, width }) => `M${x} 0h${width}v1h-${width}z`).join('')} />
        </svg>
      )}
    </div>
  );
}
