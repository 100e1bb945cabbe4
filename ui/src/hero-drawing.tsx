import { Drawing } from './drawing.tsx';
import styles from './hero-drawing.module.css';

/** A drawing that stands on the counter, which runs across the column: the head of 'pending' and 'not done'. */
export function HeroDrawing({ drawing }: { drawing: string }) {
  return (
    <div className={styles.hero}>
      <Drawing svg={drawing} className={styles.art} />
    </div>
  );
}
