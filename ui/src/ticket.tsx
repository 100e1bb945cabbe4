import type { ReactNode } from 'react';
import styles from './ticket.module.css';

/**
 * A card with a perforation: `thing` above, `act` below. `receipt` is for money that arrived. With
 * `stub="side"` the second part moves to the side on a desktop.
 */
export function Ticket({
  label,
  kind = 'ticket',
  stub = 'below',
  thing,
  act,
}: {
  label: string;
  kind?: 'ticket' | 'receipt';
  stub?: 'below' | 'side';
  thing: ReactNode;
  act: ReactNode;
}) {
  return (
    <section className={styles.ticket} aria-label={label} data-kind={kind} data-stub={stub}>
      <div className={styles.part}>{thing}</div>
      <div className={styles.tear} />
      <div className={styles.part}>{act}</div>
    </section>
  );
}
