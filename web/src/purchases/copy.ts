import { daysBetween, formatDate, type DateOnly } from '@aparta/domain/calendar';
import { formatCount } from '@aparta/domain/money';

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

/** Texts of the list of purchases. Spec §2's are literal. */
export const purchasesCopy = {
  list: {
    title: (product: string) => `Listado de compras en ${product}`,
    // In spec §2's words.
    empty:
      'Tu listado de compras está vacio! Para realizar un apartado toma foto del código QR del producto o servicio y después inicia sesión.',
    noneActive: 'No tienes compras activas.',
    reserve: 'Realizar Apartados',
    statement: 'Estado de cuenta',
    filter: 'Filtrar compras',
    filtered: 'Filtrar compras:',
    // Spec §2's options by spec §4's codes.
    filters: { 1: 'Todas', 2: 'Activa', 3: 'Liquidada', 4: 'Cancelada' },
    showing: (filter: string) => `Se muestran: ${filter}`,
    none: {
      3: 'Todavía no tienes compras liquidadas.',
      4: 'No tienes compras canceladas.',
    },
    seeAll: 'Ver todas mis compras',
    count: (total: number) => (total === 1 ? '1 compra' : `${formatCount(total)} compras`),
    loading: 'Cargando tus compras',
    loadingOne: 'Cargando tu compra',
    failed: 'No pudimos cargar tus compras',
    retrying: 'Cargando…',
    more: 'Ver más',
    moreFailed: 'No pudimos cargar las que siguen.',
    shown: (shown: number, total: number) => `Se muestran ${shown} de ${total} compras`,
  },

  card: {
    purchase: (id: number) => `Compra ${id}`,
    price: 'Monto',
    deposit: 'Adelanto',
    paid: 'Total pagos',
    client: 'Cliente',
    open: 'Visualizar cxc',
    openWhich: (product: string, id: number) => `de ${product}, compra ${id}`,
    cancel: 'Canc.Compra',
    cancelWhich: (product: string, id: number) => `de ${product}, compra ${id}`,
    waitsAtStore: 'Esperando pago en tienda',
    confirming: 'Confirmando tu pago',
    threeDs: 'Falta que autorices tu pago',
  },
} as const;
