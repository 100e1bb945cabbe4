import { formatDate, formatDateLong, mexicoCityDate } from '@aparta/domain/calendar';
import { invoiceAsking, invoiceGroupWords, invoiceStands, paymentFormWords } from '@aparta/domain/shop-copy';

const month = (of: string) => formatDateLong(`${of}-01`).replace(/^1 de /, '');
const shortMonth = (of: string) => formatDate(`${of}-01`).replace(/^1 /, '');

/** Texts of what was paid in a month, and of its invoices. */
export const invoicesCopy = {
  title: 'Facturas',
  loading: 'Cargando las facturas',
  failed: 'No pudimos cargar las facturas',
  none: 'No hay nada aquí.',
  month,
  shortMonth,
  lists: 'Qué se muestra',
  all: 'Todos',
  groups: invoiceGroupWords,
  months: 'Otros meses',
  total: 'Total',
  collected: (count: number) => `Abonos pagados completos · ${count}`,
  /** What is not in the sums. */
  without: 'Sin cargos por servicio ni abonos pagados a medias.',
  count: (label: string, count: number) => `${label} · ${count}`,
  part: (number: number, of: number) => `Abono ${number} de ${of}`,
  paid: (at: Date) => `Pagado el ${formatDate(mexicoCityDate(at))}`,
  receipt: (folio: string) => `Folio ${folio}`,
  form: paymentFormWords,
  stands: invoiceStands,
  asking: invoiceAsking,
  number: 'Serie y número',
  fiscalFolio: 'Folio fiscal',
  rfc: 'RFC receptor',
  reason: 'Motivo',
  settlements: 'Liquidaciones del operador',
  see: (purchaseId: number) => `Ver la compra ${purchaseId}`,
  cancelledBefore: (name: string) => `Cancelada antes: ${name}`,
  files: { pdf: 'PDF', xml: 'XML' },
  saving: 'Descargando…',
  ofInvoice: (name: string) => `de la factura ${name}`,
} as const;
