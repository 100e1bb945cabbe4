import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply, ReplyData } from '@aparta/contract/endpoint';
import type { CardPayment as WireCardPayment } from '@aparta/contract/payments';
import {
  getInstalment,
  listInstalments,
  type Instalment as WireInstalment,
  type InstalmentWithPayments as WireInstalmentWithPayments,
} from '@aparta/contract/purchases';
import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { STATUS_CODES } from '@aparta/domain/purchase-status';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '@aparta/browser/api-error.ts';
import { knownRefusals } from '../copy/known-refusals.ts';
import { call } from '../api/client.ts';
import { readInvoice, type CancelledInvoice, type Invoice } from './invoice.ts';
import { readCardAttempt, type CardAttempt } from './card-attempt.ts';
import { attempt as sentAttempts } from '../session/attempt.ts';
import { PURCHASES } from './purchases-key.ts';
import type { LatePurchase } from './late-purchases.ts';
import type { PaymentMethod } from './receipts.ts';

/** `dropped`: its purchase was cancelled before it was paid. */
export type InstalmentState = 'paid' | 'due' | 'late' | 'upcoming' | 'dropped';

/** One instalment of a purchase's plan; the deposit is number 1. Sums without service fees. */
export type Instalment = {
  id: number;
  purchaseId: number;
  number: number;
  of: number;
  dueOn: DateOnly;
  amount: Centavos;
  paid: Centavos;
  balance: Centavos;
  state: InstalmentState;
  /** The one that can be paid now: an older one gets the money first (rules/layaways#paying). */
  isNext: boolean;
  note: string;
  paymentReference: string;
  /** Until when stores take its reference; undefined if none is alive. */
  storeReferenceUntil: Date | undefined;
};

/** A payment's part that was applied to an instalment. */
export type AppliedPayment = {
  id: number;
  folio: string;
  amount: Centavos;
  on: DateOnly;
  method: PaymentMethod;
  last4: string | undefined;
  /** Who paid it to help the buyer. */
  payer: string | undefined;
};

export type InstalmentWithPayments = Instalment & {
  /** Oldest first. */
  payments: readonly AppliedPayment[];
  /** The newest one, in any state but cancelled. */
  invoice: Invoice | undefined;
  /** The newest one, where SAT cancelled it after it was issued. */
  cancelledInvoice: CancelledInvoice | undefined;
  mayBeInvoiced: boolean;
  /** The last day to ask for one, past or to come, if there is such a day. */
  invoiceUntil: DateOnly | undefined;
  /** Whether a service fee came with its payments, which no invoice has. */
  hasFee: boolean;
};

/** An instalment with what paying it costs by each method. */
export type InstalmentToPay = InstalmentWithPayments & {
  /** What is late at its merchant, its own purchase first, where that was read too. */
  late?: readonly LatePurchase[] | undefined;
  /** All of its plan, by number, where that was read too. */
  plan: readonly Instalment[] | undefined;
  merchantId: number;
  productId: number;
  product: string;
  merchant: string;
  logoFile: string;
  card: { fee: Centavos; total: Centavos };
  cash: { fee: Centavos; total: Centavos };
  /** At the shop's own tills and counter; undefined where it has none. */
  till: { fee: Centavos; reference: string } | undefined;
  acceptsCards: boolean;
  /** With which the card form opens. */
  cardKey: string;
  /** The newest card attempt. */
  attempt: CardAttempt | undefined;
  /**
   * `confirming`: a card payment is open, so nothing else may be paid; `atStore`: a store reference is alive.
   */
  progress: 'free' | 'confirming' | 'atStore';
  isPurchaseCancelled: boolean;
};

/** One instalment, always refetched: a store, a till or another tab may be paying it. */
export const instalmentQuery = (id: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'instalment', id],
    staleTime: 0,
    queryFn: ({ signal }) => call(getInstalment, { params: { id } }, { signal }),
    select: readInstalmentToPay,
  });

/**
 * An instalment for the card screens, its figures as its purchase's plan has them; NOT_FOUND when it is not in that
 * plan. With `late`, what is late at its merchant is read too. Caches the model and not the reply, so that a newer attempt can be put into it.
 */
export const instalmentToPayQuery = (purchaseId: number, id: number, { late }: { late: boolean }) =>
  queryOptions({
    queryKey: [...PURCHASES, 'instalment', id, 'of', purchaseId, late],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const readPlan = async () =>
        (await call(listInstalments, { params: { saleId: purchaseId } }, { signal })).data;
      const [{ data: instalment }, beside, others] = await Promise.all([
        call(getInstalment, { params: { id } }, { signal }),
        readPlan(),
        // Few screens need it.
        late
          ? import('./late-purchases.ts').then(({ fetchLateWith }) => fetchLateWith(purchaseId, signal))
          : undefined,
      ]);
      // It was read before the payment was applied, or after it was taken back: only a later one tells, by which more may be paid.
      const plan = lacks(beside, instalment.attempt) ? await readPlan() : beside;
      const planned = plan.find((each) => each.id === instalment.id);
      if (!planned) throw notFound();
      const read = readInstalmentToPay({ data: { ...instalment, ...planned } });
      const isOver = read.isPurchaseCancelled;
      return {
        ...read,
        late: others,
        plan: plan.map((each) => readInstalment(each, read.of, isOver)),
        ...(isHistory(read) && !(isOver && lacks(plan, instalment.attempt)) && { attempt: undefined }),
      };
    },
  });

/** Whether a payment could still change what `instalmentQuery` has fetched. */
export function mayStillBePaid({ data }: Reply<typeof getInstalment>): boolean {
  return data.saldo > 0 && data.estatusVentaId !== STATUS_CODES.cancelled;
}

/** Of a purchase with `of` instalments. */
export function readInstalment(wire: WireInstalment, of: number, isPurchaseCancelled: boolean): Instalment {
  const until = wire.cashReferenceExpiresAt;
  return {
    id: wire.id,
    purchaseId: wire.ventaId,
    number: wire.identificador,
    of,
    dueOn: wire.fechaVencimiento,
    amount: centavosFromPesos(wire.valor),
    paid: centavosFromPesos(wire.pagos),
    balance: centavosFromPesos(wire.saldo),
    state: stateOf(wire, isPurchaseCancelled),
    isNext: wire.visibleAlPago,
    note: wire.notasCxc,
    paymentReference: wire.paymentReference,
    storeReferenceUntil: until === null ? undefined : new Date(until),
  };
}

function stateOf(wire: WireInstalment, isPurchaseCancelled: boolean): InstalmentState {
  if (wire.saldo === 0) return 'paid';
  if (isPurchaseCancelled) return 'dropped';
  if (wire.late) return 'late';
  return wire.visibleAlPago ? 'due' : 'upcoming';
}

/** Of a purchase with `of` instalments. */
export function readInstalmentWithPayments(
  wire: WireInstalmentWithPayments,
  of: number,
  isPurchaseCancelled: boolean,
): InstalmentWithPayments {
  return {
    ...readInstalment(wire, of, isPurchaseCancelled),
    payments: wire.cxcPagos.map(readPayment),
    invoice: wire.invoice ? readInvoice(wire.invoice) : undefined,
    cancelledInvoice: wire.cancelledInvoice ?? undefined,
    mayBeInvoiced: wire.mayBeInvoiced,
    invoiceUntil: wire.invoiceUntil ?? undefined,
    hasFee: wire.feePaid,
  };
}

export function readPayment(payment: WireInstalmentWithPayments['cxcPagos'][number]): AppliedPayment {
  return {
    id: payment.cxcPagoId,
    folio: payment.folio,
    amount: centavosFromPesos(payment.monto),
    on: mexicoCityDate(new Date(payment.fechaExpedicion)),
    method: payment.method,
    last4: payment.last4 ?? undefined,
    payer: payment.payerName ?? undefined,
  };
}

function readInstalmentToPay({ data: wire }: { data: ReplyData<typeof getInstalment> }): InstalmentToPay {
  const isPurchaseCancelled = wire.estatusVentaId === STATUS_CODES.cancelled;
  const instalment = readInstalmentWithPayments(wire, wire.numCxc, isPurchaseCancelled);
  const attempt = wire.attempt ? readCardAttempt(wire.attempt) : undefined;
  return {
    ...instalment,
    plan: undefined,
    merchantId: wire.businessId,
    productId: wire.productId,
    product: wire.productName,
    merchant: wire.tradeName,
    logoFile: wire.logofileName,
    card: { fee: centavosFromPesos(wire.cardFee), total: centavosFromPesos(wire.cardTotal) },
    cash: { fee: centavosFromPesos(wire.cashFee), total: centavosFromPesos(wire.cashTotal) },
    till:
      wire.tillFee === null
        ? undefined
        : { fee: centavosFromPesos(wire.tillFee), reference: wire.planReference },
    acceptsCards: wire.acceptsCards,
    cardKey: wire.cardKey,
    attempt,
    progress: attempt?.isOpen ? 'confirming' : instalment.storeReferenceUntil ? 'atStore' : 'free',
    isPurchaseCancelled,
  };
}

function notFound(): ApiError {
  const nothing = { fields: {}, facts: {}, retryAfterSeconds: undefined };
  const said = knownRefusals.NOT_FOUND;
  return new ApiError({ kind: 'refused', code: 'NOT_FOUND', status: 404, ...nothing, said }, '');
}

/** Whether a plan has nothing of an applied payment. */
function lacks(plan: readonly WireInstalmentWithPayments[], attempt: WireCardPayment | null): boolean {
  return (
    attempt?.state === 'applied' &&
    !plan.some(({ cxcPagos }) => cxcPagos.some(({ folio }) => folio === attempt.folio))
  );
}

/** An applied attempt that leaves something to pay is history, but in the tab that made it and still shows how it ended. */
function isHistory({ attempt, balance }: InstalmentToPay): boolean {
  return balance > 0 && attempt?.state === 'applied' && !sentAttempts.isShown(attempt.intentId);
}
