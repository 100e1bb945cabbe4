import { MOST_SETTLEMENTS } from '@aparta/domain/shop-lists';
import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import { settlementParties, settlementWords } from '@aparta/domain/shop-copy';
import type { ShopSettlement } from '../data/settlements.ts';

/** Texts of what the operator noted of the shop's money. */
export const settlementsCopy = {
  title: 'Liquidaciones',
  text: 'Lo que el operador anotó de tu comercio, lo último primero.',
  loading: 'Cargando las liquidaciones',
  failed: 'No pudimos cargar las liquidaciones',
  none: 'No se ha anotado ninguna.',
  most: `Aquí están los ${MOST_SETTLEMENTS} movimientos más recientes. El CSV los trae todos.`,
  back: 'Facturas',
  of: settlementWords,
  number: (id: number) => `Movimiento ${id}`,
  day: formatDate,
  pays: (from: DateOnly, to: DateOnly) =>
    from === to ? `Paga el ${formatDate(from)}` : `Paga del ${formatDate(from)} al ${formatDate(to)}`,
  has: (kind: ShopSettlement['kind'], party: keyof typeof settlementParties) =>
    kind === 'explanation'
      ? `Lo tiene ${settlementParties[party]}`
      : `Lo recibió ${settlementParties[party]}`,
  commission: (amount: Centavos) => `Comisión ${formatMoney(amount)}`,
  missing: (amount: Centavos) => `Faltan ${formatMoney(amount)} por explicar`,
  over: (amount: Centavos) => `Sobran ${formatMoney(amount)} por explicar`,
  voided: 'Cancelado',
} as const;
