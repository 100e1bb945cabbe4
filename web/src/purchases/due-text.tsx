import type { DateOnly } from '@aparta/domain/calendar';
import { Icon } from '@aparta/ui/icon.tsx';
import type { Instalment } from '../data/instalments.ts';
import { dueWords, purchasesCopy } from './copy.ts';
import { isLate } from './plan.ts';
import styles from './purchases.module.css';

/**
 * When the next instalment is due: orange if it is next, red if late. One that waits at a store says so in amber, beside
 * its being late.
 */
export function DueText({ next, today }: { next: Instalment; today: DateOnly }) {
  const waitsAtStore = next.storeReferenceUntil !== undefined;
  const late = isLate(next);
  return (
    <>
      {(late || !waitsAtStore) && (
        <span className={styles.due} data-tone={late ? 'danger' : 'next'}>
          <Icon name={late ? 'warning' : 'clock'} small />
          {dueWords(next.dueOn, today, late)}
        </span>
      )}
      {waitsAtStore && (
        <span className={styles.due} data-tone="pending">
          <Icon name="store" small />
          {purchasesCopy.card.waitsAtStore}
        </span>
      )}
    </>
  );
}
