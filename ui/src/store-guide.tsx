import { useId } from 'react';
import styles from './store-guide.module.css';
import text from './text.module.css';

/** How, and at which stores, a reference is paid in cash. */
export function StoreGuide({
  how,
  steps,
  where,
  stores,
  when,
}: {
  /** Headings. */
  how: string;
  where: string;
  steps: readonly string[];
  stores: readonly { readonly name: string; readonly says: string; readonly takesIt: boolean }[];
  /** How long it takes. */
  when: string;
}) {
  const howId = useId();
  const whereId = useId();
  return (
    <>
      <section className={text.stack} aria-labelledby={howId}>
        <h2 id={howId} className={styles.heading}>
          {how}
        </h2>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      <section className={text.stack} aria-labelledby={whereId}>
        <h2 id={whereId} className={styles.heading}>
          {where}
        </h2>
        <ul className={styles.stores}>
          {stores.map(({ name, says, takesIt }) => (
            <li key={name} className={styles.store} data-takes-it={takesIt}>
              <b>{name}</b>
              <span>{says}</span>
            </li>
          ))}
        </ul>
        <p className={`${text.muted} ${text.small}`}>{when}</p>
      </section>
    </>
  );
}
