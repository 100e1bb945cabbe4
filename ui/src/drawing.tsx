import { useMemo } from 'react';
import { trustedHtml } from './trusted.ts';
import styles from './drawing.module.css';

/**
 * A decorative drawing from `ui/drawings/*.svg`, imported with `?raw` so that it takes the colours of day and night
 * from the tokens. `svg` is our own file, never anything a person typed.
 */
export function Drawing({ svg, className }: { svg: string; className?: string | undefined }) {
  // A trusted value is an object: React would write the drawing anew for each one it has not seen.
  const markup = useMemo(() => ({ __html: trustedHtml(svg) }), [svg]);
  return (
    <span
      className={className ? `${styles.art} ${className}` : styles.art}
      aria-hidden="true"
      // oxlint-disable-next-line react/no-danger -- an SVG file of this repository, through the one trusted policy
      dangerouslySetInnerHTML={markup}
    />
  );
}
