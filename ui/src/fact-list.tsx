import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './fact-list.module.css';

/** What the buyer should know, one short fact after the other, each with its icon. */
export function FactList({
  facts,
}: {
  /** `key` tells facts of the same title apart. */
  facts: readonly { icon: IconName; title: string; text?: ReactNode; key?: string | number }[];
}) {
  return (
    <ul className={styles.list}>
      {facts.map((fact) => (
        <li key={fact.key ?? fact.title} className={styles.item}>
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
