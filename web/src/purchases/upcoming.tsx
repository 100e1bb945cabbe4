import type { DateOnly } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import text from '@aparta/ui/text.module.css';
import { useId } from 'react';
import { Link } from 'wouter';
import { paths } from '../app/paths.ts';
import type { Purchase } from '../data/purchases.ts';
import { dashboardCopy } from './dashboard-copy.ts';
import { DueText } from './due-text.tsx';
import styles from './upcoming.module.css';

const copy = dashboardCopy.upcoming;
const SHOWN = 4;

/** The next payment of each purchase, by due date. */
export function Upcoming({ purchases, today }: { purchases: readonly Purchase[]; today: DateOnly }) {
  const id = useId();
  return (
    <section className={text.tight} aria-labelledby={id}>
      <h2 id={id}>{copy.title}</h2>
      <ul className={styles.list}>
        {purchases.slice(0, SHOWN).map(
          ({ id: purchaseId, product, next, openAttempt }) =>
            next && (
              <li key={purchaseId}>
                <Link className={styles.row} to={paths.purchase(purchaseId)}>
                  <span className={styles.leaf} aria-hidden="true">
                    <b>{Number(next.dueOn.slice(8))}</b>
                    {copy.months[Number(next.dueOn.slice(5, 7)) - 1]}
                  </span>
                  <span className={styles.words}>
                    <Amount of={next.balance} size="strong" />
                    <span className={styles.product}>{product}</span>
                    <DueText next={next} attempt={openAttempt} today={today} />
                  </span>
                </Link>
              </li>
            ),
        )}
      </ul>
    </section>
  );
}
