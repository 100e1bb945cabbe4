import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { uiCopy } from './copy.ts';
import { Icon, type IconName } from './icon.tsx';
import text from './text.module.css';
import styles from './notice.module.css';

const icons = { info: 'info', next: 'flag', pending: 'clock', danger: 'warning' } as const satisfies Record<
  string,
  IconName
>;

/**
 * A message that stays on the page. `urgent` is announced at once: for the result of something the buyer did.
 */
export function Notice({
  tone,
  title,
  children,
  urgent = false,
  onDismiss,
}: {
  tone: keyof typeof icons;
  title: string;
  children?: ReactNode;
  urgent?: boolean;
  onDismiss?: (() => void) | undefined;
}) {
  return (
    <div
      className={`${text.beside} ${styles.notice}`}
      data-tone={tone}
      data-dismiss={onDismiss ? true : undefined}
      role={urgent ? 'alert' : undefined}
    >
      <Icon name={icons[tone]} small />
      <p>
        <b>{title}</b>
        {children && <span> {children}</span>}
      </p>
      {onDismiss && <IconButton icon="close" label={uiCopy.closeNotice} onClick={onDismiss} />}
    </div>
  );
}
