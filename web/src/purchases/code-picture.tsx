import { pickupCopy as copy } from './pickup-copy.ts';
import styles from './pickup.module.css';

/** A pickup code, for the shop's scanner and for people. */
export function CodePicture({ code }: { code: { digits: string; qrPath: string; qrSize: number } }) {
  return (
    <div className={styles.code}>
      <svg
        viewBox={`0 0 ${code.qrSize} ${code.qrSize}`}
        role="img"
        aria-label={copy.qr}
        shapeRendering="crispEdges"
      >
        <path d={code.qrPath} />
      </svg>
      <p className={styles.digits} aria-label={`${copy.digits}: ${code.digits}`}>
        {code.digits.slice(0, 3)} {code.digits.slice(3)}
      </p>
    </div>
  );
}
