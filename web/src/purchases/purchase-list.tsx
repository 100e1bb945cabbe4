import type { DateOnly } from '@aparta/domain/calendar';
import { LIST_FILTERS, type ListFilter } from '@aparta/domain/purchase-status';
import { AppLink } from '@aparta/ui/app-link.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import {
  useInfiniteQuery,
  useQueryClient,
  type QueryClient,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  type ReactNode,
  type RefObject,
} from 'react';
import { config } from '../app/config.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { purchasesQuery, type ListedPurchases } from '../data/purchase-lists.ts';
import type { Purchase } from '../data/purchases.ts';
import { purchasesCopy } from './copy.ts';
import { FilterMenu } from './filter-menu.tsx';
import { listCopy } from './list-copy.ts';
import { leaveListBy, useListPlace } from './list-place.ts';
import { PurchaseCard } from './purchase-card.tsx';
import { statementLink } from './statement-link.ts';
import styles from './list.module.css';

const copy = listCopy.list;
const NothingListed = lazy(() => import('./nothing-active.tsx'));
const AlsoWaiting = lazy(() => import('./waiting.tsx').then((it) => ({ default: it.AlsoWaiting })));

/** Spec §2, the purchases list: one column with its filter. */
export function PurchaseList({
  buyerId,
  filter,
  isScreen,
  chosen,
  today,
  pane,
  addressOf,
  onFilter,
  onFirst,
  onCancel,
}: {
  buyerId: number;
  filter: ListFilter;
  /** The list fills the screen, rather than being beside a detail. */
  isScreen: boolean;
  chosen: number | undefined;
  today: DateOnly;
  pane: RefObject<HTMLElement | null>;
  addressOf: (purchaseId: number) => string;
  onFilter: (filter: ListFilter) => void;
  /** The first purchase's id, or null if there is none, or the list is not to be had; undefined while it is awaited. */
  onFirst: (id: number | null | undefined) => void;
  onCancel: (purchase: Purchase) => void;
}) {
  const query = useInfiniteQuery(purchasesQuery(buyerId, filter));
  const queries = useQueryClient();
  const { data, error } = query;
  const first = data?.purchases[0]?.id ?? (data || error ? null : undefined);
  const tellFirst = useEffectEvent(onFirst);
  useEffect(() => tellFirst(first), [first]);
  const place = String(filter);
  useListPlace(place, pane);
  const Title = isScreen ? 'h1' : 'h2';

  return (
    <>
      <div className={styles.head}>
        <Title className={styles.title} tabIndex={isScreen ? -1 : undefined}>
          {purchasesCopy.title(config.productName)}
        </Title>
        <div className={styles.filterRow}>
          <FilterMenu buyerId={buyerId} value={filter} onChange={onFilter} />
          {/* Announced when a filter changes the list. */}
          <p className={styles.count} role="status">
            <span className={text.srOnly}>{copy.showing(copy.filters[filter])} </span>
            {data?.total !== undefined && copy.count(data.total)}
          </p>
        </div>
        <AppLink className={styles.statement} to={statementLink}>
          {copy.statement}
        </AppLink>
      </div>
      {/* Each filter's own, while the filter above it stays and keeps the focus. */}
      <Listed
        key={filter}
        query={query}
        whereNone={{ filter, buyerId, onAll: () => onFilter(LIST_FILTERS.all) }}
        card={(purchase) => (
          <PurchaseCard
            key={purchase.id}
            purchase={purchase}
            today={today}
            to={addressOf(purchase.id)}
            isChosen={purchase.id === chosen}
            onIntent={() => void prefetchPurchase(queries, purchase.id)}
            onOpen={() => leaveListBy(place, purchase.id)}
            onCancel={() => onCancel(purchase)}
          />
        )}
      />
    </>
  );
}

function Listed({
  query,
  whereNone,
  card,
}: {
  query: UseInfiniteQueryResult<ListedPurchases>;
  whereNone: { filter: ListFilter; buyerId: number; onAll: () => void };
  card: (purchase: Purchase) => ReactNode;
}) {
  // Twenty cards at once would hold a slow phone; deferred, they are drawn bit by bit.
  const data = useDeferredValue(query.data);
  if (data === undefined) {
    if (!query.error) return <Loading />;
    return (
      <div className={styles.narrow}>
        <Failed
          title={purchasesCopy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? purchasesCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      </div>
    );
  }
  const { purchases, total, waiting, unresolved } = data;
  return (
    <Suspense fallback={<Loading />}>
      {purchases.length === 0 ? (
        <NothingListed {...whereNone} waiting={waiting} loading={<Loading />} />
      ) : (
        <div className={styles.cards}>
          {waiting.length + unresolved > 0 && <AlsoWaiting waiting={waiting} unresolved={unresolved} />}
          {purchases.map(card)}
          <More query={query} shown={purchases.length} total={total} />
        </div>
      )}
    </Suspense>
  );
}

/** Its code comes with the detail's, while the list is read. */
async function prefetchPurchase(queries: QueryClient, id: number) {
  const read = await import('../data/purchase.ts').catch(() => undefined);
  if (read) await queries.prefetchQuery(read.purchaseQuery(id));
}

/** Loads the next page when its button scrolls near, or on click. After a failure only on click. */
function More({
  query,
  shown,
  total,
}: {
  query: Pick<
    ReturnType<typeof useInfiniteQuery>,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
  shown: number;
  total: number | undefined;
}) {
  const here = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const load = useEffectEvent(() => void query.fetchNextPage());
  const goesOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!goesOn || !here.current || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load();
      },
      { rootMargin: '50%' },
    );
    observer.observe(here.current);
    return () => observer.disconnect();
  }, [goesOn]);

  return (
    <div ref={here} className={text.tight}>
      {isFetchNextPageError && <Notice tone="danger" title={copy.moreFailed} urgent />}
      {hasNextPage && (
        <Button
          wide
          busy={isFetchingNextPage ? purchasesCopy.retrying : undefined}
          onClick={() => void query.fetchNextPage()}
        >
          {copy.more}
        </Button>
      )}
      {total !== undefined && total > shown && (
        <p className={styles.shown} role="status">
          {copy.shown(shown, total)}
        </p>
      )}
    </div>
  );
}

function Loading() {
  return (
    <Skeleton label={copy.loading}>
      {[1, 2].map((card) => (
        <div key={card} className={styles.card}>
          <SkeletonBlock shape="chip" />
          <SkeletonBlock shape="tile" />
          <SkeletonBlock width="most" />
          <SkeletonBlock shape="segments" />
          <SkeletonBlock width="most" />
          <SkeletonBlock shape="control" />
        </div>
      ))}
    </Skeleton>
  );
}
