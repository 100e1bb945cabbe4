import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
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
  /** What is going on ('Pagando…'). While it is there the button keeps its size and its focus and does nothing. */
  busy?: string | undefined;
  /** Disabled without looking so: in HTML rendered at build, until scripts are there to answer. */
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

/** A way to another screen of the app that looks like a button. For a document of its own, give `reload`. */
export function ButtonLink({
  variant = 'secondary',
  icon,
  wide = false,
  small = false,
  to,
  reload = false,
  state,
  onIntent,
  children,
}: Shape & {
  to: string;
  reload?: boolean;
  /** What the next screen is told beside its address. */
  state?: unknown;
  /** The link is about to be followed: the moment to load what is behind it. */
  onIntent?: () => void;
}) {
  return (
    <Link
      to={to}
      reloadDocument={reload}
      state={state}
      className={classes(variant, wide, small)}
      {...(onIntent && { onPointerEnter: onIntent, onTouchStart: onIntent, onFocus: onIntent })}
    >
      <span className={styles.content}>
        {icon && <Icon name={icon} small />}
        {children}
      </span>
    </Link>
  );
}

/** The only buttons without a visible word: close, back, show password. Their label is spoken and shown on hover. */
export function IconButton({
  icon,
  label,
  onClick,
  pressed,
}: {
  icon: 'close' | 'back' | 'eye' | 'eyeOff';
  label: string;
  onClick: () => void;
  pressed?: boolean;
}) {
  return (
    <button
      type="button"
      className={`${styles.button} ${styles.icon}`}
      aria-label={label}
      aria-pressed={pressed}
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
