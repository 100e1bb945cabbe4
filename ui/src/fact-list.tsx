import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import text from './text.module.css';
import styles from './fact-list.module.css';

/** A list of short facts, each with an icon. */
export function FactList({
  facts,
}: {
  /** `key` is needed where two facts share a title. */
  facts: readonly { icon: IconName; title: string; text?: ReactNode; key?: string | number }[];
}) {
  return (
    <ul className={styles.list}>
      {facts.map((fact) => (
        <li key={fact.key ?? fact.title} className={`${text.beside} ${styles.item}`}>
          <Icon name={fact.icon} />
          <p>
            <b>{fact.title}</b>
            {fact.text && <span>{fact.text}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
