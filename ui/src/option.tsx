import type { Centavos } from '@aparta/domain/money';
import { Amount } from './amount.tsx';
import { AppLink } from './app-link.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './option.module.css';

/** One of several choices with an explanation: a link, or a button. */
export function Option({
  icon,
  title,
  text,
  amount,
  ...target
}: {
  icon: IconName;
  title: string;
  text: string;
  /** What it costs, at the right edge. */
  amount?: Centavos | undefined;
} & ({ to: string; reload?: boolean } | { onClick: () => void })) {
  const content = (
    <>
      <span className={styles.tile}>
        <Icon name={icon} />
      </span>
      <span className={styles.label}>
        <span>
          <span className={styles.title}>
            <b>{title}</b>
            {amount !== undefined && <Amount of={amount} size="strong" />}
          </span>
          <small>{text}</small>
        </span>
        {amount === undefined && <Icon name="next" small />}
      </span>
    </>
  );
  return 'to' in target ? (
    <AppLink className={styles.option} to={target.to} reload={target.reload ?? false}>
      {content}
    </AppLink>
  ) : (
    <button type="button" className={styles.option} onClick={target.onClick}>
      {content}
    </button>
  );
}
