import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of what waits for the buyer. */
export const waitingCopy = {
  title: 'Lo que tienes por recibir',
  toCollect: 'Listo para recoger',
  atShop: (sum: Centavos) => `La tienda te debe ${formatMoney(sum)}`,
  toCard: (sum: Centavos) => `En camino a tu tarjeta: ${formatMoney(sum)}`,
  /** Above active purchases; `product` where it is of one alone. */
  also: (
    { unresolved, isMoney, goods }: { unresolved: number; isMoney: boolean; goods: number },
    product: string | undefined,
  ) => {
    const things = [
      ...(unresolved > 0 ? [unresolved === 1 ? 'un apartado sin terminar' : 'apartados sin terminar'] : []),
      ...(isMoney ? ['dinero por recibir'] : []),
      ...(goods > 0 ? [goods === 1 ? 'un producto por recoger' : 'productos por recoger'] : []),
    ];
    const said = `También tienes ${things.join(', ').replace(/, ([^,]*)$/, ' y $1')}`;
    return product === undefined ? said : `${said}: ${product}`;
  },
} as const;
