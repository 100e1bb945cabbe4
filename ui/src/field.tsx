import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { uiCopy } from './copy.ts';
import { Icon } from './icon.tsx';
import styles from './field.module.css';

export type Named = {
  label: string;
  name: string;
  hint?: string | undefined;
  /** Looks wrong but may be right; does not block. */
  warning?: string | undefined;
  /** Why it is wrong and how to fix it. If set, the field is invalid. */
  error?: string | undefined;
};

/** Ids that tie a control to its label, hint and error. */
export function useField({ hint, warning, error }: Omit<Named, 'label' | 'name'>) {
  const id = useId();
  const described = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return {
    id,
    aria: { 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined },
  };
}

export function Frame({
  id,
  label,
  hint,
  warning,
  error,
  children,
}: Named & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field} data-wrong={error ? true : undefined}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {warning && (
        <p className={styles.warning} id={`${id}-warning`}>
          <Icon name="warning" small />
          {warning}
        </p>
      )}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <Icon name="warning" small />
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<
  ComponentProps<'input'>,
  'id' | 'name' | 'type' | 'className' | 'style' | 'children' | 'placeholder'
> & { placeholder?: string };

/** A labelled text input. Uncontrolled unless `value` is given, so that errors keep what was typed. */
export function Field({
  type = 'text',
  label,
  name,
  hint,
  warning,
  error,
  ...input
}: Named & InputProps & { type?: 'text' | 'email' | 'tel' | 'search' | 'date' }) {
  const { id, aria } = useField({ hint, warning, error });
  return (
    <Frame {...{ id, label, name, hint, warning, error }}>
      <input {...input} {...aria} id={id} name={name} type={type} className={styles.input} />
    </Frame>
  );
}

/** A password input with a show/hide button. `autoComplete` is required for password managers. */
export function PasswordField({
  label,
  name,
  hint,
  warning,
  error,
  ...input
}: Named & InputProps & { autoComplete: 'current-password' | 'new-password' }) {
  const { id, aria } = useField({ hint, warning, error });
  const [shown, setShown] = useState(false);
  return (
    <Frame {...{ id, label, name, hint, warning, error }}>
      <span className={styles.withButton}>
        <input
          {...input}
          {...aria}
          id={id}
          name={name}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          className={styles.input}
        />
        <IconButton
          icon={shown ? 'eyeOff' : 'eye'}
          label={shown ? uiCopy.hidePassword : uiCopy.showPassword}
          onClick={() => setShown(!shown)}
        />
      </span>
    </Frame>
  );
}
