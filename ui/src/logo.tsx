import styles from './logo.module.css';

/** The logo with the product's name, which is configurable. */
export function Logo({ name }: { name: string }) {
  return (
    <span className={styles.logo}>
      <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path
          className={styles.ring}
          fillRule="evenodd"
          d="M22 5.8v20.4a12.5 12.5 0 1 1 0-20.4ZM13.5 10.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z"
        />
        <rect className={styles.bar} x="24.25" y="3.5" width="6.75" height="25" rx="2" />
      </svg>
      {name}
    </span>
  );
}
