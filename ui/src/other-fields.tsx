import type { ComponentProps } from 'react';
import { Frame, useField, type Named } from './field.tsx';
import { Icon } from './icon.tsx';
import field from './field.module.css';
import styles from './other-fields.module.css';

export function TextArea({
  label,
  name,
  hint,
  warning,
  error,
  ...input
}: Named & Omit<ComponentProps<'textarea'>, 'id' | 'name' | 'className' | 'style' | 'children'>) {
  const { id, aria } = useField({ hint, warning, error });
  return (
    <Frame {...{ id, label, name, hint, warning, error }}>
      <textarea {...input} {...aria} id={id} name={name} className={`${field.input} ${styles.area}`} />
    </Frame>
  );
}

/** A labelled select, for lists too long for `Choice`. */
export function Select<Value extends string>({
  label,
  name,
  hint,
  warning,
  error,
  options,
  ...input
}: Named & { options: readonly { value: Value; label: string }[] } & Omit<
    ComponentProps<'select'>,
    'id' | 'name' | 'className' | 'style' | 'children' | 'multiple'
  >) {
  const { id, aria } = useField({ hint, warning, error });
  return (
    <Frame {...{ id, label, name, hint, warning, error }}>
      <span className={styles.select}>
        <select {...input} {...aria} id={id} name={name} className={field.input}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="down" small />
      </span>
    </Frame>
  );
}
