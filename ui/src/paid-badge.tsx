import { uiCopy } from './copy.ts';
import styles from './paid-badge.module.css';

/** Only for money that the server said has arrived. `date` is ready to read: '20 nov 2026'. */
export function PaidBadge({ date }: { date: string }) {
  return (
    <span className={styles.badge} role="img" aria-label={uiCopy.paidOn(date)}>
      <b aria-hidden="true">{uiCopy.paid}</b>
      <small aria-hidden="true">{date}</small>
    </span>
  );
}
