import type { DateOnly } from '@aparta/domain/calendar';
import { Icon } from '@aparta/ui/icon.tsx';
import type { Instalment } from '../data/instalments.ts';
import type { Purchase } from '../data/purchases.ts';
import { dueWords } from './copy.ts';
import { dueCopy as copy } from './due-copy.ts';
import { isLate } from './plan.ts';
import styles from './due-text.module.css';

/**
 * When the next instalment is due: orange if it is next, red if late. One whose card payment is open, or that waits at a store,
 * says so in amber, beside its being late.
 */
export function DueText({
  next,
  attempt,
  today,
}: {
  next: Instalment;
  attempt: Purchase['openAttempt'];
  today: DateOnly;
}) {
  const said = attempt
    ? attempt === 'pending_3ds'
      ? copy.threeDs
      : copy.confirming
    : next.storeReferenceUntil && copy.waitsAtStore;
  const late = isLate(next);
  return (
    <>
      {(late || !said) && (
        <span className={styles.due} data-tone={late ? 'danger' : 'next'}>
          <Icon name={late ? 'warning' : 'clock'} small />
          {dueWords(next.dueOn, today, late)}
        </span>
      )}
      {said && (
        <span className={styles.due} data-tone="pending">
          <Icon name={attempt ? 'clock' : 'store'} small />
          {said}
        </span>
      )}
    </>
  );
}
