import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { CounterMethod } from '@aparta/domain/shop-lists';

/** How the shop got its money. */
export const methodWords: Readonly<Record<CounterMethod, string>> = {
  counter_cash: 'Efectivo en el mostrador',
  counter_terminal: 'Tarjeta en tu terminal',
  till: 'Tu caja',
  card: 'Tarjeta en línea',
  store: 'Efectivo en tienda de la red',
};

/** Of a payment: what in it went to no balance. */
export const includesFee = (fee: Centavos): string | false =>
  fee > 0 && `Incluye ${formatMoney(fee)} de cargo por servicio`;

/** Texts that lists share, and of saving one as a file. */
export const listsCopy = {
  branch: 'Sucursal',
  closedBranch: (name: string) => `${name} (cerrada)`,
  loading: 'Cargando…',
  more: 'Ver más',
  /** Read before a sum below zero. */
  less: 'menos ',
  xlsx: 'Descargar Excel',
  csv: 'Descargar CSV',
  busy: 'Preparando…',
  notWhole: {
    title: 'El archivo trae los 5,000 renglones más recientes',
    text: 'Elige menos días o una lista más corta. Los cobros y las devoluciones vienen todos en el CSV.',
  },
};
