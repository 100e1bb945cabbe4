import type { AlertText } from '@aparta/ui/alert.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { News } from '@aparta/ui/news.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import type { ComponentProps } from 'react';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { paymentsCopy as copy } from './copy.ts';
import styles from './payments.module.css';

export type Facts = ComponentProps<typeof FactList>['facts'];

/** A plain card: tickets are only for money that has arrived or is on its way. */
export function OutcomePage({
  alert,
  drawing,
  facts,
  inStore,
  merchantId,
  purchases = false,
  total,
  children,
}: {
  alert: Omit<AlertText, 'kind'>;
  drawing?: string;
  facts: Facts;
  /** Where to pay at a store instead. */
  inStore?: string;
  merchantId: number;
  /** Offers the list of purchases too. */
  purchases?: boolean;
  total?: ComponentProps<typeof StickyFooter>['total'];
  children: ComponentProps<typeof StickyFooter>['children'];
}) {
  useArrival(alert.title, config.productName);
  return (
    <Flow>
      {drawing && <HeroDrawing drawing={drawing} />}
      <PageHead title={alert.title}>{alert.text}</PageHead>
      <div className={`${text.stack} ${styles.body}`}>
        <News className={text.card}>
          <FactList facts={facts} />
        </News>
        {inStore !== undefined && (
          <Option
            icon="store"
            title={copy.notDone.inStore}
            text={copy.notDone.inStoreText}
            to={inStore}
            reload
          />
        )}
        <Elsewhere merchantId={merchantId} purchases={purchases} />
      </div>
      <StickyFooter {...(total && { total })}>{children}</StickyFooter>
    </Flow>
  );
}

/** The purchase, or all of them while it is unknown. Full page loads: the card provider's policy must end with its document. */
export function ToPurchase({ purchaseId }: { purchaseId: number | undefined }) {
  return (
    <ButtonLink
      variant="primary"
      to={purchaseId === undefined ? paths.purchases : paths.purchase(purchaseId)}
      reload
      wide
    >
      {purchaseId === undefined ? copy.done.toPurchases : copy.done.toPurchase}
    </ButtonLink>
  );
}

/** Where else to go, below the facts: the sticky footer holds the act alone. */
export function Elsewhere({ merchantId, purchases = false }: { merchantId?: number; purchases?: boolean }) {
  return (
    <div className={text.pair}>
      {purchases && (
        <ButtonLink variant="quiet" to={paths.purchases} reload>
          {copy.done.toPurchases}
        </ButtonLink>
      )}
      <ButtonLink variant="quiet" to={paths.home} reload>
        {copy.home}
      </ButtonLink>
      <Help merchantId={merchantId} />
    </div>
  );
}
