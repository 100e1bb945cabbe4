import { partsCopy } from './parts-copy.ts';
import styles from './paid-badge.module.css';

/** Only for money that the server has confirmed. `date` is already formatted: '20 nov 2026'. */
export function PaidBadge({ date }: { date: string }) {
  return (
    <span className={styles.badge} role="img" aria-label={partsCopy.paidOn(date)}>
      <b aria-hidden="true">{partsCopy.paid}</b>
      <small aria-hidden="true">{date}</small>
    </span>
  );
}
