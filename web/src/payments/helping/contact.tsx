import { config } from '../../app/config.ts';
import { helpingCopy as copy } from './copy.ts';
import styles from './helping.module.css';

/** Whom a helper asks, and what becomes of their data; both leave the payment open. */
export function Contact() {
  const { email, phone } = config.help;
  return (
    <p className={styles.links}>
      {email !== '' ? (
        <a href={`mailto:${email}`}>{copy.doubts}</a>
      ) : (
        phone !== '' && <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{copy.doubts}</a>
      )}
      <a href="/privacidad" target="_blank" rel="noreferrer">
        {copy.privacy}
      </a>
    </p>
  );
}
