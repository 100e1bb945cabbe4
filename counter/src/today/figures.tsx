import { AppLink } from '@aparta/ui/app-link.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { NetAmount } from '../lists/net-amount.tsx';
import styles from './today.module.css';

/** A figure that leads to its rows. */
export interface Figure {
  readonly label: string;
  readonly count: string;
  /** In centavos; below zero where more went than came. */
  readonly amount: number;
  readonly to: string;
}

/** Figures of one kind, under a title; `children` is what stands before them, such as their chart. */
export function Figures({
  title,
  rows,
  children,
}: {
  title: string;
  rows: readonly Figure[];
  children?: ReactNode;
}) {
  return (
    <section className={`${text.card} ${styles.figures}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
      {rows.length > 0 && <FigureRows rows={rows} />}
    </section>
  );
}

export function FigureRows({ rows }: { rows: readonly Figure[] }) {
  return (
    <ul className={styles.rows}>
      {rows.map(({ label, count, amount, to }) => (
        <li key={label}>
          <AppLink to={to} className={styles.row}>
            <span>
              {label}
              <span className={`${text.muted} ${text.small} ${styles.count}`}>{count}</span>
            </span>
            <NetAmount of={amount} size="strong" />
          </AppLink>
        </li>
      ))}
    </ul>
  );
}
