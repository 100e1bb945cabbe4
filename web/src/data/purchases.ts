import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply, ReplyData } from '@aparta/contract/endpoint';
import type { AttemptState } from '@aparta/contract/payments';
import type { ProductPictures } from '@aparta/contract/pictures';
import {
  getSale,
  listInstalments,
  listPurchases,
  type InstalmentWithPayments as WireInstalmentWithPayments,
  type PurchaseSummary,
  type Sale,
  type WaitingPurchase,
} from '@aparta/contract/purchases';
import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { sum, type Centavos } from '@aparta/domain/money';
import {
  LIST_FILTERS,
  purchaseStatus,
  STATUS_CODES,
  type ListFilter,
  type PurchaseStatus,
} from '@aparta/domain/purchase-status';
import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { readMoving, type Moving } from './read-moving.ts';
import { readClaim, type Claim } from './read-claim.ts';
import {
  readInstalment,
  readInstalmentWithPayments,
  readPayment,
  type AppliedPayment,
  type Instalment,
  type InstalmentWithPayments,
} from './instalments.ts';
import { PURCHASES } from './purchases-key.ts';

/** A purchase with its whole plan. Sums without service fees. */
type PurchaseWith<I extends Instalment> = {
  id: number;
  status: PurchaseStatus;
  madeOn: DateOnly;
  merchant: string;
  client: string;
  product: string;
  details: string;
  logoFile: string;
  pictures: ProductPictures;
  price: Centavos;
  deposit: Centavos;
  paid: Centavos;
  /** The day on which it ends by itself, being late, and what stops that; undefined until its buyer was warned. */
  ending: { on: DateOnly; toPay: Centavos; isMoreTime: boolean } | undefined;
  /** What is left to pay; zero if cancelled. */
  owed: Centavos;
  /** By number. */
  instalments: readonly I[];
  /** The one of them that can be paid now. */
  next: I | undefined;
  /** Where the buyer's own card payment of it stands while it is open. */
  openAttempt: AttemptState | undefined;
  /**
   * What the shop's tills and counter take any sum of it by; undefined where it has none, where nothing is left to pay, and while
   * a card is paying.
   */
  tillReference: string | undefined;
};

/** A purchase as the list has it. */
export type Purchase = PurchaseWith<Instalment>;

export type PurchaseDetail = PurchaseWith<InstalmentWithPayments> & {
  merchantId: number;
  /** How many days late it ends by itself; null: never. */
  endDaysLate: number | null;
  /** What may be changed of its plan; undefined where the shop offers nothing and nothing was changed. */
  moving: Moving | undefined;
  /** Whether the goods were handed over. */
  isDelivered: boolean;
  /** Where the shop keeps the thing; undefined where it does not count it. */
  kept: { branch: string; since: DateOnly; checked: DateOnly | undefined } | undefined;
  /** The last day on which the shop may hand it over, once it is paid whole. */
  deliverBy: DateOnly | undefined;
  /** Whether that day is over, and nothing is claimed. */
  mayClaim: boolean;
  /** While it is open. */
  claim: Claim | undefined;
  cancelled: { on: DateOnly; reason: string; by: NonNullable<Sale['endedBy']> } | undefined;
  /** Whether money that was meant for it goes back, or is back already. */
  hasRefunds: boolean;
  /** Whether its merchant invoices here; else the buyer asks the shop itself. */
  isInvoicedHere: boolean;
  /** Of one that ended because its payments were taken back: what whoever took them gives back. */
  takenBack: readonly AppliedPayment[];
  /** Of a cancelled one: what was paid, fees included, what of it was kept, and what goes back, with which fees. */
  bill:
    | { paid: Centavos; penalty: Centavos; feesReturned: Centavos; feesKept: Centavos; refund: Centavos }
    | undefined;
};

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
      let cursor: string | undefined;
      for (let page = 0; page < LARGE_PAGES; page += 1) {
        const query = { status: String(LIST_FILTERS.active), limit: LARGE_PAGE, cursor };
        const reply: Reply<typeof listPurchases> = await call(
          listPurchases,
          { params: { buyerId }, query },
          { signal },
        );
        found.push(...reply.data);
        if (page === 0) ({ waiting } = reply);
        if (reply.next === null) return { found: eachOnce(found), waiting, complete: true };
        cursor = reply.next;
      }
      return { found: eachOnce(found), waiting, complete: false };
    },
    select: ({ found, waiting, complete }) => {
      const purchases = found.map(readSummary).toSorted(bySoonest);
      const owed = sum(purchases.map((each) => each.owed));
      return { purchases, owed, waiting, complete };
    },
  });

export const purchaseQuery = (id: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'one', id],
    staleTime: 5_000,
    queryFn: async ({ signal }) => {
      const [sale, instalments] = await Promise.all([
        call(getSale, { params: { id } }, { signal }),
        call(listInstalments, { params: { saleId: id } }, { signal }),
      ]);
      return { sale: sale.data, instalments: instalments.data };
    },
    select: readDetail,
  });

function readPages({ pages }: InfiniteData<Reply<typeof listPurchases>, string | undefined>) {
  return {
    purchases: eachOnce(pages.flatMap(({ data }) => data)).map(readSummary),
    total: pages[0]?.total ?? undefined,
    waiting: pages[0]?.waiting ?? [],
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

function readDetail({
  sale,
  instalments,
}: {
  sale: ReplyData<typeof getSale>;
  instalments: readonly WireInstalmentWithPayments[];
}): PurchaseDetail {
  const isCancelled = sale.saleStatusId === STATUS_CODES.cancelled;
  return {
    id: sale.id,
    status: purchaseStatus({
      statusCode: sale.saleStatusId,
      instalments: sale.numCxc,
      paidInstalments: sale.numCxcPagadas,
    }),
    madeOn: mexicoCityDate(new Date(sale.saleDate)),
    merchant: sale.tradeName,
    client: sale.clientName,
    product: sale.description,
    details: sale.details,
    logoFile: sale.logofileName,
    pictures: sale.pictures,
    price: centavosFromPesos(sale.ammount),
    deposit: centavosFromPesos(sale.ammountPre),
    paid: centavosFromPesos(sale.totalPagos),
    ...planOf(
      instalments.map((each) => readInstalmentWithPayments(each, sale.numCxc, isCancelled)),
      isCancelled,
      sale,
    ),
    ending: readEnding(sale.ending),
    endDaysLate: sale.endDaysLate,
    moving: readMoving(sale.moving),
    merchantId: sale.businessId,
    isDelivered: sale.delivered,
    deliverBy: sale.deliverBy ?? undefined,
    mayClaim: sale.mayClaim,
    claim: readClaim(sale.claim),
    cancelled:
      sale.cancelDate === null
        ? undefined
        : {
            on: mexicoCityDate(new Date(sale.cancelDate)),
            reason: sale.cancelNotes,
            by: sale.endedBy ?? 'buyer',
          },
    hasRefunds: sale.hasRefunds,
    isInvoicedHere: sale.invoicedHere,
    takenBack: sale.takenBack.map(readPayment),
    bill: sale.cancelBill
      ? {
          paid: centavosFromPesos(sale.cancelBill.paid),
          penalty: centavosFromPesos(sale.cancelBill.penalty),
          feesReturned: centavosFromPesos(sale.cancelBill.feesReturned),
          feesKept: centavosFromPesos(sale.cancelBill.feesKept),
          refund: centavosFromPesos(sale.cancelBill.refund),
        }
      : undefined,
    kept: sale.kept
      ? {
          branch: sale.kept.branch,
          since: mexicoCityDate(new Date(sale.kept.since)),
          checked: sale.kept.checkedAt === null ? undefined : mexicoCityDate(new Date(sale.kept.checkedAt)),
        }
      : undefined,
  };
}

function readEnding(ending: Sale['ending']): Purchase['ending'] {
  return ending
    ? { on: ending.endsOn, toPay: centavosFromPesos(ending.toPay), isMoreTime: ending.moreTime }
    : undefined;
}

function planOf<I extends Instalment>(
  instalments: readonly I[],
  isCancelled: boolean,
  { openAttempt, acceptsTills }: Pick<Sale | PurchaseSummary, 'openAttempt' | 'acceptsTills'>,
) {
  const next = instalments.find(({ isNext }) => isNext);
  return {
    instalments,
    next,
    openAttempt: openAttempt ?? undefined,
    tillReference: acceptsTills && next && !openAttempt ? instalments.at(-1)?.paymentReference : undefined,
    owed: sum(isCancelled ? [] : instalments.map(({ balance }) => balance)),
  };
}
