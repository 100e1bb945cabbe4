import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of what waits for the buyer. */
export const waitingCopy = {
  title: 'Lo que tienes por recibir',
  toCollect: 'Listo para recoger',
  atShop: (sum: Centavos) => `La tienda te debe ${formatMoney(sum)}`,
  toCard: (sum: Centavos) => `En camino a tu tarjeta: ${formatMoney(sum)}`,
} as const;
