import { formatDate, formatMoment, type DateOnly } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import { MOST_STATEMENT_DAYS } from '@aparta/domain/statement';
import type { Statement, StatementDue, StatementLine } from '../data/statement.ts';

const card = (last4: string | null) => (last4 === null ? 'Tarjeta' : `Tarjeta\u00a0••••\u00a0${last4}`);
const at = (place: string, branch: string | null) => {
  if (branch === null) return place;
  return `${place}, ${/^sucursal\b/i.test(branch) ? branch : `Sucursal ${branch}`}`;
};

const methods: Record<NonNullable<StatementLine['method']>, (of: StatementLine) => string> = {
  card: ({ last4 }) => card(last4),
  store: () => 'Efectivo en tienda',
  till: ({ branch }) => at('Caja del comercio', branch),
  counter_cash: ({ branch }) => at('Efectivo en el mostrador', branch),
  counter_terminal: ({ last4, branch }) => at(`${card(last4)} en el mostrador`, branch),
};

/** Texts of the buyer's statement; its files say the same. */
export const statementCopy = {
  title: 'Estado de cuenta',
  range: (from: DateOnly, to: DateOnly) => `Del ${formatDate(from)} al ${formatDate(to)}`,
  ranges: { 'este-mes': 'Este mes', 'mes-pasado': 'Mes pasado', 'este-anio': 'Este año' },
  rangesLabel: 'Qué días',
  own: 'Otras fechas',
  from: 'Desde',
  to: 'Hasta',
  submit: 'Ver estos días',
  missing: 'Elige un día.',
  wrong: `Elige hasta ${MOST_STATEMENT_DAYS} días; el último no puede ser anterior al primero.`,
  loading: 'Cargando tu estado de cuenta',
  failed: 'No pudimos cargar tu estado de cuenta',
  retrying: 'Cargando…',
  empty: 'No hubo movimientos en estos días, y no debes nada.',
  none: 'No hubo movimientos en estos días.',
  summary: 'Resumen',
  opening: 'Saldo al empezar',
  reserved: 'Apartaste',
  reversed: 'Pagos que se quitaron',
  applied: 'Abonaste',
  dropped: 'Ya no se debe',
  closing: 'Saldo al terminar',
  fees: 'Cargos por servicio',
  penalties: 'Cargos por cancelar',
  refunded: 'Te devolvieron',
  refundedToHelpers: 'Devuelto a quienes te ayudaron',
  plus: (sum: Centavos) => `+${formatMoney(sum)}`,
  minus: (sum: Centavos) => `−${formatMoney(sum)}`,
  meaning: 'El saldo es lo que te falta pagar de todas tus compras, sin cargos por servicio.',
  save: 'Guardar',
  pdf: 'PDF',
  csv: 'CSV',
  saving: 'Preparando…',
  saved: (name: string) => `Guardamos ${name} en tus descargas.`,
  saveFailed: 'No pudimos guardar el archivo. Vuelve a intentarlo.',
  movements: 'Movimientos',
  balance: 'Saldo',
  notWhole: {
    title: 'Son más de los que caben aquí',
    text: 'Las sumas son de todos los movimientos. Para ver el resto, elige menos días.',
  },
  /** Of what fell due what is missing still; of ended purchases nothing is due. */
  dues: ({ count, amount, left }: Statement['due'], dropped: number, isOver: boolean) => {
    if (count === 0)
      return dropped === 1
        ? '1 pago de estos días ya no se cobra'
        : `${dropped} pagos de estos días ya no se cobran`;
    if (left === 0)
      return count === 1
        ? 'Vencía 1 pago en estos días, ya pagado'
        : `Vencían ${count} pagos en estos días, todos pagados`;
    const missing =
      left === amount ? formatMoney(amount) : `faltan ${formatMoney(left)} de ${formatMoney(amount)}`;
    return count === 1
      ? `${isOver ? 'Venció' : 'Vence'} 1 pago en estos días: ${missing}`
      : `${isOver ? 'Vencieron' : 'Vencen'} ${count} pagos en estos días: ${missing}`;
  },
  duesToday: 'Como está hoy.',
  part: (number: number, of: number) => `Pago\u00a0${number}\u00a0de\u00a0${of}`,
  dueOn: (on: DateOnly) => formatDate(on),
  purchase: (id: number) => `Compra ${id}`,
  dueStates: {
    paid: () => 'Pagado',
    late: (left: Centavos) => `Vencido, faltan ${formatMoney(left)}`,
    to_pay: (left: Centavos) => `Faltan ${formatMoney(left)}`,
    cancelled: () => 'Ya no se cobra',
  } satisfies Record<StatementDue['state'], (left: Centavos) => string>,
  toPurchases: 'Ver mis compras',
} as const;

/** What else is known of a line: whose it is, when, how it was paid, by whom. */
export function factsOf(line: StatementLine): { thing: string; rest: string } {
  const { productName, tradeName, method, kind, payerName, folio, fee, purchaseId } = line;
  const isBack = kind === 'refund_owed' || kind === 'refunded';
  const rest = [
    `${formatMoment(line.at)}\u00a0h`,
    method !== null && (isBack && method === 'counter_cash' ? 'En efectivo' : methods[method](line)),
    payerName !== null && `Pagó ${payerName}`,
    folio !== null && `Folio ${inGroups(folio)}`,
    folio === null && purchaseId !== undefined && statementCopy.purchase(purchaseId),
    kind === 'payment' && fee > 0 && `Incluye ${formatMoney(fee)} de cargo por servicio`,
  ];
  return {
    thing: [productName, tradeName].filter(Boolean).join(' · '),
    rest: rest.filter(Boolean).join(' · '),
  };
}
