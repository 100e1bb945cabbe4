import { formatDate, formatMoment, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of a receipt. */
export const receiptCopy = {
  title: 'Recibo de pago',
  loading: 'Cargando tu recibo',
  failed: 'No pudimos cargar tu recibo',
  missing: {
    title: 'No encontramos este recibo',
    text: 'No existe o no es de tu cuenta.',
  },
  paid: 'Pagaste',
  given: 'Te dieron',
  payer: 'Lo pagó',
  date: 'Fecha',
  booked: 'Registrado',
  folio: 'Folio',
  method: 'Forma de pago',
  methods: {
    card: (last4: string | undefined) =>
      last4 === undefined ? 'Tarjeta' : `Tarjeta\u00a0••••\u00a0${last4}`,
    till: () => 'En caja del comercio',
    cash: () => 'Efectivo en tienda',
  },
  part: (number: number, of: number) => `Abono al pago ${number} de ${of}`,
  other: (product: string) => `Abono a ${product}`,
  fee: 'Cargo por servicio',
  product: 'Producto',
  buyer: 'Cliente',
  purchase: 'Compra',
  left: 'Quedó por pagar tras este pago',
  next: 'Siguiente pago',
  refunded: 'Devolución',
  invoiceUntil: (day: DateOnly) => `Puedes pedir tu factura hasta el ${formatDate(day)}, en tu compra.`,
  invoiceTooLate: (day: DateOnly, merchant: string) =>
    `Podías pedir tu factura hasta el ${formatDate(day)}. Si la necesitas, pregunta en ${merchant}.`,
  merchant: 'Comercio',
  phone: (phone: string) => `Tel. ${phone}`,
  hour: (at: Date) => `${formatMoment(at)} h`,
  pdf: 'Descargar PDF',
  pdfBusy: 'Descargando…',
  pdfDone: (name: string) => `Guardamos ${name} en tus descargas.`,
  pdfFailed: 'No pudimos descargar el PDF. Vuelve a intentarlo.',
  share: 'Compartir',
  shareBusy: 'Preparando…',
  shareFailed: 'No pudimos compartir el recibo. Descárgalo y compártelo desde tu teléfono.',
  shareText: (folio: string, amount: Centavos, product: string) =>
    `Recibo ${folio}: ${formatMoney(amount)} de ${product}.`,
  print: 'Imprimir',
  toPurchase: 'Ver mi compra',
} as const;
