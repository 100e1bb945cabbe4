import { formatDate, formatMoment } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import type { CounterMethod } from '@aparta/domain/shop-lists';

import type { AccountEvent } from './read-model.ts';
import type { Due } from './statement.ts';

const card = (last4: string | null) => (last4 === null ? '' : ` •••• ${last4}`);
const place = (branch: string | null) =>
  branch === null ? '' : /^sucursal\b/i.test(branch) ? `, ${branch}` : `, Sucursal ${branch}`;

const methods: Readonly<Record<CounterMethod, (of: AccountEvent) => string>> = {
  card: ({ last4 }) => `Tarjeta${card(last4)}`,
  store: () => 'Efectivo en tienda',
  till: ({ branch }) => `Caja del comercio${place(branch)}`,
  counter_cash: ({ branch }) => `Efectivo en el mostrador${place(branch)}`,
  counter_terminal: ({ last4, branch }) => `Tarjeta${card(last4)} en el mostrador${place(branch)}`,
};

/** Texts of a buyer's statement as a file. */
export const statementCopy = {
  title: 'Estado de cuenta',
  range: (from: string, to: string) => `Del ${formatDate(from)} al ${formatDate(to)}`,
  madeAt: (now: Date) => `Hecho el ${formatMoment(now)}, hora de la Ciudad de México.`,
  opening: 'Saldo al empezar',
  reserved: 'Apartaste',
  applied: 'Abonaste',
  reversed: 'Pagos que se quitaron',
  dropped: 'Ya no se debe, de compras terminadas',
  closing: 'Saldo al terminar',
  fees: 'Cargos por servicio que pagaste aparte',
  penalties: 'Cargos por cancelar',
  refunded: 'Te devolvieron',
  refundedToHelpers: 'Devuelto a quienes te ayudaron',
  movements: 'Movimientos',
  dues: 'Lo que vencía',
  duesToday: 'Como está hoy.',
  none: 'No hubo movimientos en estos días.',
  noDues: 'No vencía ningún pago en estos días.',
  notWhole: (most: number) =>
    `Aquí van los primeros ${most.toLocaleString('es-MX')}; las sumas son de todos. Para ver el resto, pide menos días.`,
  meaning: 'El saldo es lo que te falta pagar de todas tus compras, sin cargos por servicio.',
  notAnInvoice: 'Este estado de cuenta no es una factura (CFDI).',
  heads: ['Fecha', 'Movimiento', 'Cargo o abono', 'Saldo'],
  dueHeads: ['Vencía', 'Pago', 'Valor', 'Estado'],
  purchase: (id: number) => `Compra ${id}`,
  folio: (folio: string) => `Folio ${inGroups(folio)}`,
  paidBy: (name: string) => `Pagó ${name}`,
  fee: (fee: string) => `Incluye ${fee} de cargo por servicio`,
  part: (number: number, of: number) => `Pago ${number} de ${of}`,
  dueStates: {
    paid: () => 'Pagado',
    late: (left: string) => `Vencido, faltan ${left}`,
    to_pay: (left: string) => `Faltan ${left}`,
    cancelled: () => 'Ya no se cobra',
  } satisfies Record<Due['state'], (left: string) => string>,
  columns: [
    'Fecha',
    'Comercio',
    'Compra',
    'Producto',
    'Movimiento',
    'Cómo',
    'Quién pagó',
    'Folio',
    'Importe',
    'Cargo por servicio',
    'Cargo',
    'Abono',
    'Saldo',
    'Vencía el',
    'Pagado de lo que vencía',
  ] as const,
  due: (number: number, of: number) => `Vencía el pago ${number} de ${of}`,
};

/** How money came, or goes back; '' where none moved. Never who took it. */
export function howOf(event: AccountEvent): string {
  if (event.method === null) return '';
  const isBack = event.kind === 'refund_owed' || event.kind === 'refunded';
  if (isBack && event.method === 'counter_cash') return 'En efectivo';
  return methods[event.method](event);
}
