import { spelled } from '@aparta/ui/spelled.ts';
import text from '@aparta/ui/text.module.css';
import { pickupCopy as copy } from './pickup-copy.ts';
import styles from './pickup.module.css';

/** A pickup code, for the shop's scanner and for people. */
export function CodePicture({ code }: { code: { digits: string; qrPath: string; qrSize: number } }) {
  const digits = inTwo(code.digits);
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
      <div role="group" aria-label={copy.digits}>
        <p className={styles.digits} aria-hidden="true">
          {digits}
        </p>
        <p className={text.srOnly}>{spelled(digits)}</p>
      </div>
    </div>
  );
}

/** Its six digits in two groups. */
export function inTwo(digits: string): string {
  return `${digits.slice(0, 3)} ${digits.slice(3)}`;
}
