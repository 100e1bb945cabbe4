import type { DateOnly } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Progress } from '@aparta/ui/progress.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { instalmentQuery, type Instalment } from '../data/instalments.ts';
import { isAwaited } from '../data/is-awaited.ts';
import { logoQuery } from '../data/logos.ts';
import { owedQuery } from '../data/purchase-lists.ts';
import type { Purchase } from '../data/purchases.ts';
import { useUser } from '../session/session.ts';
import { purchasesCopy } from './copy.ts';
import { dashboardCopy } from './dashboard-copy.ts';
import { Ending } from './ending.tsx';
import { NextChip, PayAct } from './next-ticket.tsx';
import { isLate, isUnderWay, segmentsOf } from './plan.ts';
import { Upcoming } from './upcoming.tsx';
import { Waiting } from './waiting-later.ts';
import styles from './next-payment.module.css';

const copy = dashboardCopy.nextPayment;

/**
 * For home: the buyer's next payment, late ones first, and what they are to receive, where there is either. `children` follow once
 * that is known, so that they never move under the thumb. It waits itself while what stands above it may still come.
 */
export default function NextPayment({ waits = false, children }: { waits?: boolean; children?: ReactNode }) {
  const user = useUser();
  const today = useToday();
  const query = useQuery(owedQuery(user?.id ?? 0));
  const first = query.data?.purchases[0];
  const pay = useQuery({ ...instalmentQuery(first?.next?.id ?? 0), enabled: first?.next !== undefined });
  const isLoading = !query.data && !query.error;
  // Anew, once what stands above has come: it takes this place, which does not move down for it.
  if (waits || isLoading || (first?.next && isAwaited(pay)))
    return <NextPaymentLoading key={String(waits)} />;
  return (
    <>
      {query.data ? (
        <Owed purchases={query.data.purchases} today={today} />
      ) : (
        <Failed
          title={copy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? purchasesCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      )}
      <Suspense fallback={<NextPaymentLoading />}>
        {query.data && query.data.waiting.length > 0 && <Waiting waiting={query.data.waiting} />}
        {children}
      </Suspense>
    </>
  );
}

function Owed({ purchases, today }: { purchases: readonly Purchase[]; today: DateOnly }) {
  const [first] = purchases;
  if (!first?.next) return null;
  return (
    <div className={styles.beside} data-alone={purchases.length === 1 || undefined}>
      <div className={text.stack}>
        <NextPaymentTicket purchase={first} next={first.next} today={today} stub="side" />
        <LateOthers purchases={purchases} />
      </div>
      {purchases.length > 1 && <Upcoming purchases={purchases} today={today} />}
    </div>
  );
}

export function NextPaymentLoading() {
  return (
    <Skeleton label={copy.loading}>
      <div className={text.card}>
        <div className={text.stack}>
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="sum" width="half" />
          <SkeletonBlock shape="tile" />
          <SkeletonBlock shape="segments" />
          <SkeletonBlock shape="control" />
        </div>
      </div>
    </Skeleton>
  );
}

/** One purchase's next payment: amount and product, then progress and the pay button. */
export function NextPaymentTicket({
  purchase,
  next,
  today,
  stub = 'below',
}: {
  purchase: Purchase;
  next: Instalment;
  today: DateOnly;
  stub?: 'below' | 'side';
}) {
  const { data: logo } = useQuery(logoQuery(purchase.logoFile));
  const { data: toPay } = useQuery(instalmentQuery(next.id));
  return (
    <Ticket
      label={copy.title}
      stub={stub}
      thing={
        <>
          <div className={text.tight}>
            <div className={text.between}>
              <h2>{copy.title}</h2>
              <NextChip next={next} progress={toPay?.progress} today={today} />
            </div>
            <Amount of={next.balance} size="hero" />
          </div>
          <ProductHeader
            title={purchase.product}
            sub={copy.where(purchase.merchant, next.number, next.of)}
            merchant={purchase.merchant}
            logo={logo}
          />
        </>
      }
      act={
        <>
          {purchase.ending && <Ending ending={purchase.ending} progress={toPay?.progress} />}
          <Progress segments={segmentsOf(purchase, isUnderWay(purchase))} />
          <div className={text.tight}>
            <PayAct
              instalmentId={next.id}
              plan={purchase.instalments}
              till={purchase.tillReference}
              today={today}
            />
            <div className={styles.see}>
              <ButtonLink variant="quiet" wide to={paths.purchase(purchase.id)}>
                {copy.see}
              </ButtonLink>
            </div>
          </div>
        </>
      }
    />
  );
}

/** The first late payment is the ticket; this says how many more there are. */
export function LateOthers({ purchases }: { purchases: readonly Purchase[] }) {
  const others = purchases.slice(1).filter(({ instalments }) => instalments.some(isLate)).length;
  return others > 0 && <Notice tone="danger" title={copy.lateOthers(others)} />;
}
