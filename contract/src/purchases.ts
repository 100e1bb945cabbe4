import { addDays, daysBetween, type DateOnly } from '@aparta/domain/calendar';
import { LIST_FILTERS } from '@aparta/domain/purchase-status';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope, pageEnvelope } from './endpoint.ts';
import { cancelledInvoice, invoice } from './invoice.ts';
import { moving } from './moving.ts';
import { ATTEMPT_STATES, cardPayment } from './payments.ts';
import { productPictures } from './pictures.ts';
import { day, idField, idParam, moment } from './text.ts';

/** `estatusVentaId` and `saleStatusId`: 1 active, 2 cancelled (spec §4). */
const statusCode = v.picklist([1, 2]);

/** Who ended a purchase; null while nobody has, and of old ones. */
export const endedBy = v.nullable(v.picklist(['buyer', 'merchant', 'rule', 'claim', 'reversal']));

/**
 * How a late purchase ends by its rule: on a day, unless a sum is paid before. Null until its buyer was told, and once it is
 * paid. `moreTime`: its shop gave it until the end of that day.
 */
export const ending = v.nullable(v.object({ endsOn: day, toPay: pesos, moreTime: v.boolean() }));
export type PurchaseEnding = v.InferOutput<typeof ending>;

/** A buyer's claim of a purchase that was not handed over in time, as both sides see it. */
export const claim = v.object({
  claimFolio: v.string(),
  state: v.picklist(['open', 'answered', 'delivered', 'refunded', 'withdrawn']),
  /** What the buyer wrote. */
  notes: v.string(),
  openedAt: moment,
  /** The shop's words, and the day that it named. */
  answer: v.nullable(v.object({ text: v.string(), at: moment, promisedOn: v.nullable(day) })),
  /** Until when the shop has to answer, or to end it once it has; then the operator sees to it. */
  dueAt: moment,
  isOverdue: v.boolean(),
  endedAt: v.nullable(moment),
});
export type Claim = v.InferOutput<typeof claim>;

/** Money applied to an instalment ('abono'): its part of one receipt. */
const appliedPayment = v.object({
  cxcPagoId: idField,
  fechaExpedicion: moment,
  monto: pesos,

  // Ours, from here on.
  /** The number on the receipt; two parts of one payment carry the same. */
  folio: v.string(),
  /** By card, at a merchant's till, or in cash at a store. */
  method: v.picklist(['card', 'till', 'cash']),
  /** The last digits of the buyer's card, where it was one and the provider said them. */
  last4: v.nullable(v.string()),
  /** Who paid it to help the buyer. */
  payerName: v.nullable(v.string()),
});

/** Spec §3, Cxc, without its payments: how the list carries it. */
export const instalment = v.object({
  id: idField,
  ventaId: idField,
  /** Its number in the plan; 1 is the deposit. */
  identificador: v.number(),
  fechaVencimiento: day,
  /** The invoice's folio, once there is one. */
  numfactura: v.nullable(v.string()),
  valor: pesos,
  pagos: pesos,
  /** Without the service fee. */
  saldo: pesos,
  /** What happened to it, in words for the buyer, or ''. */
  notasCxc: v.string(),
  /** Whether it is the one that can be paid now. */
  visibleAlPago: v.boolean(),

  // Ours, from here on.
  /** What a card or a till pays it by: its number and its id. */
  paymentReference: v.string(),
  /** Unpaid after its day, and the purchase still active. */
  late: v.boolean(),
  /** Until when stores take its cash reference, while one is alive. */
  cashReferenceExpiresAt: v.nullable(moment),
});
export type Instalment = v.InferOutput<typeof instalment>;

/** Spec §3, Cxc. */
export const instalmentWithPayments = v.object({
  ...instalment.entries,
  /** Oldest first. */
  cxcPagos: v.array(appliedPayment),
  /** Ours: its newest invoice, whatever became of it; null while none was asked for, and for one that was cancelled. */
  invoice: v.nullable(invoice),
  /** Ours: that one where it was issued and then cancelled. */
  cancelledInvoice: v.optional(v.nullable(cancelledInvoice), null),
  /** Ours: whether one can be asked for now (spec §4: active, nothing left to pay; and the merchant invoices here). */
  mayBeInvoiced: v.boolean(),
  /**
   * Ours: the last day on which one can be asked for, also once it is over; null where none can be for another reason, and where
   * the merchant has no such day.
   */
  invoiceUntil: v.nullable(day),
  /** Ours: whether a service fee came with its payments; no invoice has it. */
  feePaid: v.optional(v.boolean(), false),
});
export type InstalmentWithPayments = v.InferOutput<typeof instalmentWithPayments>;

/** Both count the deposit (rules/wire#lists). */
const counts = { numCxc: v.number(), numCxcPagadas: v.number() };

/** Spec §3, Purchase summary, and what its card on the screen needs beside it. */
export const purchaseSummary = v.object({
  ventaId: idField,
  fechaVta: moment,
  /** The merchant's trade name: the list's 'branch'. */
  nombreComercial: v.string(),
  /** The buyer's name: the list's 'client'. */
  nombre: v.string(),
  /** The product's name, and what it is, as they were when it was reserved. */
  descripcion: v.string(),
  details: v.string(),
  montoVenta: pesos,
  montoAdelanto: pesos,
  /**
   * Paid so far, the deposit included and the service fees not. A cancelled purchase keeps it, as history.
   */
  totalPagos: pesos,
  ...counts,
  estatusVentaId: statusCode,
  clienteId: idField,
  comercioId: idField,
  /** By number. */
  cxcList: v.array(instalment),
  /** The buyer's. */
  email: v.string(),
  telefono: v.string(),
  ssoId: v.string(),
  fGebusinessuuid: v.string(),
  fGeproductuuid: v.string(),

  // Ours, from here on.
  productId: idField,
  /** For `Download/{fileName}`; empty when there is none. */
  logofileName: v.string(),
  pictures: productPictures,
  /** The instalment that can be paid now; null when nothing is left to pay, or it was cancelled. */
  nextInstalment: v.nullable(
    v.object({ id: idField, number: v.number(), dueOn: day, balance: pesos, late: v.boolean() }),
  ),
  /** Whether something of it is unpaid after its day. */
  late: v.boolean(),
  /** Whether the goods were handed over. */
  delivered: v.boolean(),
  ending,
  /** Where the buyer's own card payment of it stands while it is open. */
  openAttempt: v.optional(v.nullable(v.picklist(ATTEMPT_STATES)), null),
  acceptsTills: v.optional(v.boolean(), false),
});
export type PurchaseSummary = v.InferOutput<typeof purchaseSummary>;

/** A purchase of any state that has something for its buyer: goods to collect, or their own money on its way back. */
const waitingPurchase = v.object({
  ventaId: idField,
  descripcion: v.string(),
  nombreComercial: v.string(),
  logofileName: v.string(),
  /** Paid whole, and not handed over yet. */
  toCollect: v.boolean(),
  /** What the shop still gives back, in cash or on its own terminal, and what still goes to a card. */
  owedAtShop: pesos,
  owedToCard: pesos,
});
export type WaitingPurchase = v.InferOutput<typeof waitingPurchase>;

const CURSOR_DAYS_FROM: DateOnly = '1970-01-01';

/**
 * Where a page of purchases ended, as its `next` has it: the day that lateness is judged by on all pages, whether its
 * last purchase is late, and which that is.
 */
const listCursor = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}\.(late|rest)\.[1-9]\d{0,14}$/),
  v.transform((text) => {
    const [days, part, id] = text.split('.');
    return { day: addDays(CURSOR_DAYS_FROM, Number(days)), late: part === 'late', id: Number(id) };
  }),
);

export function writeListCursor({ day, late, id }: v.InferOutput<typeof listCursor>): string {
  return `${daysBetween(CURSOR_DAYS_FROM, day)}.${late ? 'late' : 'rest'}.${id}`;
}

export const listPurchases = defineEndpoint({
  name: 'listPurchases',
  summary: "The buyer's own purchases, late ones first and then newest first, page by page.",
  method: 'GET',
  path: '/v1/Cxc/ByBuyerIdH/:buyerId',
  access: ['buyer'],
  params: v.object({ buyerId: idParam }),
  query: v.object({
    /** 1 all (also when left out), 2 active and unpaid, 3 paid off, 4 cancelled. */
    status: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(1),
        v.transform(Number),
        v.picklist([LIST_FILTERS.all, LIST_FILTERS.active, LIST_FILTERS.paid_off, LIST_FILTERS.cancelled]),
      ),
      '1',
    ),
    /** Purchases on a page, 1 to 100. */
    limit: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(100)),
      '20',
    ),
    /** The `next` of the page before, as it came. */
    cursor: v.optional(listCursor),
  }),
  reply: v.object({
    ...pageEnvelope(purchaseSummary).entries,
    /** With the first page of the active ones: those of whatever state that have something for the buyer, money first; a few. */
    waiting: v.optional(v.array(waitingPurchase), []),
    /** With the same page: how many reservations without a purchase have a card payment open or money owed back, three at most. */
    unresolved: v.optional(v.number(), 0),
  }),
  refusals: ['NOT_FOUND'],
});

export const listInstalments = defineEndpoint({
  name: 'listInstalments',
  summary: "A purchase's instalments by number, each with the payments applied to it.",
  method: 'GET',
  path: '/v1/Cxc/ByBusinesidVentaidDateD/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  reply: envelope(v.array(instalmentWithPayments)),
  refusals: ['NOT_FOUND'],
});

export const getInstalment = defineEndpoint({
  name: 'getInstalment',
  summary: 'One instalment with its balance, what paying it takes, and where its newest card payment stands.',
  method: 'GET',
  path: '/v1/Cxc/ByIdWithBalance/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(
    v.object({
      ...instalmentWithPayments.entries,

      // Ours, from here on.
      estatusVentaId: statusCode,
      ...counts,
      businessId: idField,
      productId: idField,
      tradeName: v.string(),
      productName: v.string(),
      logofileName: v.string(),
      /** The service fee of each payment method, as frozen with the layaway, and the balance with it. */
      cardFee: pesos,
      cashFee: pesos,
      cardTotal: pesos,
      cashTotal: pesos,
      acceptsCards: v.boolean(),
      cardKey: v.string(),
      /** The service fee at the shop's own tills and counter; null where it has none. */
      tillFee: v.nullable(pesos),
      /** What tills and counters take any sum of the purchase by, until it is paid whole: the number of its last instalment. */
      planReference: v.string(),
      /** The newest card attempt at it, whatever its state, so that any tab finds its way back. */
      attempt: v.nullable(cardPayment),
    }),
  ),
  refusals: ['NOT_FOUND'],
});

/** Spec §3, Sale, and what its screen needs beside it. */
export const sale = v.object({
  id: idField,
  businessId: idField,
  saleDate: moment,
  /** The product's name. */
  description: v.string(),
  /** The product's description. */
  details: v.string(),
  clientId: idField,
  productId: idField,
  sku: v.string(),
  /** The price. */
  ammount: pesos,
  /** The deposit. */
  ammountPre: pesos,
  /** The last due date. */
  limitDatePay: day,
  /** When the layaway reference expired, or would have. */
  vigencyDateToLC: moment,
  companyId: idField,
  /** The layaway reference that was paid, as printed. */
  apartReference: v.string(),
  creationDate: moment,
  /** When something of it last changed. */
  updateDate: moment,
  SSOId: v.string(),
  saleStatusId: statusCode,
  cancelDate: v.nullable(moment),
  cancelNotes: v.string(),
  /** The buyer who cancelled, or ''; `endedBy` says whoever it was. */
  SSOIdBuyerCancel: v.string(),
  SSOIdBussineeCancel: v.string(),
  numNotificationCancel: v.number(),

  // Ours, from here on.
  tradeName: v.string(),
  clientName: v.string(),
  logofileName: v.string(),
  pictures: productPictures,
  totalPagos: pesos,
  ...counts,
  cardFee: pesos,
  cashFee: pesos,
  acceptsCards: v.boolean(),
  acceptsTills: v.optional(v.boolean(), false),
  /** Where the buyer's own card payment of it stands while it is open. */
  openAttempt: v.optional(v.nullable(v.picklist(ATTEMPT_STATES)), null),
  /** Whether the goods were handed over. */
  delivered: v.boolean(),
  endedBy,
  /** Within how many days of its last payment the shop promised to hand it over; the last of them once it is paid whole. */
  deliveryDays: v.number(),
  /** How many days late it ends by itself, after two warnings; null: never. */
  endDaysLate: v.nullable(v.number()),
  ending,
  /** What may be changed of its plan; null where its shop offers none and nothing was changed. */
  moving: v.nullable(moving),
  deliverBy: v.nullable(day),
  /** Whether that day is over, and nothing was handed over or claimed yet. */
  mayClaim: v.boolean(),
  /** Its newest claim. */
  claim: v.nullable(claim),
  /** Of a cancelled one: what was paid, fees included, what of it was kept, and what goes back, with which fees. */
  cancelBill: v.nullable(
    v.object({
      paid: pesos,
      penalty: pesos,
      feesReturned: v.optional(pesos, 0),
      feesKept: pesos,
      refund: pesos,
    }),
  ),
  /** Whether `listRefunds` has any: money that was meant for it and goes back, or is back already. */
  hasRefunds: v.optional(v.boolean(), false),
  /** Whether its merchant invoices here; who does not owes an invoice outside. */
  invoicedHere: v.optional(v.boolean(), true),
  /** Of one that ended because its payments were taken back: each, with its fee, less what `listRefunds` names of it. */
  takenBack: v.optional(v.array(appliedPayment), []),
  /** Where the shop keeps the thing; null where it does not count it, and once it is handed over. */
  kept: v.nullable(v.object({ branch: v.string(), since: moment, checkedAt: v.nullable(moment) })),
});
export type Sale = v.InferOutput<typeof sale>;

export const getSale = defineEndpoint({
  name: 'getSale',
  summary: "One of the buyer's purchases.",
  method: 'GET',
  path: '/v1/Sales/GetAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(sale),
  refusals: ['NOT_FOUND'],
});
