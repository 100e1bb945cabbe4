import type { Age } from '@aparta/domain/ageing';
import { formatDate, formatMoment, mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { type Centavos, formatMoney } from '@aparta/domain/money';
import { methodWords, refundReason } from '@aparta/domain/shop-copy';
import { includesFee } from '../lists/copy.ts';

const counted = (one: string, many: string) => (count: number) => `${count} ${count === 1 ? one : many}`;

const payments = counted('pago', 'pagos');

/** Texts of the shop's morning. */
export const todayCopy = {
  title: 'Hoy',
  loading: 'Cargando cómo va la tienda',
  failed: 'No pudimos cargar cómo va la tienda',
  day: formatDate,
  collectedToday: 'Cobrado hoy',
  collectedWeek: 'Cobrado esta semana',
  onlyCounters: 'Lo que cobraron los mostradores de tus sucursales.',
  nothing: 'Nada todavía.',
  all: 'Todo',
  methods: methodWords,
  soon: 'Vencimientos',
  within: (days: number) => `En ${days} días`,
  late: 'Vencido',
  overdue: 'Ya venció',
  attention: 'Para hoy',
  toHandOver: 'Por entregar',
  claims: 'Reclamos abiertos',
  expiring: 'Apartados que vencen hoy',
  refunds: 'Devoluciones por entregar en caja',
  uncut: 'Cajas con efectivo de hace más de dos días sin corte',
  drawers: counted('caja', 'cajas'),
  weeks: 'Cobrado por semana',
  weekOf: (from: DateOnly) => `Del ${formatDate(from)}`,
  balances: 'Saldo por antigüedad',
  ages: {
    in_time: 'Al corriente',
    '1-30': '1 a 30 días',
    '31-60': '31 a 60 días',
    '61+': '61 días o más',
  } satisfies Record<'in_time' | Age, string>,
  /** Payments, and what was taken back of earlier ones. */
  collected: ({ count, withdrawn }: { count: number; withdrawn: Centavos }) =>
    [
      ...(count > 0 || withdrawn === 0 ? [payments(count)] : []),
      ...(withdrawn > 0 ? [`${formatMoney(withdrawn)} revertidos de pagos de antes`] : []),
    ].join(' · '),
  instalments: counted('abono', 'abonos'),
  purchases: counted('compra', 'compras'),
  reservations: counted('apartado', 'apartados'),
  returns: counted('devolución', 'devoluciones'),

  list: {
    back: 'Hoy',
    takings: 'Pagos cobrados',
    days: (from: DateOnly, to: DateOnly) =>
      from === to ? formatDate(from) : `Del ${formatDate(from)} al ${formatDate(to)}`,
    period: {
      from: 'Desde',
      to: 'Hasta',
      submit: 'Ver estos días',
      missing: 'Elige el día.',
      wrong: (most: number) => `Elige hasta ${most} días, con el último después del primero.`,
    },
    total: 'Total',
    byDay: 'Por día',
    refunds: 'Devoluciones por entregar',
    loading: 'Cargando la lista',
    failed: 'No pudimos cargar la lista',
    none: 'No hay nada aquí.',
    moment: formatMoment,
    since: (at: Date) => `Desde el ${formatDate(mexicoCityDate(at))}`,
    folio: (folio: string) => `Folio ${folio}`,
    includesFee,
    withdrawn: 'Revertido, de un pago de antes',
    givenBack: 'Devoluciones',
    toGivenBack: 'Devoluciones de estos días',
    toTakings: 'Pagos cobrados de estos días',
    done: 'Devuelto',
    open: 'Se debe desde estos días',
    cause: refundReason,
    byOperator: 'La entregó el operador',
    /** Money that no purchase got, and so none names. */
    notApplied: 'Pago que no se aplicó',
    takenBy: (by: string, branch: string) => `${by}, ${branch}`,
  },
};
