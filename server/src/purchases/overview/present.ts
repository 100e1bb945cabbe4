import { pesosFromCentavos } from '@aparta/contract/amount';
import type { ReplyData } from '@aparta/contract/endpoint';
import type { getLatePurchases } from '@aparta/contract/late-purchases';
import type { CardPayment } from '@aparta/contract/payments';
import type * as contract from '@aparta/contract/purchases';
import { mayBeInvoiced } from '@aparta/domain/instalments';
import { isPastCutOff, lastDayToInvoice } from '@aparta/domain/invoice-cut-off';
import { add, sum } from '@aparta/domain/money';
import { STATUS_CODES } from '@aparta/domain/purchase-status';
import { feeFor, type PaymentMethod } from '@aparta/domain/service-fee';

import { presentPictures } from '../../catalogue/present.ts';
import type { ReceiptChannel } from '../../platform/db/tables.ts';
import { isClosed } from '../../invoicing/invoices/invoice.ts';
import { closingOf } from '../../invoicing/invoices/read-model.ts';
import { folioOf, presentCancelledInvoice, presentInvoice } from '../../invoicing/present.ts';
import { partialPaymentNote } from './copy.ts';
import { announcedEndOf } from '../ending/read-model.ts';
import { type Standing, standingOf } from './standing.ts';
import type { Delivery } from '../claims/delivery.ts';
import { presentClaim } from '../claims/present.ts';
import { presentMoving } from '../moving/present.ts';
import type { KeptUnit } from '../holds/read-model.ts';
import type { CancelBill } from '../cancelling/end-with-refunds.ts';
import type { LatePurchase } from './late.read-model.ts';
import type { ListedRow } from './list.read-model.ts';
import type { InstalmentRow, ListedPurchase, PurchaseRow } from './read-model.ts';
import type { TakenBack } from './taken-back.read-model.ts';
import type { WaitingRow } from './waiting.read-model.ts';

const METHOD = { card: 'card', till: 'till', cash: 'cash' } as const satisfies Record<
  ReceiptChannel,
  PaymentMethod
>;

/** The summary of spec §3, with what a purchase's card in the list shows. */
export function presentSummary(purchase: ListedRow): contract.PurchaseSummary {
  const { statusCode, instalments, paidInstalments, next } = standingOf(purchase);
  return {
    ventaId: purchase.id,
    fechaVta: purchase.createdAt.toISOString(),
    nombreComercial: purchase.tradeName,
    nombre: purchase.buyerName,
    descripcion: purchase.productName,
    details: purchase.productDescription,
    montoVenta: pesosFromCentavos(purchase.priceCentavos),
    montoAdelanto: pesosFromCentavos(purchase.depositCentavos),
    totalPagos: pesosFromCentavos(purchase.paidCentavos),
    numCxc: instalments.length,
    numCxcPagadas: paidInstalments,
    estatusVentaId: statusCode,
    clienteId: purchase.buyerId,
    comercioId: purchase.merchantId,
    cxcList: instalments.map((instalment) => presentInstalment(purchase, instalment)),
    email: purchase.buyerEmail,
    telefono: purchase.buyerPhone,
    ssoId: purchase.ssoId,
    fGebusinessuuid: purchase.invoicingBusinessUuid,
    fGeproductuuid: purchase.invoicingProductUuid,
    productId: purchase.productId,
    logofileName: purchase.logoFileName,
    pictures: presentPictures(purchase.productId, purchase.picture),
    nextInstalment:
      next === undefined
        ? null
        : {
            id: next.id,
            number: next.number,
            dueOn: next.dueOn,
            balance: pesosFromCentavos(next.balanceCentavos),
            late: next.late,
          },
    late: instalments.some((instalment) => instalment.late),
    delivered: purchase.state === 'delivered',
    ending: presentEnding(purchase),
    openAttempt: purchase.openAttempt,
    acceptsTills: purchase.hasTill,
  };
}

/** What of a purchase waits for its buyer. */
export function presentWaiting(waiting: WaitingRow): contract.WaitingPurchase {
  return {
    ventaId: waiting.id,
    descripcion: waiting.productName,
    nombreComercial: waiting.tradeName,
    logofileName: waiting.logoFileName,
    toCollect: waiting.isToCollect,
    owedAtShop: pesosFromCentavos(waiting.atShopCentavos),
    owedToCard: pesosFromCentavos(waiting.toCardCentavos),
  };
}

/** When a purchase ends by its rule, or until when its shop gave it time, and the sum that stops it: what is unpaid of its oldest day. */
export function presentEnding(purchase: ListedPurchase): contract.PurchaseEnding {
  const end = announcedEndOf(purchase);
  if (end === undefined) return null;
  const owed = standingOf(purchase).instalments.filter(({ dueOn }) => dueOn === purchase.nextDueOn);
  const toPay = pesosFromCentavos(sum(owed.map(({ balanceCentavos }) => balanceCentavos)));
  return { endsOn: end.moreTimeUntil ?? end.endsOn, toPay, moreTime: end.moreTimeUntil !== undefined };
}

/** All instalments of a purchase, by number, with their payments. */
export function presentInstalments(purchase: PurchaseRow): contract.InstalmentWithPayments[] {
  return standingOf(purchase).instalments.map((instalment) => presentWithPayments(purchase, instalment));
}

/** What is late of a purchase, with the fee that a card payment of it would carry. */
export function presentLate(late: LatePurchase): ReplyData<typeof getLatePurchases>[number] {
  return {
    ventaId: late.id,
    producto: late.productName,
    referencia: late.reference,
    abonos: late.instalments.map(({ number, balanceCentavos }) => ({
      identificador: number,
      monto: pesosFromCentavos(balanceCentavos),
    })),
    cardFee: pesosFromCentavos(feesOf(late).card),
  };
}

/** One instalment, with what the screens that pay it need of the purchase. */
export function presentOneInstalment(
  purchase: PurchaseRow,
  id: number,
  beside: { attempt: CardPayment | null; cardKey: string; hasTill: boolean },
): ReplyData<typeof contract.getInstalment> {
  const { statusCode, instalments, paidInstalments } = standingOf(purchase);
  const instalment = instalments.find((each) => each.id === id);
  if (instalment === undefined) throw new Error(`the purchase ${purchase.id} has no instalment ${id}`);
  const fees = feesOf(purchase);
  return {
    ...presentWithPayments(purchase, instalment),
    estatusVentaId: statusCode,
    numCxc: instalments.length,
    numCxcPagadas: paidInstalments,
    businessId: purchase.merchantId,
    productId: purchase.productId,
    tradeName: purchase.tradeName,
    productName: purchase.productName,
    logofileName: purchase.logoFileName,
    cardFee: pesosFromCentavos(fees.card),
    cashFee: pesosFromCentavos(fees.cash),
    cardTotal: pesosFromCentavos(add(instalment.balanceCentavos, fees.card)),
    cashTotal: pesosFromCentavos(add(instalment.balanceCentavos, fees.cash)),
    acceptsCards: beside.cardKey !== '',
    cardKey: beside.cardKey,
    tillFee: beside.hasTill ? pesosFromCentavos(fees.till) : null,
    planReference: instalments.at(-1)?.reference ?? '',
    attempt: beside.attempt,
  };
}

/** The sale of spec §3. */
export function presentSale(
  purchase: PurchaseRow,
  {
    acceptsCards,
    hasTill,
    bill,
    kept,
    delivery,
    hasRefunds,
    takenBack,
  }: {
    acceptsCards: boolean;
    hasTill: boolean;
    bill: CancelBill | undefined;
    kept: KeptUnit | undefined;
    delivery: Delivery;
    hasRefunds: boolean;
    takenBack: readonly TakenBack[];
  },
): contract.Sale {
  const { statusCode, instalments, paidInstalments } = standingOf(purchase);
  const fees = feesOf(purchase);
  return {
    id: purchase.id,
    businessId: purchase.merchantId,
    saleDate: purchase.createdAt.toISOString(),
    description: purchase.productName,
    details: purchase.productDescription,
    clientId: purchase.buyerId,
    productId: purchase.productId,
    sku: purchase.sku,
    ammount: pesosFromCentavos(purchase.priceCentavos),
    ammountPre: pesosFromCentavos(purchase.depositCentavos),
    limitDatePay: instalments.at(-1)?.dueOn ?? '',
    vigencyDateToLC: purchase.layawayExpiresAt.toISOString(),
    companyId: purchase.companyId,
    apartReference: purchase.layawayReference,
    creationDate: purchase.createdAt.toISOString(),
    updateDate: changedAt(purchase).toISOString(),
    SSOId: purchase.ssoId,
    saleStatusId: statusCode,
    cancelDate: purchase.cancelledAt?.toISOString() ?? null,
    cancelNotes: purchase.cancelNotes,
    SSOIdBuyerCancel:
      purchase.state === 'cancelled' && (purchase.endedBy ?? 'buyer') === 'buyer' ? purchase.buyerSsoId : '',
    SSOIdBussineeCancel: '',
    numNotificationCancel: 0,
    tradeName: purchase.tradeName,
    clientName: purchase.buyerName,
    logofileName: purchase.logoFileName,
    pictures: presentPictures(purchase.productId, purchase.picture),
    totalPagos: pesosFromCentavos(purchase.paidCentavos),
    numCxc: instalments.length,
    numCxcPagadas: paidInstalments,
    cardFee: pesosFromCentavos(fees.card),
    cashFee: pesosFromCentavos(fees.cash),
    acceptsCards,
    acceptsTills: hasTill,
    openAttempt: purchase.openAttempt,
    delivered: purchase.state === 'delivered',
    endedBy: purchase.endedBy,
    endDaysLate: purchase.endDaysLate,
    ending: presentEnding(purchase),
    moving: purchase.movesAllowed > 0 || purchase.changes.length > 0 ? presentMoving(purchase) : null,
    deliveryDays: delivery.days,
    deliverBy: delivery.by,
    mayClaim: delivery.mayClaim,
    claim: delivery.claim === undefined ? null : presentClaim(delivery.claim),
    cancelBill: bill
      ? {
          paid: pesosFromCentavos(bill.paidCentavos),
          penalty: pesosFromCentavos(bill.penaltyCentavos),
          feesReturned: pesosFromCentavos(bill.feeReturnedCentavos),
          feesKept: pesosFromCentavos(bill.feeKeptCentavos),
          refund: pesosFromCentavos(bill.refundCentavos),
        }
      : null,
    hasRefunds,
    invoicedHere: isInvoicedHere(purchase),
    takenBack: takenBack.map(presentPayment),
    kept: kept
      ? {
          branch: kept.branch,
          since: kept.since.toISOString(),
          checkedAt: kept.checkedAt?.toISOString() ?? null,
        }
      : null,
  };
}

function presentInstalment(
  purchase: ListedPurchase,
  instalment: Standing<InstalmentRow>,
): contract.Instalment {
  return {
    id: instalment.id,
    ventaId: purchase.id,
    identificador: instalment.number,
    fechaVencimiento: instalment.dueOn,
    numfactura: folioOf(invoiceOf(purchase, instalment)),
    valor: pesosFromCentavos(instalment.amountCentavos),
    pagos: pesosFromCentavos(instalment.paidCentavos),
    saldo: pesosFromCentavos(instalment.balanceCentavos),
    notasCxc: noteOn(instalment),
    visibleAlPago: instalment.payable,
    paymentReference: instalment.reference,
    late: instalment.late,
    cashReferenceExpiresAt:
      instalment.cashUntil === null ? null : new Date(instalment.cashUntil).toISOString(),
  };
}

function presentWithPayments(
  purchase: PurchaseRow,
  instalment: Standing<InstalmentRow>,
): contract.InstalmentWithPayments {
  const invoice = invoiceOf(purchase, instalment);
  const isInvoiceable =
    mayBeInvoiced(STATUS_CODES[purchase.state], instalment) &&
    isInvoicedHere(purchase) &&
    (invoice === undefined || isClosed(invoice.state));
  const payments = instalment.payments.map(({ paidAt, bookedAt, cutOffDays }) => ({
    paidAt: new Date(paidAt),
    bookedAt: new Date(bookedAt),
    cutOffDays,
  }));
  const invoiceUntil = isInvoiceable
    ? lastDayToInvoice(payments, purchase.invoiceCutOffDays, closingOf(invoice))
    : null;
  return {
    ...presentInstalment(purchase, instalment),
    cxcPagos: instalment.payments.map(presentPayment),
    invoice: presentInvoice(invoice),
    cancelledInvoice: presentCancelledInvoice(invoice),
    mayBeInvoiced: isInvoiceable && !isPastCutOff(invoiceUntil, purchase.now),
    invoiceUntil,
    feePaid: instalment.payments.some(({ hasFee }) => hasFee),
  };
}

function isInvoicedHere({ invoicingBusinessUuid, invoicingProductUuid }: PurchaseRow): boolean {
  return invoicingBusinessUuid !== '' && invoicingProductUuid !== '';
}

function presentPayment(
  payment: Omit<TakenBack, 'paidAt'> & { paidAt: Date | string },
): contract.InstalmentWithPayments['cxcPagos'][number] {
  return {
    cxcPagoId: payment.id,
    fechaExpedicion: new Date(payment.paidAt).toISOString(),
    monto: pesosFromCentavos(payment.amountCentavos),
    folio: payment.folio,
    method: METHOD[payment.channel],
    last4: payment.last4,
    payerName: payment.payerName,
  };
}

function invoiceOf({ invoices }: ListedPurchase, { id }: Standing<InstalmentRow>) {
  return invoices.find(({ instalmentId }) => instalmentId === id);
}

function noteOn({ paidCentavos, balanceCentavos, payments }: Standing<InstalmentRow>): string {
  const last = payments.at(-1);
  if (last === undefined || paidCentavos === 0 || balanceCentavos === 0) return '';
  return partialPaymentNote(METHOD[last.channel], new Date(last.paidAt));
}

function feesOf({ feeCentavos, feeMethods }: Pick<PurchaseRow, 'feeCentavos' | 'feeMethods'>) {
  const policy = { amountCentavos: feeCentavos, methods: feeMethods };
  return { card: feeFor(policy, 'card'), cash: feeFor(policy, 'cash'), till: feeFor(policy, 'till') };
}

/** When it was made, cancelled or paid last. */
function changedAt({ createdAt, cancelledAt, instalments }: PurchaseRow): Date {
  const paidAt = instalments.flatMap(({ payments }) =>
    payments.map(({ paidAt: at }) => new Date(at).getTime()),
  );
  return new Date(Math.max(createdAt.getTime(), cancelledAt?.getTime() ?? 0, ...paidAt));
}
