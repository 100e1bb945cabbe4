import { useId, type ReactNode, type Ref } from 'react';
import styles from './check.module.css';

/** A checkbox. The label may contain links. */
export function Check({
  name,
  ref,
  disabled = false,
  defaultChecked,
  onChange,
  children,
}: {
  name: string;
  ref?: Ref<HTMLInputElement>;
  disabled?: boolean;
  defaultChecked?: boolean;
  onChange?: (checked: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        type="checkbox"
        id={id}
        name={name}
        ref={ref}
        disabled={disabled}
        defaultChecked={defaultChecked}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <label htmlFor={id}>{children}</label>
    </div>
  );
}
