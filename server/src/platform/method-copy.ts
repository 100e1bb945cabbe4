import type { CounterMethod } from '@aparta/domain/shop-lists';

/** How a shop got its money, in its files and emails; the counter's screens say the same. */
export const methodWords: Readonly<Record<CounterMethod, string>> = {
  counter_cash: 'Efectivo en el mostrador',
  counter_terminal: 'Tarjeta en tu terminal',
  till: 'Tu caja',
  card: 'Tarjeta en línea',
  store: 'Efectivo en tienda de la red',
};
