import type { DateOnly } from '@aparta/domain/calendar';
import { Icon } from '@aparta/ui/icon.tsx';
import { dueWords, purchasesCopy } from './copy.ts';
import styles from './purchases.module.css';

/** When the next instalment is due: orange if it is next, red if late, amber if it waits at a store. */
export function DueText({
  next,
  waitsAtStore,
  today,
}: {
  next: { dueOn: DateOnly; late: boolean };
  waitsAtStore: boolean;
  today: DateOnly;
}) {
  const [tone, icon] = waitsAtStore
    ? (['pending', 'store'] as const)
    : next.late
      ? (['danger', 'warning'] as const)
      : (['next', 'clock'] as const);
  return (
    <span className={styles.due} data-tone={tone}>
      <Icon name={icon} small />
      {waitsAtStore ? purchasesCopy.card.waitsAtStore : dueWords(next.dueOn, today, next.late)}
    </span>
  );
}
