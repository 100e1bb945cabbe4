import { useMemo } from 'react';
import { trustedHtml } from './trusted.ts';
import styles from './drawing.module.css';

/**
 * A decorative drawing from `drawings/*.svg`, imported with `?raw` so that the tokens colour it. `svg` is a
 * file of ours, never user input.
 */
export function Drawing({ svg, className }: { svg: string; className?: string | undefined }) {
  // Trusted values are objects, so without the memo React would rewrite the markup on each render.
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
