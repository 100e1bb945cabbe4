import type { Centavos } from '@aparta/domain/money';
import styles from './goal-bar.module.css';

/** How far a sum has come towards a goal; `label` says it in words, above the bar. */
export function GoalBar({ label, reached, goal }: { label: string; reached: Centavos; goal: Centavos }) {
  return (
    <div className={styles.goal}>
      <b aria-hidden="true">{label}</b>
      <progress className={styles.bar} max={goal} value={Math.min(reached, goal)} aria-label={label} />
    </div>
  );
}
