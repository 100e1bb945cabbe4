import type { CaptureIcons } from './capture-icons.ts';
import { type firstIcons, iconPaths } from './icon-paths.ts';
import styles from './icon.module.css';
import type { MoreIcons } from './more-icons.ts';

export type IconName = keyof typeof firstIcons | MoreIcons | CaptureIcons;

/** An icon beside its text. Hidden from screen readers, since the text says it. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg
      className={small ? styles.small : styles.icon}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
