import { ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import type { ReactNode } from 'react';
import { config } from '../app/config.ts';
import { cashCopy as copy } from './copy.ts';
import styles from './store-payment.module.css';

/** Heading and a link back to what is paid. A `StickyFooter` may be the last child. */
export function Frame({ to, what, children }: { to: string; what: string | undefined; children: ReactNode }) {
  useArrival(copy.title, config.productName);
  return (
    <Flow>
      <div className={styles.back}>
        <ButtonLink variant="quiet" small icon="back" to={to}>
          {copy.back}
        </ButtonLink>
      </div>
      <PageHead title={copy.title}>{what}</PageHead>
      {children}
    </Flow>
  );
}

/** Nothing to pay here: why, and where to go next. */
export function NothingToPay({
  title,
  text,
  drawing,
  act,
  to,
  reload = false,
}: {
  title: string;
  text: string;
  drawing?: string;
  act: string;
  to: string;
  reload?: boolean;
}) {
  useArrival(title, config.productName);
  return (
    <Flow>
      <PageHead title={title} />
      <Empty text={text} {...(drawing !== undefined && { drawing })} />
      <StickyFooter>
        <ButtonLink variant="primary" wide to={to} reload={reload}>
          {act}
        </ButtonLink>
      </StickyFooter>
    </Flow>
  );
}
