import { type Centavos, formatMoney } from '@aparta/domain/money';
import type { TillError } from '../../platform/db/tables.ts';

/** What the cashier reads, by `error` (rules/wire#till-errors). */
export const TILL_MESSAGES = {
  0: 'Operación autorizada',
  1: 'Referencia desconocida. Revisa los dígitos.',
  2: 'Referencia vencida. El cliente debe generar otra.',
  3: 'Ya está pagada. No cobres.',
  4: 'El importe no es el que se debe cobrar.',
  5: 'La compra está cancelada. No cobres.',
  6: 'Ese idtransaccion ya se usó con otros datos.',
  7: 'La operación no se puede revertir.',
  8: 'Operación no disponible.',
  9: 'No hay un pago con tarjeta aprobado.',
  10: 'Producto agotado',
  11: 'Ocupado, no se cobró, repite',
  12: 'Solicitud incorrecta',
  13: 'La compañía no corresponde a esta cuenta de caja.',
  14: 'La sucursal llegó a su tope del día. Llama a soporte.',
  15: 'Demasiadas referencias desconocidas. Llama a soporte.',
  16: 'Esa operación no llegó. No se cobró.',
  99: 'No se pudo procesar. No entregues comprobante y consulta la operación.',
} as const satisfies Record<TillError, string>;
export type { TillError } from '../../platform/db/tables.ts';

/** For a till that repeats an operation which was reversed. */
export const TAKEN_BACK = 'Esa operación ya se revirtió. No cobres; usa otro idtransaccion.';
export const REVERSED = 'Operación revertida en caja';

/** What the ticket says of money that filled instalments. */
export function paidInstalments(numbers: readonly number[], balanceCentavos: Centavos): string {
  const which = numbers.length === 1 ? `Pago ${numbers[0]}` : `Pagos ${numbers.join(', ')}`;
  return balanceCentavos === 0
    ? `${which}. Compra liquidada.`
    : `${which}. Saldo ${formatMoney(balanceCentavos)}.`;
}

export const ACCOUNT_OVER_THE_CAP = 'Esta cuenta de caja llegó a su tope del día. Llama a soporte.';
