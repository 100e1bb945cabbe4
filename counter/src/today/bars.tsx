import styles from './today.module.css';

/** A small chart of sums, the table of which stands beside it: to a reader it is only a picture. What is below zero has no bar. */
export function Bars({ of, late }: { of: readonly number[]; late?: readonly boolean[] }) {
  const most = Math.max(1, ...of);
  const [width, height, gap] = [20, 60, 8];
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${of.length * (width + gap) - gap} ${height + 2}`}
      aria-hidden="true"
      focusable="false"
    >
      {of.map((amount, place) => {
        // What is above nothing is seen.
        const tall = amount <= 0 ? 0 : Math.max(2, (amount / most) * height);
        return (
          <rect
            key={place}
            className={late?.[place] ? styles.lateBar : styles.bar}
            x={place * (width + gap)}
            y={height - tall}
            width={width}
            height={tall}
            rx={2}
          />
        );
      })}
      <line
        className={styles.ground}
        x1={0}
        x2={of.length * (width + gap) - gap}
        y1={height + 1}
        y2={height + 1}
      />
    </svg>
  );
}
