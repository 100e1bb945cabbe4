import { formatDate } from '@aparta/domain/calendar';
import { Drawing } from '@aparta/ui/drawing.tsx';
import pay from '@aparta/ui/drawings/pay.svg?raw';
import reserve from '@aparta/ui/drawings/reserve.svg?raw';
import shelf from '@aparta/ui/drawings/shelf.svg?raw';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { useUser } from '../session/session.ts';
import { homeCopy as copy } from './copy.ts';
import styles from './home-page.module.css';

/** Spec §2, home: the two actions. `around` puts above them what the buyer has scanned and owes. */
export default function HomePage({ around }: { around: (actions: ReactNode) => ReactNode }) {
  useArrival(copy.title, config.productName);
  const user = useUser();
  const today = useToday();
  return (
    <Page>
      <div className={styles.home}>
        <PageHead title={copy.hello(user?.userName || user?.user || '')}>{formatDate(today)}</PageHead>
        {around(
          <>
            <nav className={styles.acts} aria-label={copy.acts}>
              <Act to={paths.layaway} drawing={reserve} {...copy.reserve} />
              <Act to={paths.purchases} drawing={pay} {...copy.pay} />
            </nav>
            <Drawing svg={shelf} className={styles.shelf} />
          </>,
        )}
      </div>
    </Page>
  );
}

function Act({ to, drawing, title, text }: { to: string; drawing: string; title: string; text: string }) {
  return (
    <Link to={to} className={styles.act}>
      <Drawing svg={drawing} className={styles.art} />
      <span>
        <b>{title}</b>
        <small>{text}</small>
      </span>
    </Link>
  );
}
