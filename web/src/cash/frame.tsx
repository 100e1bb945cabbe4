import { ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import type { ReactNode } from 'react';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { cashCopy as copy } from './copy.ts';
import styles from './store-payment.module.css';

/** Heading and a link back to the purchase. A `StickyFooter` may be the last child. */
export function Frame({
  purchaseId,
  of,
  children,
}: {
  purchaseId: number;
  of: { product: string; number: number; of: number } | undefined;
  children: ReactNode;
}) {
  useArrival(copy.title, config.productName);
  return (
    <Flow>
      <div className={styles.back}>
        <ButtonLink variant="quiet" small icon="back" to={paths.purchase(purchaseId)}>
          {copy.back}
        </ButtonLink>
      </div>
      <PageHead title={copy.title}>{of && copy.of(of.product, of.number, of.of)}</PageHead>
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
