import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { AppLink } from './app-link.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

/** `primary` is the one thing to do now, at most one per view; `danger` cannot be undone; `quiet` is optional. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

type Shape = {
  variant?: ButtonVariant;
  icon?: IconName;
  wide?: boolean;
  small?: boolean;
  children: ReactNode;
};

type ButtonProps = Shape & {
  type?: 'button' | 'submit';
  /** The busy label ('Pagando…'). Meanwhile the button keeps its size and focus and ignores presses. */
  busy?: string | undefined;
  /** Disabled without looking disabled: prerendered HTML, until scripts have loaded. */
  waiting?: boolean;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
} & Pick<ComponentProps<'button'>, 'disabled' | 'name' | 'value' | 'form' | 'ref' | 'autoFocus'> &
  Pick<ComponentProps<'button'>, 'aria-expanded' | 'aria-haspopup' | 'aria-controls' | 'aria-describedby'>;

export function Button({
  variant = 'secondary',
  icon,
  wide = false,
  small = false,
  busy,
  waiting = false,
  disabled = false,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || waiting}
      data-waiting={waiting || undefined}
      className={classes(variant, wide, small)}
      aria-busy={busy !== undefined || undefined}
      aria-disabled={busy !== undefined || undefined}
      onClick={busy === undefined ? onClick : (event) => event.preventDefault()}
    >
      <span className={styles.content} data-hidden={busy !== undefined || undefined}>
        {icon && <Icon name={icon} small />}
        {children}
      </span>
      {busy !== undefined && (
        <span className={styles.content}>
          <span className={styles.spin} aria-hidden="true" />
          {busy}
        </span>
      )}
    </button>
  );
}

/** A link styled as a button. Set `reload` for screens that are documents of their own. */
export function ButtonLink({
  variant = 'secondary',
  icon,
  wide = false,
  small = false,
  to,
  reload = false,
  state,
  onIntent,
  onClick,
  children,
  'aria-describedby': describedBy,
}: Shape & {
  to: string;
  reload?: boolean;
  /** Router state for the next screen. */
  state?: unknown;
  /** Called when the link is about to be followed: preload the screen. */
  onIntent?: () => void;
  /** Called before it is followed. */
  onClick?: () => void;
  'aria-describedby'?: string;
}) {
  return (
    <AppLink
      to={to}
      reload={reload}
      state={state}
      aria-describedby={describedBy}
      onClick={onClick}
      className={classes(variant, wide, small)}
      {...(onIntent && { onPointerEnter: onIntent, onTouchStart: onIntent, onFocus: onIntent })}
    >
      <span className={styles.content}>
        {icon && <Icon name={icon} small />}
        {children}
      </span>
    </AppLink>
  );
}

/** The only buttons without visible text. The label is spoken, and shown on hover. */
export function IconButton({
  icon,
  label,
  onClick,
}: {
  icon: 'close' | 'back' | 'eye' | 'eyeOff';
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={`${styles.button} ${styles.icon}`}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function classes(variant: ButtonVariant, wide: boolean, small: boolean): string {
  return [styles.button, styles[variant], wide && styles.wide, small && styles.small]
    .filter(Boolean)
    .join(' ');
}
