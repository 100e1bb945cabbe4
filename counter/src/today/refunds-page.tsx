import { inReview } from '@aparta/domain/shop-copy';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { owedRefundsQuery } from '../data/reports.ts';
import { NotYet } from '../lists/not-yet.tsx';
import { refundedTo, refundOf } from '../refunds/copy.ts';
import { PayRefund } from '../refunds/pay-refund.tsx';
import { todayCopy } from './copy.ts';
import { Back, Lines } from './lines.tsx';
import styles from './today.module.css';

const copy = todayCopy.list;

/** Money that waits for its buyer. */
export default function OwedRefunds() {
  useArrival(copy.refunds, config.productName);
  const query = useQuery(owedRefundsQuery);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.refunds} />
        {query.data ? (
          <>
            <Lines
              lines={query.data.map((refund) => ({
                ...refund,
                title: refund.productName || copy.notApplied,
                facts: [
                  refund.payerName === null ? refund.buyer : refundOf(refund.payerName),
                  refund.last4 !== null && refundedTo({ method: 'cash', last4: refund.last4 }),
                  refund.storeReversed && inReview,
                  copy.since(refund.since),
                  copy.folio(refund.folio),
                ],
                // The others are handed over on the page of their purchase.
                act: refund.purchaseId === null && (
                  <PayRefund refund={{ ...refund, state: 'owed' }} buyer={refund.buyer} purchaseId={null} />
                ),
              }))}
            />
            <Back />
          </>
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading} />
        )}
      </div>
    </Page>
  );
}
