import type { Centavos } from '@aparta/domain/money';
import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import styles from './sticky-footer.module.css';

/** Total and main action, stuck to the bottom of a flow. Last child of a `Flow`. `beside`: in one row, for one button. */
export function StickyFooter({
  total,
  beside = false,
  children,
}: {
  total?: { label: string; amount: Centavos };
  beside?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={styles.footer} data-beside={(total && beside) || undefined}>
      {total && (
        <p className={styles.sum}>
          <span>{total.label}</span>
          <Amount of={total.amount} size="mid" />
        </p>
      )}
      {children}
    </div>
  );
}
