import {
  formatDate,
  formatDateLong,
  formatMoment,
  isBookedLater,
  mexicoCityDate,
} from '@aparta/domain/calendar';
import { formatMoney, subtract } from '@aparta/domain/money';

import { shortName } from '@aparta/domain/short-name';
import { invoicingOf } from './invoicing-of.ts';
import type { PlanLine, ReceiptRow } from './read-model.ts';

/** What is printed on a receipt. */
export const RECEIPT_COPY = {
  title: 'Recibo de pago',
  folio: 'Folio',
  date: 'Fecha y hora (Ciudad de México)',
  booked: 'Registrado',
  merchant: 'Comercio',
  address: 'Domicilio',
  phone: 'Teléfono',
  buyer: 'Comprador',
  purchase: 'Compra',
  product: 'Producto',
  method: 'Forma de pago',
  methods: {
    card: (last4: string | null) => (last4 === null ? 'Tarjeta' : `Tarjeta terminada en ${last4}`),
    till: () => 'Caja del comercio',
    cash: () => 'Efectivo en tienda',
  },
  payer: 'Lo pagó',
  part: (number: number, of: number) => `Pago ${number} de ${of}`,
  other: (product: string) => `Abono a ${product}`,
  fee: 'Cargo por servicio',
  total: 'Total pagado',
  balance: 'Te falta',
  left: 'Quedó por pagar tras este pago',
  paidOff: 'Liquidada: no te falta nada',
  cancelled: 'Compra cancelada: no te falta nada',
  next: 'Próximo pago a más tardar el',
  nextLate: 'Tu pago venció el',
  planPaid: 'pagado',
  planPartly: 'pagado en parte',
  planBy: (day: string) => `a más tardar el ${formatDate(day)}`,
  planLate: (day: string) => `vencido el ${formatDate(day)}`,
  planLeft: (left: string) => `Faltan ${left}`,
  atTill: 'Tu número para pagar en caja',
  refunded: 'Devolución',
  stamp: 'PAGADO',
  paidCount: (paid: number, of: number) => `Pagados ${paid} de ${of}`,
  paidCountOn: (paid: number, of: number, day: string) => `Pagados ${paid} de ${of} al ${formatDate(day)}`,
  keep: 'Guárdalo: con su folio, el comercio y nosotros encontramos tu pago.',
  code: 'Está listo para recoger: en tu compra tienes el código que vas a enseñar en la tienda.',
  pickUp: (merchant: string) => `Recógelo en ${merchant}`,
  call: (phone: string) => `Tel. ${phone}`,
  notAnInvoice: 'Este recibo no es una factura (CFDI).',
  invoicedByShop: 'Este comercio todavía no factura aquí. Pide tu factura directamente al comercio.',
  invoiceUntil: (day: string) => `Puedes pedir tu factura hasta el ${day}.`,
  invoiceTooLate: (day: string, merchant: string) =>
    `Podías pedir tu factura hasta el ${day}. Si la necesitas, pregunta en ${merchant}.`,
} as const;

/** Who took it and in which branch, as a row; '' where nobody knows. */
export function attended({ takenBy, branch }: ReceiptRow): { label: string; value: string } {
  const place = branch === null || /^sucursal\b/i.test(branch) ? (branch ?? '') : `Sucursal ${branch}`;
  return takenBy === null
    ? { label: 'Dónde', value: place }
    : { label: 'Te atendió', value: `${shortName(takenBy)} en ${place}` };
}

/** When the next payment is due, or was, as a row; '' where nothing is left. */
export function nextDue({ nextDueOn, now }: ReceiptRow): { label: string; value: string } {
  if (nextDueOn === null) return { label: RECEIPT_COPY.next, value: '' };
  const label = nextDueOn < mexicoCityDate(now) ? RECEIPT_COPY.nextLate : RECEIPT_COPY.next;
  return { label, value: formatDateLong(nextDueOn) };
}

/** An instalment of a receipt's plan, as a row: of one that is paid in part, what is left of it. */
export function planRow(
  { number, dueOn, amountCentavos, paidCentavos, isPaid }: PlanLine,
  { instalments, purchaseState, now }: ReceiptRow,
): { label: string; value: string } {
  const { part, planPaid, planPartly, planBy, planLate, planLeft } = RECEIPT_COPY;
  const isPartly = paidCentavos > 0 && !isPaid;
  // An ended purchase is late no more.
  const isLate = purchaseState !== 'cancelled' && dueOn < mexicoCityDate(now);
  const due = [isPartly ? planPartly : '', isLate ? planLate(dueOn) : planBy(dueOn)].filter(Boolean);
  return {
    label: `${part(number, instalments)} · ${isPaid ? planPaid : due.join(', ')}`,
    value: isPartly
      ? planLeft(formatMoney(subtract(amountCentavos, paidCentavos)))
      : formatMoney(amountCentavos),
  };
}

/** When a payment was booked, where that was later than when it was paid; else ''. */
export function bookedLater(receipt: { paidAt: Date; bookedAt: Date }): string {
  return isBookedLater(receipt) ? formatMoment(receipt.bookedAt) : '';
}

/** That a receipt is no invoice, and until when one can be asked for where the merchant has such a day, or whom to ask. */
export function aboutInvoice(receipt: ReceiptRow): string {
  const { mayBeInvoiced, invoiceUntil } = invoicingOf(receipt);
  const { notAnInvoice, invoiceUntil: until, invoiceTooLate: tooLate } = RECEIPT_COPY;
  const counts = receipt.purchaseState !== 'cancelled' && receipt.refundedCentavos < receipt.amountCentavos;
  if (!receipt.isInvoicedHere && counts) return `${notAnInvoice} ${RECEIPT_COPY.invoicedByShop}`;
  if (invoiceUntil === null) return notAnInvoice;
  const day = formatDate(invoiceUntil);
  return `${notAnInvoice} ${mayBeInvoiced ? until(day) : tooLate(day, receipt.tradeName)}`;
}
