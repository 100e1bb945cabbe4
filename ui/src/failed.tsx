import { Button } from './button.tsx';
import { uiCopy } from './copy.ts';
import { FactList } from './fact-list.tsx';
import styles from './text.module.css';

/** Something failed to load: what, and a retry button. */
export function Failed({
  title,
  text,
  busy,
  onRetry,
}: {
  title: string;
  text: string;
  busy?: string | undefined;
  onRetry: () => void;
}) {
  return (
    <div className={`${styles.card} ${styles.stack}`} role="alert">
      <FactList facts={[{ icon: 'warning', title, text }]} />
      <Button icon="retry" wide busy={busy} onClick={onRetry}>
        {uiCopy.retry}
      </Button>
    </div>
  );
}
