import { DEFAULT_LIST_FILTER, LIST_FILTERS, type ListFilter } from '@aparta/domain/purchase-status';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { whenIdle } from '@aparta/browser/when-idle.ts';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useRoute, useSearchParams } from 'wouter';
import { config } from '../app/config.ts';
import { paths, patterns } from '../app/paths.ts';
import { useUser } from '../session/session.ts';
import type { ToCancel } from './cancel-sheet.tsx';
import { purchasesCopy } from './copy.ts';
import { PurchaseDetailPart } from './detail-later.ts';
import { Loading as DetailLoading } from './detail-loading.tsx';
import { PurchaseListPart } from './list-later.ts';
import type { RenderInvoice } from './render-invoice.ts';
import { STATEMENT } from './statement-link.ts';
import { useWide } from './use-wide.ts';
import styles from './purchases.module.css';

const CancelSheet = lazy(() => import('./cancel-sheet.tsx'));
const StatementPage = lazyPage(() => import('./statement-page.tsx'));

/** The filter's URL parameter; the default has none. */
const words: Record<ListFilter, string | undefined> = {
  [LIST_FILTERS.all]: 'todas',
  [LIST_FILTERS.active]: undefined,
  [LIST_FILTERS.paid_off]: 'liquidada',
  [LIST_FILTERS.cancelled]: 'cancelada',
};

/** `onDetailNear` fetches what `invoice` renders with. */
type Parts = { invoice: RenderInvoice; onDetailNear?: () => void };

/**
 * Spec §2, the purchases list and a purchase's detail: two screens on a phone, side by side on wide screens. The
 * filter is in both URLs, so that Back leads to the same list. The statement of all of them is the list's address too.
 */
export default function PurchasesPage(parts: Parts) {
  const user = useUser();
  const statement = useSearchParams()[0].get(STATEMENT);
  if (!user) return null;
  if (statement !== null) {
    return (
      <Suspense>
        <StatementPage of={statement} />
      </Suspense>
    );
  }
  return <Purchases buyerId={user.id} {...parts} />;
}

export function Purchases({ buyerId, invoice, onDetailNear }: Parts & { buyerId: number }) {
  const opened = useRoute(patterns.purchase)[1]?.id;
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const wide = useWide();
  const filter = filterIn(search);
  const today = useToday();
  const [toCancel, setToCancel] = useState<ToCancel>();
  const pane = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      whenIdle(() => {
        PurchaseListPart.preload();
        PurchaseDetailPart.preload();
        onDetailNear?.();
      }),
    [onDetailNear],
  );
  // On wide screens the list's first purchase is open already; undefined until the list is known.
  const [first, setFirst] = useState<number | null>();
  const isBeside = wide && opened === undefined;
  const shown = opened === undefined ? (first ?? undefined) : idIn(opened);
  const listAddress = paths.purchases + addressSearch(filter);

  return (
    <div className={styles.split} data-screen={opened === undefined ? 'list' : 'detail'}>
      {(wide || opened === undefined) && (
        <div ref={wide ? pane : null} className={styles.list}>
          {opened === undefined && <Arrival />}
          <Suspense>
            <PurchaseListPart
              buyerId={buyerId}
              filter={filter}
              isScreen={opened === undefined}
              chosen={wide ? shown : undefined}
              today={today}
              pane={pane}
              addressOf={(id) => paths.purchase(id) + addressSearch(filter)}
              onFilter={(next) => navigate(paths.purchases + addressSearch(next))}
              onFirst={setFirst}
              onCancel={setToCancel}
            />
          </Suspense>
        </div>
      )}
      {isBeside && first === undefined && (
        <div className={styles.detail} aria-hidden="true">
          <DetailLoading />
        </div>
      )}
      {(opened !== undefined || (isBeside && first)) && (
        <div key={shown} className={styles.detail}>
          <Suspense fallback={<DetailLoading />}>
            <PurchaseDetailPart
              id={shown}
              isScreen={opened !== undefined}
              today={today}
              listAddress={listAddress}
              invoice={invoice}
              onCancel={setToCancel}
            />
          </Suspense>
        </div>
      )}
      {toCancel && (
        <Suspense>
          <CancelSheet purchase={toCancel} onClose={() => setToCancel(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

function Arrival() {
  useArrival(purchasesCopy.title(config.productName), config.productName);
  return null;
}

function filterIn(search: URLSearchParams): ListFilter {
  const word = search.get('filtro') ?? undefined;
  return Object.values(LIST_FILTERS).find((filter) => words[filter] === word) ?? DEFAULT_LIST_FILTER;
}

function addressSearch(filter: ListFilter): string {
  const word = words[filter];
  return word === undefined ? '' : `?filtro=${word}`;
}

/** The purchase id in a URL, or undefined if invalid. */
function idIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
