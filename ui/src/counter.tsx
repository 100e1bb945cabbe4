import { Drawing } from './drawing.tsx';
import styles from './counter.module.css';

/** A drawing that stands on the counter, which runs across the column: the head of 'pending' and 'not done'. */
export function Counter({ drawing }: { drawing: string }) {
  return (
    <div className={styles.counter}>
      <Drawing svg={drawing} className={styles.art} />
    </div>
  );
}
