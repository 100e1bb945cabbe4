import type { DateOnly } from '@aparta/domain/calendar';
import { Icon } from '@aparta/ui/icon.tsx';
import type { Instalment } from '../data/instalments.ts';
import { dueWords, purchasesCopy } from './copy.ts';
import { isLate } from './plan.ts';
import styles from './purchases.module.css';

/** When the next instalment is due: orange if it is next, red if late, amber if it waits at a store. */
export function DueText({ next, today }: { next: Instalment; today: DateOnly }) {
  const waitsAtStore = next.storeReferenceUntil !== undefined;
  const late = isLate(next);
  const [tone, icon] = waitsAtStore
    ? (['pending', 'store'] as const)
    : late
      ? (['danger', 'warning'] as const)
      : (['next', 'clock'] as const);
  return (
    <span className={styles.due} data-tone={tone}>
      <Icon name={icon} small />
      {waitsAtStore ? purchasesCopy.card.waitsAtStore : dueWords(next.dueOn, today, late)}
    </span>
  );
}
