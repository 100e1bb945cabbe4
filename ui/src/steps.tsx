import { partsCopy } from './parts-copy.ts';
import { Icon } from './icon.tsx';
import styles from './steps.module.css';
import text from './text.module.css';

/** Where the buyer is in a flow of a few steps. `current` counts from 1. */
export function Steps({ names, current }: { names: readonly string[]; current: number }) {
  return (
    <ol className={styles.steps} aria-label={partsCopy.step(current, names.length)}>
      {names.map((name, index) => {
        const done = index + 1 < current;
        return (
          <li
            key={name}
            className={styles.step}
            data-done={done || undefined}
            aria-current={index + 1 === current ? 'step' : undefined}
          >
            <span>
              {done && <Icon name="check" />}
              {done && <span className={text.srOnly}>{partsCopy.stepDone}</span>}
              {name}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
