import { formatMoney, type Centavos } from '@aparta/domain/money';
import { spokenPesos } from './parts-copy.ts';
import styles from './amount.module.css';
import text from './text.module.css';

/**
 * Money: `$1,200.00`, never split across lines, read aloud in pesos. `hero` is the main sum of a screen,
 * `big` and `mid` are totals, `strong` and `plain` stand in rows. On a button use `formatMoney`, so that the
 * accessible name matches the text.
 */
export function Amount({
  of,
  size = 'plain',
}: {
  of: Centavos;
  size?: 'hero' | 'big' | 'mid' | 'strong' | 'plain';
}) {
  return (
    <span className={`${styles.amount} ${styles[size]}`}>
      <span aria-hidden="true">{formatMoney(of)}</span>
      <span className={text.srOnly}>{spokenPesos(Math.trunc(of / 100), of % 100)}</span>
    </span>
  );
}
