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

/** One purchase as its card shows it. Sums without service fees. */
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
  /** What is left to pay; nothing of a cancelled one. */
  owed: Centavos;
  segments: readonly SegmentState[];
  next: Due | undefined;
  late: boolean;
  /** A reference for stores is alive for the next instalment. */
  waitsAtStore: boolean;
};

/** An instalment that is to be paid. */
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
  /** As the wire says it: read by the part that shows it (see `RenderInvoice`). */
  invoice: Invoice | null;
  mayBeInvoiced: boolean;
};

/** What the invoice of an instalment is shown with, by a part of another feature that app/routes.tsx puts in. */
export type RenderInvoice = (of: {
  purchaseId: number;
  instalmentId: number;
  product: string;
  number: number;
  of: number;
  amount: Centavos;
  invoice: Invoice | null;
  mayBeInvoiced: boolean;
  /** Asks for the purchase anew. */
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

/** The next payable instalment with what each way of paying it takes, and whether paying is free to begin. */
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
  /** `confirming`: a card payment is still open, so nothing else is paid; `atStore`: a reference is alive. */
  state: 'free' | 'confirming' | 'atStore';
};

const PAGE = '20';
/** A buyer's purchases in one call, for what is summed over all of them. */
const LARGE_PAGE = '100';
const LARGE_PAGES = 10;

/** Everything here lies under this key, so that one call makes all of it look again. */
const ALL = ['purchases'] as const;

/** The purchases list, page by page by the server's cursor. */
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

/** How many purchases a filter holds. */
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
 * All active purchases, soonest due first: late ones lead. `complete` is false beyond a thousand of them, whose sums
 * are then not all there.
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

/** Never taken from the cache without asking again: a till or another tab may be paying it. */
export const payableQuery = (instalmentId: number) =>
  queryOptions({
    queryKey: [...ALL, 'payable', instalmentId],
    staleTime: 0,
    queryFn: ({ signal }) => call(getInstalment, { params: { id: instalmentId } }, { signal }),
    select: readPayable,
  });

/** A logo as a `data:` address. Logos stay for the visit. */
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

/** What cancelling costs and gives back now: asked anew whenever it is shown. */
export const quoteQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: ['cancel quote', purchaseId],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      readQuote((await call(getCancelQuote, { params: { saleId: purchaseId } }, { signal })).data),
  });

/** Cancels for the sum that was shown; the lists look again whatever came of it. */
export const cancelling = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, reason, refundShown }: { id: number; reason: string; refundShown: number }) =>
      call(cancelPurchase, {
        params: { saleId: id },
        body: { id, saleStatusId: STATUS_CODES.cancelled, cancelNotes: reason, refundShown },
      }),
    onSettled: () => refresh(queries),
  });

/** Makes every list and detail of purchases ask the server again. */
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

/** A late one that was paid between two pages comes again, in its new place; it stays where it was read first. */
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
    /** While cancelling costs nothing: until when that lasts. */
    freeUntil: wire.penalty === 0 && freeUntil > new Date() ? freeUntil : undefined,
    feesReturned: centavosFromPesos(wire.feesReturned),
    feesKept: centavosFromPesos(wire.feesKept),
    refund: centavosFromPesos(wire.refund),
    /** As the server said it: what the cancel call sends back. */
    refundShown: wire.refund,
    returns: byWay(wire.returns),
    invoiced: wire.invoiced,
  };
}

/** What goes back to one card, or in cash, is one sum for the buyer however many payments it was. */
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
