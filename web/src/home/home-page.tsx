import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Drawing } from '@aparta/ui/drawing.tsx';
import pay from '@aparta/ui/drawings/pay.svg?raw';
import reserve from '@aparta/ui/drawings/reserve.svg?raw';
import shelf from '@aparta/ui/drawings/shelf.svg?raw';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { reference, useReference } from '../session/reference.ts';
import { useUser } from '../session/session.ts';
import { homeCopy as copy } from './copy.ts';
import styles from './home-page.module.css';

/** Spec §2, home: the two actions, with `nextPayment` above them. */
export default function HomePage({ nextPayment }: { nextPayment?: ReactNode }) {
  useArrival(copy.title, config.productName);
  const user = useUser();
  const waiting = useReference();
  const [today] = useState(() => mexicoCityDate(new Date()));
  return (
    <Page>
      <div className={styles.home}>
        <PageHead title={copy.hello(user?.userName || user?.user || '')}>{formatDate(today)}</PageHead>
        {nextPayment}
        {waiting !== undefined && <UnfinishedLayaway />}
        <nav className={styles.acts} aria-label={copy.acts}>
          <Act to={paths.layaway} drawing={reserve} {...copy.reserve} />
          <Act to={paths.purchases} drawing={pay} {...copy.pay} />
        </nav>
        <Drawing svg={shelf} className={styles.shelf} />
      </div>
    </Page>
  );
}

/** rules/layaways#kept-reference: a saved reference is offered until it is finished or dropped. */
function UnfinishedLayaway() {
  return (
    <Ticket
      label={copy.unfinished.label}
      stub="side"
      thing={
        <div className={text.tight}>
          <h2>{copy.unfinished.title}</h2>
          <p className={text.muted}>{copy.unfinished.text}</p>
        </div>
      }
      act={
        <div className={text.tight}>
          <ButtonLink variant="primary" wide to={paths.layaway}>
            {copy.unfinished.go}
          </ButtonLink>
          <Button variant="quiet" onClick={() => reference.clear()}>
            {copy.unfinished.drop}
          </Button>
        </div>
      }
    />
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
