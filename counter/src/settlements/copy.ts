import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { ShopSettlement } from '../data/settlements.ts';

const channels = { card: 'tarjetas', till: 'cajas', cash: 'tiendas' } as const;
const parties = { merchant: 'el comercio', operator: 'el operador', provider: 'quien deposita' } as const;

/** Texts of what the operator noted of the shop's money. */
export const settlementsCopy = {
  title: 'Liquidaciones',
  text: 'Lo que el operador anotó de tu comercio, lo último primero.',
  loading: 'Cargando las liquidaciones',
  failed: 'No pudimos cargar las liquidaciones',
  none: 'No se ha anotado ninguna.',
  back: 'Facturas',
  of({ kind, channel, chain, party, ofId }: ShopSettlement): string {
    if (kind === 'explanation') return `Explicación del movimiento ${ofId}`;
    if (kind === 'void') return `Cancelación del movimiento ${ofId}`;
    if (kind === 'payout')
      return party === 'merchant' ? 'Pago del operador a tu comercio' : 'Pago de tu comercio al operador';
    return ['Depósito de', channel && channels[channel], chain].filter(Boolean).join(' ');
  },
  number: (id: number) => `Movimiento ${id}`,
  day: formatDate,
  pays: (from: DateOnly, to: DateOnly) =>
    from === to ? `Paga el ${formatDate(from)}` : `Paga del ${formatDate(from)} al ${formatDate(to)}`,
  has: (kind: ShopSettlement['kind'], party: keyof typeof parties) =>
    kind === 'explanation' ? `Lo tiene ${parties[party]}` : `Lo recibió ${parties[party]}`,
  commission: (amount: Centavos) => `Comisión ${formatMoney(amount)}`,
  missing: (amount: Centavos) => `Faltan ${formatMoney(amount)} por explicar`,
  over: (amount: Centavos) => `Sobran ${formatMoney(amount)} por explicar`,
  voided: 'Cancelado',
} as const;
