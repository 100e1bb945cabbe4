import type { LedgerAccount } from '../../platform/db/tables.ts';
import type { Via } from './report.read-model.ts';
import type { Concept } from './report.ts';

/** The words of a merchant's report, as PDF and as CSV. */
export const REPORT_COPY = {
  title: 'Corte',
  period: (from: string, to: string) => (from === to ? `Del ${from}` : `Del ${from} al ${to}`),
  issue: (number: number, at: string) => `Corte n.º ${number}, emitido el ${at}`,
  notIssued: 'Sin número: solo para ver',
  iva: 'IVA incluido en lo cobrado, menos lo devuelto por cancelar',
  ivaHeads: ['De qué', 'Con IVA', 'Sin IVA', 'IVA'],
  ivaOf: {
    goods: (rate: number) => `Apartados y abonos al ${rate / 100} %`,
    fee: (rate: number) => `Cargo por servicio al ${rate / 100} %`,
  },
  ivaNote:
    'Con la tasa de hoy de cada producto. Lo que dice cada factura, y el IVA de las penalizaciones, lo decide quien lleva la contabilidad.',
  feeIncome: 'Cargos por servicio, menos los devueltos',
  penaltyIncome: 'Penalizaciones',
  clock: 'Días de la Ciudad de México',
  came: 'Cobrado a compradores',
  refundedToBuyers: 'Devuelto a compradores',
  operatorHolds: 'El operador tiene del comercio',
  merchantOwes: 'El comercio debe al operador',
  evenWithOperator: 'Entre operador y comercio',
  incoming: 'Lo que se cobró, por vía',
  incomingHeads: [
    'Vía',
    'Cobros',
    'Apartados y abonos',
    'Cargo por servicio',
    'Sin aplicar',
    'Revertido',
    'Neto',
  ],
  total: 'Total',
  notApplied: 'Sin aplicar: cobros que se devuelven o están en aclaración.',
  back: 'Entregas, cancelaciones y devoluciones',
  deposits: 'Depósitos y pagos',
  closing: (on: string) => `Cómo quedó al ${on}`,
  byDay: 'Por día',
  byDayHeads: ['Día', 'Cobros', 'Cobrado', 'Revertido', 'Devuelto', 'Depositado'],
  ledger: 'Cuentas',
  ledgerHeads: ['Cuenta', 'Saldo inicial', 'Aumentó', 'Disminuyó', 'Saldo final'],
  proves:
    'Este corte cuadra: en cada cuenta, el saldo inicial y los movimientos dan el saldo final, y lo cobrado es lo que dicen los recibos.',
  disagrees: (what: string) =>
    `Este corte NO cuadra: ${what}. No lo entregue; avise a quien lleva el sistema.`,
  page: (page: number, of: number) => `Hoja ${page} de ${of}`,
  stillOwed: { card: 'Por devolver a tarjetas', cash: 'Por devolver en efectivo' },
  onItsWay: {
    card: 'Tarjetas: por depositar al comercio',
    till: { merchant: 'Cajas: por pagar al comercio', operator: 'Cajas: por pagar al operador' },
    cash: { merchant: 'Tiendas: por pagar al comercio', operator: 'Tiendas: por pagar al operador' },
  },
  suspense: 'En aclaración',
  difference: 'Diferencias de depósitos por explicar',
  layaways: 'Pagado en apartados vigentes',
  columns: [
    'nivel',
    'fecha',
    'hora',
    'concepto',
    'via',
    'compra',
    'producto',
    'comprador',
    'folio',
    'operacion',
    'corte',
    'veces',
    'iva',
    'importe',
  ],
  levels: { whole: 'corte', day: 'dia', one: 'movimiento' },
} as const;

export const VIA_WORDS: Readonly<Record<Via, string>> = {
  card: 'Tarjeta',
  till: 'Caja',
  cash: 'Tienda',
  counter_cash: 'Mostrador: efectivo',
  counter_terminal: 'Mostrador: terminal',
};

export const CONCEPT_WORDS: Readonly<Record<Concept, string>> = {
  principal: 'Apartados y abonos',
  fee: 'Cargo por servicio',
  unapplied: 'Cobro sin aplicar, por devolver',
  suspended: 'Cobro en aclaración',
  resolved: 'Aclarado',
  reversed: 'Revertido',
  penalty: 'Penalización',
  delivered: 'Entregado al comprador',
  owed_by_card: 'Por devolver a tarjeta, por cancelación',
  owed_in_cash: 'Por devolver en efectivo, por cancelación',
  moved_to_cash: 'Pasó de tarjeta a efectivo',
  refunded_by_card: 'Devuelto a tarjeta',
  refunded_by_merchant: 'Devuelto en efectivo por el comercio',
  refunded_by_operator: 'Devuelto en efectivo por el operador',
  lost: 'Salió por fuera, sin nada que lo cubra',
  settled: 'Operaciones pagadas por su cadena o red',
  deposited_to_merchant: 'Depositado al comercio',
  deposited_to_operator: 'Depositado al operador',
  commission: 'Comisión de quien deposita',
  paid_to_merchant: 'Pagado por el operador al comercio',
  paid_to_operator: 'Pagado por el comercio al operador',
  explained: 'Diferencias explicadas',
};

export const ACCOUNT_WORDS: Readonly<Record<LedgerAccount, string>> = {
  card_clearing: 'Tarjetas por depositar',
  till_clearing: 'Cajas por pagar',
  cash_clearing: 'Tiendas por pagar',
  merchant_funds: 'En manos del comercio',
  operator_current: 'En manos del operador',
  layaway_deposits: 'Apartados vigentes',
  card_refund_payable: 'Por devolver a tarjetas',
  cash_refund_payable: 'Por devolver en efectivo',
  suspense: 'En aclaración',
  service_fee: 'Cargos por servicio',
  penalty_income: 'Penalizaciones',
  sale_delivered: 'Ventas entregadas',
  provider_commission: 'Comisiones de quien deposita',
  settlement_difference: 'Diferencias de depósitos',
  dispute_loss: 'Pérdidas por lo que salió por fuera',
};

const ORDER = Object.keys(ACCOUNT_WORDS);

/** Accounts as people read them: where money is, then whose it is. */
export function inOrder<Line extends { readonly account: LedgerAccount }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((one, other) => ORDER.indexOf(one.account) - ORDER.indexOf(other.account));
}
