import styles from './choice.module.css';

/**
 * Radio buttons for two or three options, one below the other where `stacked`. `only`: the value is decided elsewhere, so the others are disabled.
 */
export function Choice<Value extends string>({
  legend,
  name,
  options,
  value,
  only,
  stacked = false,
  onChange,
}: {
  legend: string;
  name: string;
  options: readonly { value: Value; label: string }[];
  value: Value | undefined;
  only?: Value | undefined;
  stacked?: boolean;
  /** `byKeys`: the arrows, which pass through the options, lead to it: what it shows leaves the focus there. */
  onChange: (value: Value, byKeys: boolean) => void;
}) {
  return (
    <fieldset className={styles.choice} data-stacked={stacked || undefined}>
      <legend className={styles.legend}>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={only !== undefined && option.value !== only}
            onChange={({ target }) => onChange(option.value, target.matches(':focus-visible'))}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
