import { formCopy } from './form-copy.ts';
import styles from './payments.module.css';

const { provider, providerLogo } = formCopy.form;

/** Spec §2, the card provider's logo: a neutral mark with its name, since its trademark is not ours to draw. */
export function ProviderMark() {
  return (
    <span role="img" aria-label={providerLogo} className={styles.provider}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
        <path d="M16.5 7v9a4.5 4.5 0 0 1-9 0V6.5a3 3 0 0 1 6 0V15a1.5 1.5 0 0 1-3 0V7.5" />
      </svg>
      <b>{provider}</b>
    </span>
  );
}
