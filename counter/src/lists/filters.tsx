import { AppLink } from '@aparta/ui/app-link.tsx';
import styles from './filters.module.css';

/** What a list can show, each an address; the one that it shows is marked. */
export function Filters({
  label,
  of,
}: {
  label: string;
  of: readonly { readonly to: string; readonly label: string; readonly isOn: boolean }[];
}) {
  return (
    <nav className={styles.chips} aria-label={label}>
      {of.map(({ to, label: text, isOn }) => (
        <AppLink key={to} to={to} className={styles.filter} aria-current={isOn || undefined}>
          {text}
        </AppLink>
      ))}
    </nav>
  );
}
