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
  onChange: (value: Value) => void;
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
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
