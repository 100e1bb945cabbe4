import type { DateOnly } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Progress } from '@aparta/ui/progress.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId } from 'react';
import { Link } from 'wouter';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { instalmentQuery } from '../data/instalments.ts';
import { isAwaited } from '../data/is-awaited.ts';
import { logoQuery } from '../data/logos.ts';
import { owedQuery } from '../data/purchase-lists.ts';
import type { Purchase } from '../data/purchases.ts';
import { useUser } from '../session/session.ts';
import { purchasesCopy } from './copy.ts';
import { dashboardCopy } from './dashboard-copy.ts';
import { DueText } from './due-text.tsx';
import { LateOthers, NextPaymentLoading, NextPaymentTicket } from './next-payment.tsx';
import { isUnderWay, segmentsOf } from './plan.ts';
import styles from './dashboard-page.module.css';

const NothingActive = lazy(() => import('./nothing-active.tsx'));
const AlsoWaiting = lazy(() => import('./waiting.tsx').then((it) => ({ default: it.AlsoWaiting })));

const copy = dashboardCopy.dashboard;
/** As many as fit one screen; the list has the rest. */
const SHOWN = 12;

/** rules/wire#screens: the next payment, what is owed, and progress per purchase, at a glance. */
export default function DashboardPage() {
  useArrival(copy.title, config.productName);
  const user = useUser();
  const today = useToday();
  if (!user) return null;
  return (
    <Page>
      <PageHead title={copy.title}>{copy.intro}</PageHead>
      <Glance buyerId={user.id} today={today} />
    </Page>
  );
}

function Glance({ buyerId, today }: { buyerId: number; today: DateOnly }) {
  const id = useId();
  const query = useQuery(owedQuery(buyerId));
  const nextId = query.data?.purchases[0]?.next?.id;
  const pay = useQuery({ ...instalmentQuery(nextId ?? 0), enabled: nextId !== undefined });
  if (nextId !== undefined && isAwaited(pay)) return <NextPaymentLoading />;
  if (!query.data) {
    if (!query.error) return <NextPaymentLoading />;
    return (
      <Failed
        title={purchasesCopy.failed}
        text={sentenceFor(query.error)}
        busy={query.isFetching ? purchasesCopy.retrying : undefined}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { purchases, owed, waiting, unresolved, complete } = query.data;
  const [first] = purchases;
  if (!first) {
    return (
      <Suspense fallback={<NextPaymentLoading />}>
        <NothingActive buyerId={buyerId} waiting={waiting} loading={<NextPaymentLoading />} />
      </Suspense>
    );
  }
  return (
    <Suspense fallback={<NextPaymentLoading />}>
      <div className={styles.glance}>
        <div className={text.stack}>
          {waiting.length + unresolved > 0 && <AlsoWaiting waiting={waiting} unresolved={unresolved} />}
          {first.next && <NextPaymentTicket purchase={first} next={first.next} today={today} />}
          <LateOthers purchases={purchases} />
        </div>
        <div className={text.loose}>
          <section className={`${text.card} ${text.tight}`} aria-labelledby={`${id}-owed`}>
            <h2 id={`${id}-owed`} className={styles.label}>
              {copy.owed}
            </h2>
            <p>
              {!complete && `${copy.atLeast} `}
              <Amount of={owed} size="big" />
            </p>
            <p className={`${text.muted} ${text.small}`}>{copy.owedOf(purchases.length)}</p>
          </section>
          <section className={text.stack} aria-labelledby={`${id}-progress`}>
            <h2 id={`${id}-progress`}>{copy.progress}</h2>
            <ul className={styles.list}>
              {purchases.slice(0, SHOWN).map((purchase) => (
                <li key={purchase.id}>
                  <Row purchase={purchase} today={today} />
                </li>
              ))}
            </ul>
            <ButtonLink to={paths.purchases}>{copy.toList}</ButtonLink>
          </section>
        </div>
      </div>
    </Suspense>
  );
}

function Row({ purchase, today }: { purchase: Purchase; today: DateOnly }) {
  const { data: logo } = useQuery(logoQuery(purchase.logoFile));
  return (
    <Link className={styles.row} to={paths.purchase(purchase.id)}>
      <ProductHeader
        title={purchase.product}
        sub={purchase.merchant}
        merchant={purchase.merchant}
        logo={logo}
      />
      <Progress
        segments={segmentsOf(purchase, isUnderWay(purchase))}
        aside={purchase.next && <DueText next={purchase.next} attempt={purchase.openAttempt} today={today} />}
      />
      <span className={`${text.muted} ${text.small}`}>{copy.left(purchase.owed)}</span>
    </Link>
  );
}
