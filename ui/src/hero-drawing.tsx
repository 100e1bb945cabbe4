import { Drawing } from './drawing.tsx';
import styles from './hero-drawing.module.css';

/** A drawing at the head of the 'pending' and 'not paid' screens, on a line across the column. */
export function HeroDrawing({ drawing }: { drawing: string }) {
  return (
    <div className={styles.hero}>
      <Drawing svg={drawing} className={styles.art} />
    </div>
  );
}
