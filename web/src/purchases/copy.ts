import { daysBetween, formatDate, type DateOnly } from '@aparta/domain/calendar';

/** When an instalment is due, relative if near (rules/wire#screens). Whether it is late is decided by the server. */
export function dueWords(dueOn: DateOnly, today: DateOnly, late: boolean): string {
  const days = daysBetween(today, dueOn);
  if (late) {
    if (days === -1) return 'Venció ayer';
    return days < -1 && days > -31 ? `Venció hace ${-days} días` : `Venció el ${formatDate(dueOn)}`;
  }
  if (days === 0) return 'Vence hoy';
  if (days === 1) return 'Vence mañana';
  return days > 1 && days <= 7 ? `Vence en ${days} días` : `Vence el ${formatDate(dueOn)}`;
}

/** `Pago 2 de 12`, kept on one line. */
export const numberOf = (number: number, of: number) => `Pago\u00a0${number}\u00a0de\u00a0${of}`;

/** Texts that the list and a purchase share. Spec §2's are literal. */
export const purchasesCopy = {
  title: (product: string) => `Listado de compras en ${product}`,
  failed: 'No pudimos cargar tus compras',
  loadingOne: 'Cargando tu compra',
  retrying: 'Cargando…',
  purchase: (id: number) => `Compra ${id}`,
  price: 'Monto',
  deposit: 'Adelanto',
  paid: 'Total pagos',
  cancel: 'Canc.Compra',
} as const;
