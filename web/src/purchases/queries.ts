import { centavosFromPesos } from '@aparta/contract/amount';
import {
  cancelPurchase,
  getCancelQuote,
  listRefunds,
  type CancelQuote,
  type Refund as WireRefund,
} from '@aparta/contract/cancellations';
import type { Reply, ReplyData } from '@aparta/contract/endpoint';
import type { Invoice } from '@aparta/contract/invoice';
import { downloadLogo } from '@aparta/contract/merchants';
import { OPEN_ATTEMPT_STATES } from '@aparta/contract/payments';
import {
  getInstalment,
  getSale,
  listInstalments,
  listPurchases,
  type Instalment as WireInstalment,
  type InstalmentWithPayments,
  type PurchaseSummary,
} from '@aparta/contract/purchases';
import { getReceipt, getReceiptPdf, type Receipt as WireReceipt } from '@aparta/contract/receipts';
import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { subtract, sum, type Centavos } from '@aparta/domain/money';
import {
  LIST_FILTERS,
  purchaseStatus,
  STATUS_CODES,
  type ListFilter,
  type PurchaseStatus,
} from '@aparta/domain/purchase-status';
import type { SegmentState } from '@aparta/ui/progress.tsx';
import {
  infiniteQueryOptions,
  mutationOptions,
  queryOptions,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../api/client.ts';

/** A purchase in the list. Sums without service fees. */
export type Purchase = {
  id: number;
  status: PurchaseStatus;
  madeOn: DateOnly;
  merchant: string;
  client: string;
  product: string;
  logoFile: string;
  price: Centavos;
  deposit: Centavos;
  paid: Centavos;
  /** What is left to pay; zero if cancelled. */
  owed: Centavos;
  segments: readonly SegmentState[];
  next: Due | undefined;
  late: boolean;
  /** The next instalment has a live store reference. */
  waitsAtStore: boolean;
};

export type Due = { id: number; number: number; dueOn: DateOnly; balance: Centavos; late: boolean };

export type Applied = {
  id: number;
  folio: string;
  amount: Centavos;
  on: DateOnly;
  method: PaymentWay;
  last4: string | undefined;
};
export type PaymentWay = 'card' | 'till' | 'cash';

export type InstalmentState = 'paid' | 'due' | 'late' | 'upcoming' | 'dropped';

export type Instalment = {
  id: number;
  number: number;
  of: number;
  dueOn: DateOnly;
  amount: Centavos;
  paid: Centavos;
  balance: Centavos;
  state: InstalmentState;
  isNext: boolean;
  note: string;
  payments: readonly Applied[];
  /** In wire form, for the component that shows it (see `RenderInvoice`). */
  invoice: Invoice | null;
  mayBeInvoiced: boolean;
};

/** Renders an instalment's invoice; app/routes.tsx passes it in from another feature. */
export type RenderInvoice = (of: {
  purchaseId: number;
  instalmentId: number;
  product: string;
  number: number;
  of: number;
  amount: Centavos;
  invoice: Invoice | null;
  mayBeInvoiced: boolean;
  /** Refetches the purchase. */
  refresh: () => Promise<unknown>;
}) => ReactNode;

export type PurchaseDetail = {
  id: number;
  status: PurchaseStatus;
  madeOn: DateOnly;
  merchant: string;
  client: string;
  product: string;
  details: string;
  logoFile: string;
  price: Centavos;
  deposit: Centavos;
  paid: Centavos;
  owed: Centavos;
  instalments: readonly Instalment[];
  cancelled: { on: DateOnly; reason: string } | undefined;
};

/** The next payable instalment with its cost per method, and whether it can be paid now. */
export type Payable = {
  id: number;
  purchaseId: number;
  number: number;
  of: number;
  product: string;
  dueOn: DateOnly;
  late: boolean;
  amount: Centavos;
  paid: Centavos;
  balance: Centavos;
  card: { fee: Centavos; total: Centavos };
  cash: { fee: Centavos; total: Centavos };
  acceptsCards: boolean;
  /**
   * `confirming`: a card payment is open, so nothing else may be paid; `atStore`: a store reference is live.
   */
  state: 'free' | 'confirming' | 'atStore';
};

const PAGE = '20';
/** A page size that covers a buyer's purchases in one call, for totals. */
const LARGE_PAGE = '100';
const LARGE_PAGES = 10;

/** Prefix of every query key here, so that one call refreshes them all. */
const ALL = ['purchases'] as const;

/** The purchases list, paged by the server's cursor. */
export const purchasesQuery = (buyerId: number, filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [...ALL, 'list', buyerId, filter],
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
    queryKey: [...ALL, 'count', buyerId, filter],
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
 * All active purchases by due date, late ones first. `complete` is false beyond a thousand, when totals are
 * partial.
 */
export const owedQuery = (buyerId: number) =>
  queryOptions({
    queryKey: [...ALL, 'owed', buyerId],
    queryFn: async ({ signal }) => {
      const found: PurchaseSummary[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < LARGE_PAGES; page += 1) {
        const query = { status: String(LIST_FILTERS.active), limit: LARGE_PAGE, cursor };
        const reply: Reply<typeof listPurchases> = await call(
          listPurchases,
          { params: { buyerId }, query },
          { signal },
        );
        found.push(...reply.data);
        if (reply.next === null) return { found: eachOnce(found), complete: true };
        cursor = reply.next;
      }
      return { found: eachOnce(found), complete: false };
    },
    select: ({ found, complete }) => ({
      purchases: found.map(readSummary).toSorted(bySoonest),
      owed: sum(found.map((each) => readSummary(each).owed)),
      complete,
    }),
  });

export const purchaseQuery = (id: number) =>
  queryOptions({
    queryKey: [...ALL, 'one', id],
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

/** Always refetched: a till or another tab may be paying it. */
export const payableQuery = (instalmentId: number) =>
  queryOptions({
    queryKey: [...ALL, 'payable', instalmentId],
    staleTime: 0,
    queryFn: ({ signal }) => call(getInstalment, { params: { id: instalmentId } }, { signal }),
    select: readPayable,
  });

/** A logo as a `data:` URL, cached for the visit. */
export const logoQuery = (fileName: string) =>
  queryOptions({
    queryKey: ['logo file', fileName],
    enabled: fileName !== '',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data } = await call(downloadLogo, { params: { fileName } }, { signal });
      return `data:${data.contentType};base64,${data.contentByteArray}`;
    },
  });

export type Quote = ReturnType<typeof readQuote>;

/** The current cost and refund of cancelling, always refetched. */
export const quoteQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: ['cancel quote', purchaseId],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      readQuote((await call(getCancelQuote, { params: { saleId: purchaseId } }, { signal })).data),
  });

/** Cancels for the refund that was shown, then refreshes the lists in any case. */
export const cancelling = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, reason, refundShown }: { id: number; reason: string; refundShown: number }) =>
      call(cancelPurchase, {
        params: { saleId: id },
        body: { id, saleStatusId: STATUS_CODES.cancelled, cancelNotes: reason, refundShown },
      }),
    onSettled: () => refresh(queries),
  });

/** Refetches every list and detail of purchases. */
export function refresh(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ALL });
}

export type Refund = ReturnType<typeof readRefund>;

export const refundsQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: [...ALL, 'refunds', purchaseId],
    queryFn: async ({ signal }) =>
      (await call(listRefunds, { params: { saleId: purchaseId } }, { signal })).data.map(readRefund),
  });

export type Receipt = ReturnType<typeof readReceipt>;

export const receiptQuery = (folio: string) =>
  queryOptions({
    queryKey: ['receipt', folio],
    queryFn: async ({ signal }) =>
      readReceipt((await call(getReceipt, { params: { folio } }, { signal })).data),
  });

/** The receipt's PDF as a file. */
export async function receiptPdf(folio: string): Promise<File> {
  const { data } = await call(getReceiptPdf, { params: { folio } });
  const bytes = Uint8Array.from(atob(data.contentByteArray), (character) => character.charCodeAt(0));
  return new File([bytes], data.fileName, { type: 'application/pdf' });
}

function readPages({ pages }: InfiniteData<Reply<typeof listPurchases>, string | undefined>) {
  return {
    purchases: eachOnce(pages.flatMap(({ data }) => data)).map(readSummary),
    total: pages[0]?.total ?? undefined,
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
  const status = purchaseStatus({
    statusCode: wire.estatusVentaId,
    instalments: wire.numCxc,
    paidInstalments: wire.numCxcPagadas,
  });
  const next = wire.nextInstalment;
  return {
    id: wire.ventaId,
    status,
    madeOn: mexicoCityDate(new Date(wire.fechaVta)),
    merchant: wire.nombreComercial,
    client: wire.nombre,
    product: wire.descripcion,
    logoFile: wire.logofileName,
    price: centavosFromPesos(wire.montoVenta),
    deposit: centavosFromPesos(wire.montoAdelanto),
    paid: centavosFromPesos(wire.totalPagos),
    owed: owedOf(status, wire.cxcList),
    segments: wire.cxcList.map(segmentOf),
    next: next
      ? {
          id: next.id,
          number: next.number,
          dueOn: next.dueOn,
          balance: centavosFromPesos(next.balance),
          late: next.late,
        }
      : undefined,
    late: wire.late,
    waitsAtStore: wire.cxcList.some((each) => each.visibleAlPago && waitsAtStore(each)),
  };
}

function owedOf(status: PurchaseStatus, instalments: readonly WireInstalment[]): Centavos {
  return sum(status === 'cancelled' ? [] : instalments.map(({ saldo }) => centavosFromPesos(saldo)));
}

function segmentOf(instalment: WireInstalment): SegmentState {
  if (instalment.saldo === 0) return 'paid';
  if (instalment.visibleAlPago && waitsAtStore(instalment)) return 'pending';
  if (instalment.late) return 'late';
  return instalment.visibleAlPago ? 'next' : 'upcoming';
}

function waitsAtStore({ cashReferenceExpiresAt }: WireInstalment): boolean {
  return cashReferenceExpiresAt !== null;
}

function readDetail(wire: {
  sale: ReplyData<typeof getSale>;
  instalments: readonly InstalmentWithPayments[];
}): PurchaseDetail {
  const { sale } = wire;
  const status = purchaseStatus({
    statusCode: sale.saleStatusId,
    instalments: sale.numCxc,
    paidInstalments: sale.numCxcPagadas,
  });
  return {
    id: sale.id,
    status,
    madeOn: mexicoCityDate(new Date(sale.saleDate)),
    merchant: sale.tradeName,
    client: sale.clientName,
    product: sale.description,
    details: sale.details,
    logoFile: sale.logofileName,
    price: centavosFromPesos(sale.ammount),
    deposit: centavosFromPesos(sale.ammountPre),
    paid: centavosFromPesos(sale.totalPagos),
    owed: owedOf(status, wire.instalments),
    instalments: wire.instalments.map((each) => readInstalment(each, sale)),
    cancelled:
      sale.cancelDate === null
        ? undefined
        : { on: mexicoCityDate(new Date(sale.cancelDate)), reason: sale.cancelNotes },
  };
}

function readInstalment(wire: InstalmentWithPayments, sale: ReplyData<typeof getSale>): Instalment {
  const balance = centavosFromPesos(wire.saldo);
  return {
    id: wire.id,
    number: wire.identificador,
    of: sale.numCxc,
    dueOn: wire.fechaVencimiento,
    amount: centavosFromPesos(wire.valor),
    paid: centavosFromPesos(wire.pagos),
    balance,
    state: stateOf(wire, sale.saleStatusId === STATUS_CODES.cancelled),
    isNext: wire.visibleAlPago,
    note: wire.notasCxc,
    payments: wire.cxcPagos.map((payment) => ({
      id: payment.cxcPagoId,
      folio: payment.folio,
      amount: centavosFromPesos(payment.monto),
      on: mexicoCityDate(new Date(payment.fechaExpedicion)),
      method: payment.method,
      last4: payment.last4 ?? undefined,
    })),
    invoice: wire.invoice,
    mayBeInvoiced: wire.mayBeInvoiced,
  };
}

function stateOf(wire: WireInstalment, isCancelled: boolean): InstalmentState {
  if (wire.saldo === 0) return 'paid';
  if (isCancelled) return 'dropped';
  if (wire.late) return 'late';
  return wire.visibleAlPago ? 'due' : 'upcoming';
}

function readPayable({ data }: Reply<typeof getInstalment>): Payable {
  const isOpen = data.attempt !== null && OPEN_ATTEMPT_STATES.includes(data.attempt.state);
  return {
    id: data.id,
    purchaseId: data.ventaId,
    number: data.identificador,
    of: data.numCxc,
    product: data.productName,
    dueOn: data.fechaVencimiento,
    late: data.late,
    amount: centavosFromPesos(data.valor),
    paid: centavosFromPesos(data.pagos),
    balance: centavosFromPesos(data.saldo),
    card: { fee: centavosFromPesos(data.cardFee), total: centavosFromPesos(data.cardTotal) },
    cash: { fee: centavosFromPesos(data.cashFee), total: centavosFromPesos(data.cashTotal) },
    acceptsCards: data.acceptsCards,
    state: isOpen ? 'confirming' : waitsAtStore(data) ? 'atStore' : 'free',
  };
}

function readQuote(wire: CancelQuote) {
  const freeUntil = new Date(wire.penaltyFreeUntil);
  return {
    paid: centavosFromPesos(wire.paid),
    penalty: centavosFromPesos(wire.penalty),
    /** Until when cancelling is free. */
    freeUntil: wire.penalty === 0 && freeUntil > new Date() ? freeUntil : undefined,
    feesReturned: centavosFromPesos(wire.feesReturned),
    feesKept: centavosFromPesos(wire.feesKept),
    refund: centavosFromPesos(wire.refund),
    /** In wire form, to send back with the cancel call. */
    refundShown: wire.refund,
    returns: byWay(wire.returns),
    invoiced: wire.invoiced,
  };
}

/** Refunds to the same card, or in cash, are summed for display. */
function byWay(lines: CancelQuote['returns']) {
  const ways = Map.groupBy(lines, ({ way, last4 }) => `${way} ${last4}`);
  return [...ways.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const amount = sum(same.map((line) => centavosFromPesos(line.amount)));
    return [{ amount, way: first.way, last4: first.last4 ?? undefined }];
  });
}

function readRefund(wire: WireRefund) {
  return {
    id: wire.id,
    amount: centavosFromPesos(wire.amount),
    way: wire.way,
    state: wire.state,
    last4: wire.last4 ?? undefined,
    folio: wire.folio,
    doneOn: wire.doneAt === null ? undefined : mexicoCityDate(new Date(wire.doneAt)),
  };
}

function readReceipt(wire: WireReceipt) {
  const amount = centavosFromPesos(wire.amount);
  const fee = centavosFromPesos(wire.fee);
  return {
    folio: wire.folio,
    paidAt: new Date(wire.paidAt),
    amount,
    fee,
    /** Without the fee. */
    principal: subtract(amount, fee),
    method: wire.method,
    last4: wire.last4 ?? undefined,
    purchaseId: wire.ventaId,
    product: wire.productName,
    merchant: wire.merchant,
    buyer: wire.buyerName,
    parts: wire.parts.map((part) => ({ ...part, amount: centavosFromPesos(part.amount) })),
    isCancelled: wire.cancelled,
    balance: centavosFromPesos(wire.balance),
    nextDueOn: wire.nextDueOn ?? undefined,
    refunded: centavosFromPesos(wire.refunded),
  };
}
