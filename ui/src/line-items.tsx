import type { Centavos } from '@aparta/domain/money';
import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import styles from './line-items.module.css';

/** An amount, or a fact in words. */
export type LineItem = { label: string; strong?: boolean } & ({ amount: Centavos } | { text: ReactNode });

/** Label and amount rows joined by dotted leaders; a double rule stands above the total. */
export function LineItems({
  rows,
  total,
}: {
  rows: readonly LineItem[];
  total?: { label: string; amount: Centavos; size?: 'big' | 'mid' };
}) {
  return (
    <dl className={styles.items}>
      {rows.map((row, place) => (
        // Two may have the same label, such as two purchases of one product.
        <div key={place} className={styles.row} data-strong={row.strong || undefined}>
          <dt>{row.label}</dt>
          <dd>
            {'amount' in row ? <Amount of={row.amount} size={row.strong ? 'strong' : 'plain'} /> : row.text}
          </dd>
        </div>
      ))}
      {total && (
        <div className={styles.total}>
          <dt>{total.label}</dt>
          <dd>
            <Amount of={total.amount} size={total.size ?? 'big'} />
          </dd>
        </div>
      )}
    </dl>
  );
}
