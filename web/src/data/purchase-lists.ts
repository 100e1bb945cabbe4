import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply } from '@aparta/contract/endpoint';
import { listPurchases, type PurchaseSummary, type WaitingPurchase } from '@aparta/contract/purchases';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { sum } from '@aparta/domain/money';
import { LIST_FILTERS, purchaseStatus, STATUS_CODES, type ListFilter } from '@aparta/domain/purchase-status';
import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { readInstalment } from './instalments.ts';
import { PURCHASES } from './purchases-key.ts';
import { planOf, readEnding, type Purchase } from './purchases.ts';

const PAGE = '20';
/** A page size that covers a buyer's purchases in one call, for totals. */
const LARGE_PAGE = '100';
const LARGE_PAGES = 10;

/** The purchases list, paged by the server's cursor. */
export const purchasesQuery = (buyerId: number, filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [...PURCHASES, 'list', buyerId, filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        listPurchases,
        { params: { buyerId }, query: { status: String(filter), limit: PAGE, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: readPages,
  });

/** The number of purchases in a filter. */
export const countQuery = (buyerId: number, filter: ListFilter) =>
  queryOptions({
    queryKey: [...PURCHASES, 'count', buyerId, filter],
    queryFn: async ({ signal }) =>
      (
        await call(
          listPurchases,
          { params: { buyerId }, query: { status: String(filter), limit: '1' } },
          { signal },
        )
      ).total,
  });

/**
 * All active purchases by due date, late ones first, and what waits for the buyer of purchases of any state. `complete` is false
 * beyond a thousand, when totals are partial.
 */
export const owedQuery = (buyerId: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'owed', buyerId],
    queryFn: async ({ signal }) => {
      const found: PurchaseSummary[] = [];
      let waiting: readonly WaitingPurchase[] = [];
      let unresolved = 0;
      let cursor: string | undefined;
      for (let page = 0; page < LARGE_PAGES; page += 1) {
        const query = { status: String(LIST_FILTERS.active), limit: LARGE_PAGE, cursor };
        const reply: Reply<typeof listPurchases> = await call(
          listPurchases,
          { params: { buyerId }, query },
          { signal },
        );
        found.push(...reply.data);
        if (page === 0) ({ waiting, unresolved } = reply);
        if (reply.next === null) return { found: eachOnce(found), waiting, unresolved, complete: true };
        cursor = reply.next;
      }
      return { found: eachOnce(found), waiting, unresolved, complete: false };
    },
    select: ({ found, ...beside }) => {
      const purchases = found.map(readSummary).toSorted(bySoonest);
      const owed = sum(purchases.map((each) => each.owed));
      return { purchases, owed, ...beside };
    },
  });

export type ListedPurchases = ReturnType<typeof readPages>;

function readPages({ pages }: InfiniteData<Reply<typeof listPurchases>, string | undefined>) {
  return {
    purchases: eachOnce(pages.flatMap(({ data }) => data)).map(readSummary),
    total: pages[0]?.total ?? undefined,
    waiting: pages[0]?.waiting ?? [],
    unresolved: pages[0]?.unresolved ?? 0,
  };
}

/** A purchase paid between two pages may appear twice; the first one stays. */
function eachOnce(purchases: readonly PurchaseSummary[]): readonly PurchaseSummary[] {
  const seen = new Set<number>();
  return purchases.filter(({ ventaId }) => !seen.has(ventaId) && seen.add(ventaId));
}

function bySoonest(one: Purchase, other: Purchase): number {
  const [soon, later] = [one.next?.dueOn ?? '9', other.next?.dueOn ?? '9'];
  if (soon === later) return one.id - other.id;
  return soon < later ? -1 : 1;
}

function readSummary(wire: PurchaseSummary): Purchase {
  const isCancelled = wire.estatusVentaId === STATUS_CODES.cancelled;
  return {
    id: wire.ventaId,
    status: purchaseStatus({
      statusCode: wire.estatusVentaId,
      instalments: wire.numCxc,
      paidInstalments: wire.numCxcPagadas,
    }),
    madeOn: mexicoCityDate(new Date(wire.fechaVta)),
    merchant: wire.nombreComercial,
    client: wire.nombre,
    product: wire.descripcion,
    details: wire.details,
    logoFile: wire.logofileName,
    pictures: wire.pictures,
    price: centavosFromPesos(wire.montoVenta),
    deposit: centavosFromPesos(wire.montoAdelanto),
    paid: centavosFromPesos(wire.totalPagos),
    ending: readEnding(wire.ending),
    ...planOf(
      wire.cxcList.map((each) => readInstalment(each, wire.numCxc, isCancelled)),
      isCancelled,
      wire,
    ),
  };
}
