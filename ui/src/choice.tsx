import styles from './choice.module.css';

/**
 * Radio buttons for two or three options. `only`: the value is decided elsewhere, so the others are disabled.
 */
export function Choice<Value extends string>({
  legend,
  name,
  options,
  value,
  only,
  onChange,
}: {
  legend: string;
  name: string;
  options: readonly { value: Value; label: string }[];
  value: Value | undefined;
  only?: Value | undefined;
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset className={styles.choice}>
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
