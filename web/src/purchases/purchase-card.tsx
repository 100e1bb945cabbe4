import type { DateOnly } from '@aparta/domain/calendar';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Progress } from '@aparta/ui/progress.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { logoQuery } from '../data/logos.ts';
import type { Purchase } from '../data/purchases.ts';
import { purchasesCopy } from './copy.ts';
import { listCopy } from './list-copy.ts';
import { DueText } from './due-text.tsx';
import { isUnderWay, segmentsOf } from './plan.ts';
import { Facts, Top } from './purchase-facts.tsx';
import styles from './list.module.css';

const copy = listCopy.card;

/** Spec §2, one purchase in the list. */
export function PurchaseCard({
  purchase,
  today,
  to,
  isChosen,
  onIntent,
  onOpen,
  onCancel,
}: {
  purchase: Purchase;
  today: DateOnly;
  to: string;
  /** Its detail is open beside the list. */
  isChosen: boolean;
  onIntent: () => void;
  onOpen: () => void;
  onCancel: () => void;
}) {
  const { data: logo } = useQuery(logoQuery(purchase.logoFile));
  return (
    <article
      className={styles.card}
      data-purchase={purchase.id}
      data-chosen={isChosen || undefined}
      aria-current={isChosen || undefined}
      onClickCapture={(event) => {
        if (event.target instanceof Element && event.target.closest('a')) onOpen();
      }}
    >
      <Top status={purchase.status} id={purchase.id} madeOn={purchase.madeOn} />
      <ProductHeader
        title={purchase.product}
        sub={purchase.merchant}
        heading="h2"
        merchant={purchase.merchant}
        logo={logo}
        pictures={purchase.pictures}
        inList
      />
      <Progress
        segments={segmentsOf(purchase, isUnderWay(purchase))}
        aside={purchase.next && <DueText next={purchase.next} attempt={purchase.openAttempt} today={today} />}
      />
      <Facts purchase={purchase} />
      <p className={styles.client}>
        <span>{copy.client}: </span>
        {purchase.client}
      </p>
      <div className={styles.acts}>
        <ButtonLink to={to} onIntent={onIntent}>
          <span>
            {copy.open}
            <span className={text.srOnly}>{copy.openWhich(purchase.product, purchase.id)}</span>
          </span>
        </ButtonLink>
        {/* Spec §2: only if active and not all paid. */}
        {purchase.status === 'active' && (
          <Button variant="quiet" aria-haspopup="dialog" onClick={onCancel}>
            <span>
              {purchasesCopy.cancel}
              <span className={text.srOnly}>{copy.cancelWhich(purchase.product, purchase.id)}</span>
            </span>
          </Button>
        )}
      </div>
    </article>
  );
}
