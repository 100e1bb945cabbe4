import { Link } from 'react-router';
import { Icon, type IconName } from './icon.tsx';
import styles from './option.module.css';

/** One of several choices with an explanation: a link, or a button. */
export function Option({
  icon,
  title,
  text,
  ...target
}: {
  icon: IconName;
  title: string;
  text: string;
} & ({ to: string; reload?: boolean } | { onClick: () => void })) {
  const content = (
    <>
      <span className={styles.tile}>
        <Icon name={icon} />
      </span>
      <span className={styles.label}>
        <span>
          <b>{title}</b>
          <small>{text}</small>
        </span>
        <Icon name="next" small />
      </span>
    </>
  );
  return 'to' in target ? (
    <Link className={styles.option} to={target.to} reloadDocument={target.reload ?? false}>
      {content}
    </Link>
  ) : (
    <button type="button" className={styles.option} onClick={target.onClick}>
      {content}
    </button>
  );
}
