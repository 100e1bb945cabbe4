import type { ReactNode } from 'react';
import { uiCopy } from './copy.ts';
import styles from './progress.module.css';

export type SlotState = 'paid' | 'next' | 'late' | 'pending' | 'upcoming';

/** The card of abonos: one slot per instalment. Its value is the text 'Pagados 2 de 3'; `aside` stands at the right. */
export function Progress({ slots, aside }: { slots: readonly SlotState[]; aside?: ReactNode }) {
  const paid = slots.filter((slot) => slot === 'paid').length;
  const text = uiCopy.paidCount(paid, slots.length);
  return (
    <div className={styles.progress}>
      <div className={styles.text}>
        <b aria-hidden="true">{text}</b>
        {aside}
      </div>
      <div
        className={styles.slots}
        role="progressbar"
        aria-label={uiCopy.paid}
        aria-valuemin={0}
        aria-valuemax={slots.length}
        aria-valuenow={paid}
        aria-valuetext={text}
      >
        {slots.map((slot, index) => (
          <span key={index} className={styles.slot} data-state={slot} />
        ))}
      </div>
    </div>
  );
}
