import { AppLink } from '@aparta/ui/app-link.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { NetAmount } from './net-amount.tsx';
import styles from './row.module.css';

/** Rows below each other. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

/** A thing, its sum and what is told of it; leads to it where there is a `to`. */
export function Row({
  title,
  amount,
  facts,
  to,
  isChosen = false,
  children,
}: {
  title: string;
  /** In centavos; below zero for what went. */
  amount: number;
  facts: ReactNode;
  to?: string | undefined;
  isChosen?: boolean;
  children?: ReactNode;
}) {
  const inside = (
    <>
      <span className={styles.top}>
        <b>{title}</b>
        <NetAmount of={amount} size="strong" />
      </span>
      <span className={`${text.muted} ${text.small}`}>{facts}</span>
      {children}
    </>
  );
  return (
    <li>
      {to === undefined ? (
        <div className={styles.row}>{inside}</div>
      ) : (
        <AppLink to={to} className={styles.row} aria-current={isChosen || undefined}>
          {inside}
        </AppLink>
      )}
    </li>
  );
}

/** How what a row tells of stands: a chip, and words beside it. */
export function HowItStands({ children }: { children: ReactNode }) {
  return <span className={styles.standing}>{children}</span>;
}
