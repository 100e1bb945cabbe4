import type { DateOnly } from '@aparta/domain/calendar';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { Progress } from '@aparta/ui/progress.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { isRefused } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { instalmentQuery } from '../data/instalments.ts';
import { isAwaited } from '../data/is-awaited.ts';
import { logoQuery } from '../data/logos.ts';
import { purchaseQuery } from '../data/purchase.ts';
import type { PurchaseDetail } from '../data/purchases.ts';
import { refundsQuery } from '../data/refunds.ts';
import { useChanges } from '../data/use-changes.ts';
import type { ToCancel } from './cancel-sheet.tsx';
import { purchasesCopy } from './copy.ts';
import { detailCopy } from './detail-copy.ts';
import { Loading } from './detail-loading.tsx';
import { Ending } from './ending.tsx';
import { Instalments } from './instalments.tsx';
import { BACK } from './list-link.ts';
import { Kept } from './kept.tsx';
import { NextTicket } from './next-ticket.tsx';
import { segmentsOf } from './plan.ts';
import { Facts, Top } from './purchase-facts.tsx';
import type { RenderInvoice } from './render-invoice.ts';
import styles from './detail.module.css';

const HelpLinksSheet = lazy(() => import('./help-links-sheet.tsx'));

const copy = detailCopy.detail;

type Around = {
  /** The detail fills the screen, rather than being beside the list. */
  isScreen: boolean;
  today: DateOnly;
  invoice: RenderInvoice;
  onCancel: (purchase: ToCancel) => void;
};

/** Where nobody tells the screen of a payment. */
const POLL_EVERY_MS = 30_000;

/** Spec §2, a purchase's detail. `id` is undefined if the URL names none. */
export function PurchaseDetailPart({
  id,
  listAddress,
  ...around
}: Around & { id: number | undefined; listAddress: string }) {
  const [waits, setWaits] = useState(false);
  const isLive = useChanges(waits);
  const query = useQuery({
    ...purchaseQuery(id ?? 0),
    enabled: id !== undefined,
    refetchInterval: waits && !isLive && POLL_EVERY_MS,
  });
  const { data: purchase, error } = query;
  const isActive = purchase?.status === 'active';
  if (waits !== isActive) setWaits(isActive);
  // Deferred, so that a slow phone draws it bit by bit.
  const isReady = useDeferredValue(useIsReady(query));
  const missing = id === undefined || isRefused(error, 'NOT_FOUND');
  return (
    <div className={styles.body}>
      {around.isScreen && (
        <div className={styles.back}>
          <ButtonLink variant="quiet" icon="back" to={listAddress} state={BACK}>
            {copy.back}
          </ButtonLink>
        </div>
      )}
      {purchase && isReady && !missing ? (
        <Suspense fallback={<Loading />}>
          <Full key={purchase.id} latest={purchase} query={query} {...around} />
        </Suspense>
      ) : missing ? (
        <WithoutPurchase title={copy.missing.title} isScreen={around.isScreen}>
          <div className={text.stack}>
            <p>{copy.missing.text}</p>
            <ButtonLink to={paths.purchases}>{copy.missing.toList}</ButtonLink>
          </div>
        </WithoutPurchase>
      ) : error ? (
        <WithoutPurchase title={copy.title} isScreen={around.isScreen}>
          <Failed
            title={copy.failed}
            text={sentenceFor(error)}
            busy={query.isFetching ? purchasesCopy.retrying : undefined}
            onRetry={() => void query.refetch()}
          />
        </WithoutPurchase>
      ) : (
        <WithoutPurchase title={copy.title} isScreen={around.isScreen}>
          <Loading />
        </WithoutPurchase>
      )}
    </div>
  );
}

/** Whether there is more than a plan to pay: goods, or money that goes back, which an active one seldom has. */
const isMoreThanPlan = ({ status, hasRefunds }: PurchaseDetail) => status !== 'active' || hasRefunds;

/**
 * Whether what stands above the payments is known too, so that nothing moves when it comes; also if it failed. What an earlier visit
 * left is shown without it: it is there because the network is silent.
 */
function useIsReady({ data: purchase, isFetched }: UseQueryResult<PurchaseDetail>): boolean {
  const next = purchase?.next;
  const toPay = useQuery({ ...instalmentQuery(next?.id ?? 0), enabled: next !== undefined });
  const asks = purchase !== undefined && isMoreThanPlan(purchase);
  const refunds = useQuery({ ...refundsQuery(purchase?.id ?? 0), enabled: asks });
  const isKnown = !(next && isAwaited(toPay)) && !(asks && isAwaited(refunds));
  const isReady = purchase !== undefined && (isKnown || !isFetched);
  // What was shown stays, when a payment makes another instalment the next.
  const [shown, setShown] = useState<number>();
  if (isReady && shown !== purchase.id) setShown(purchase.id);
  return isReady || (purchase !== undefined && shown === purchase.id);
}

/** Shown without a purchase; beside the list it needs no title. */
function WithoutPurchase({
  title,
  isScreen,
  children,
}: {
  title: string;
  isScreen: boolean;
  children: ReactNode;
}) {
  return (
    <div>
      {isScreen && <Arrival key={title} title={title} />}
      {isScreen && <PageHead title={title} />}
      {children}
    </div>
  );
}

function Arrival({ title }: { title: string }) {
  useArrival(title, config.productName);
  return null;
}

/**
 * What comes while it is open shows at once, but for a payment: the page stays as it was until its stamp, which lies above it,
 * is put away. So nothing moves under the thumb.
 */
function Full({
  latest,
  query,
  isScreen,
  today,
  invoice,
  onCancel,
}: Around & {
  latest: PurchaseDetail;
  query: { isFetchedAfterMount: boolean; refetch: () => Promise<unknown> };
}) {
  const [seen, setSeen] = useState(latest);
  // What an earlier visit left is no news of this one.
  const [isOpening, setOpening] = useState(!query.isFetchedAfterMount);
  if (isOpening && query.isFetchedAfterMount) setOpening(false);
  const known = foliosOf(seen);
  const folio = foliosOf(latest).findLast((each) => !known.includes(each));
  const isNews = folio !== undefined && !isOpening;
  if (!isNews && seen !== latest) setSeen(latest);
  const purchase = isNews ? seen : latest;
  const { data: logo } = useQuery(logoQuery(purchase.logoFile));
  const [isAsking, setAsking] = useState(false);
  const { next } = purchase;
  const toPay = useQuery({ ...instalmentQuery(next?.id ?? 0), enabled: next !== undefined });
  const progress = toPay.data?.progress;
  // Deferred: where that comes while it is open, the page stands until its code is here.
  const showsMore = useDeferredValue(isMoreThanPlan(purchase));
  return (
    <>
      {isScreen && <Arrival title={purchase.product} />}
      <header className={styles.head}>
        <ProductHeader
          title={purchase.product}
          sub={purchase.merchant}
          heading={isScreen ? 'h1' : 'h2'}
          merchant={purchase.merchant}
          logo={logo}
          pictures={purchase.pictures}
        />
        <Top status={purchase.status} id={purchase.id} madeOn={purchase.madeOn} />
        <Facts purchase={purchase} />
      </header>
      {isNews && (
        <Suspense>
          <JustPaid folio={folio} onClose={() => setSeen(latest)} />
        </Suspense>
      )}
      {purchase.ending && <Ending ending={purchase.ending} progress={progress} />}
      {next && (
        <NextTicket next={next} plan={purchase.instalments} till={purchase.tillReference} today={today} />
      )}
      {next && purchase.status === 'active' && (
        <Button icon="share" wide aria-haspopup="dialog" onClick={() => setAsking(true)}>
          {copy.askForHelp}
        </Button>
      )}
      {/* It stays when the purchase ends meanwhile, and says so. */}
      {isAsking && (
        <Suspense>
          <HelpLinksSheet purchase={latest} onClose={() => setAsking(false)} />
        </Suspense>
      )}
      {purchase.kept && <Kept kept={purchase.kept} />}
      {showsMore && <Ended purchase={purchase} />}
      <section className={text.stack} aria-labelledby={`pagos-${purchase.id}`}>
        <h2 id={`pagos-${purchase.id}`}>{copy.payments}</h2>
        <Progress
          segments={segmentsOf(purchase, progress !== undefined && progress !== 'free')}
          aside={purchase.owed > 0 && <span className={text.muted}>{copy.left(purchase.owed)}</span>}
        />
        <Instalments
          purchase={purchase}
          progress={progress}
          today={today}
          invoice={invoice}
          refresh={query.refetch}
        />
        {!purchase.isInvoicedHere && purchase.status !== 'cancelled' && purchase.paid > 0 && (
          <p className={text.muted}>{copy.invoicedByShop}</p>
        )}
      </section>
      {/* Later than the rest, and last: nothing moves when it comes. */}
      <Suspense>
        {purchase.status === 'active' && <SaveCalendar purchaseId={purchase.id} />}
        <div className={styles.foot}>
          {purchase.details !== '' && <p>{purchase.details}</p>}
          {purchase.status === 'active' && purchase.endDaysLate !== null && (
            <p>{copy.endsLate(purchase.endDaysLate)}</p>
          )}
          <p>{copy.client(purchase.client)}</p>
          <Help merchantId={purchase.merchantId} />
          {purchase.status === 'active' && (
            <Button variant="quiet" aria-haspopup="dialog" onClick={() => onCancel(purchase)}>
              {purchasesCopy.cancel}
            </Button>
          )}
        </div>
        {purchase.status === 'active' && <PushOffer />}
      </Suspense>
    </>
  );
}

const Ended = lazy(() => import('./ended.tsx'));

const foliosOf = ({ instalments }: PurchaseDetail) =>
  instalments.flatMap(({ payments }) => payments.map(({ folio }) => folio));

/** Seldom needed, and never missed: the plan below shows the payment too. */
const JustPaid = lazy(() => import('./just-paid.tsx').catch(() => ({ default: Unstamped })));

/** Nobody misses these. */
const SaveCalendar = lazy(() => import('./save-calendar.tsx').catch(() => ({ default: () => null })));
const PushOffer = lazy(() => import('./push-offer.tsx').catch(() => ({ default: () => null })));

function Unstamped({ onClose }: { onClose: () => void }) {
  useEffect(onClose);
  return null;
}
