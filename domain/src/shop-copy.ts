import { formatDate, type DateOnly } from './calendar.ts';
import type { CounterMethod, InvoiceAsking, InvoiceGroup, ShopInvoiceState } from './shop-lists.ts';

/** How a shop got its money: in its screens, files and emails. */
export const methodWords: Readonly<Record<CounterMethod, string>> = {
  counter_cash: 'Efectivo en el mostrador',
  counter_terminal: 'Tarjeta en tu terminal',
  till: 'Tu caja',
  card: 'Tarjeta en línea',
  store: 'Efectivo en tienda de la red',
};

const causes = {
  not_applicable: 'El pago no se aplicó',
  cancel: 'La compra terminó',
  surplus: 'Se pagó de más',
  external: 'Se devolvió por fuera',
};
const endings = {
  buyer: 'La canceló su comprador',
  merchant: 'La terminó la tienda',
  rule: 'Terminó por atraso',
  claim: 'Terminó por su reclamo',
  reversal: 'Se quitó lo pagado',
};

/** Why a shop gives money back: by who ended the purchase, where it ended. */
export const refundReason = ({
  cause,
  endedBy,
}: {
  readonly cause: keyof typeof causes;
  readonly endedBy: keyof typeof endings | null;
}): string => (endedBy === null ? causes[cause] : endings[endedBy]);

/** Whoever paid may have their money already. */
export const inReview = 'En revisión';

const states = {
  sending: 'En camino',
  unknown: inReview,
  blocked: inReview,
  done: 'Hecha',
  moved_to_cash: 'Pasó a efectivo',
};

/**
 * How a refund stands, for its shop. Staff hand over cash, and what their terminal took, of whose card `last4` is; nobody hands over
 * what goes to a card by itself, nor what the store network took back.
 */
export function refundStands({
  state,
  method,
  last4,
  storeReversed = false,
}: {
  readonly state: keyof typeof states | 'owed';
  readonly method: 'card' | 'cash';
  readonly last4: string | null;
  readonly storeReversed?: boolean;
}): string {
  if (storeReversed) return inReview;
  if (state === 'owed') return method === 'cash' ? 'Por entregar' : 'En camino';
  return state === 'done' && method === 'cash' && last4 === null ? 'Entregada' : states[state];
}

/** SAT's forms of payment that an instalment can have. */
const forms: Readonly<Record<string, string>> = {
  '01': '01 Efectivo',
  '04': '04 Tarjeta de crédito',
  '28': '28 Tarjeta de débito',
};
export const paymentFormWords = (form: string): string => forms[form] ?? form;

/** Groups of a month's paid instalments. */
export const invoiceGroupWords: Readonly<Record<InvoiceGroup, string>> = {
  invoiced: 'Con factura',
  in_process: 'En trámite',
  not_invoiced: 'Sin factura',
  ended: 'De compras canceladas',
};

const invoices: Readonly<Record<ShopInvoiceState, string>> = {
  in_process: 'En proceso',
  review: inReview,
  issued: 'Emitida',
  credited: 'Con nota de crédito',
  refused: 'Rechazada',
  cancelled: 'Cancelada',
};

/** How the invoice of a paid instalment stands. */
export const invoiceStands = (state: ShopInvoiceState | undefined): string =>
  state === undefined ? 'Sin pedir' : invoices[state];

/** Until when its buyer can ask for one; nothing where there is one, or the purchase ended. */
export function invoiceAsking({
  asking,
  until,
}: {
  readonly asking: InvoiceAsking | null;
  readonly until: DateOnly | null;
}): string | undefined {
  if (asking === null) return undefined;
  if (asking === 'not_offered') return 'No se factura aquí';
  if (until === null) return 'Se puede pedir sin límite de fecha';
  return asking === 'over'
    ? `Se podía pedir hasta el ${formatDate(until)}`
    : `Se puede pedir hasta el ${formatDate(until)}`;
}

const channels = { card: 'tarjetas', till: 'cajas', cash: 'tiendas' };

/** What the operator noted of a shop's money, in a few words. */
export function settlementWords({
  kind,
  channel,
  chain,
  party,
  ofId,
}: {
  readonly kind: 'deposit' | 'payout' | 'explanation' | 'void';
  readonly channel: keyof typeof channels | null;
  readonly chain: string | null;
  readonly party: keyof typeof settlementParties | null;
  readonly ofId: number | null;
}): string {
  if (kind === 'explanation') return `Explicación del movimiento ${ofId}`;
  if (kind === 'void') return `Cancelación del movimiento ${ofId}`;
  if (kind === 'payout')
    return party === 'merchant' ? 'Pago del operador a tu comercio' : 'Pago de tu comercio al operador';
  return ['Depósito de', channel && channels[channel], chain].filter(Boolean).join(' ');
}

/** Who got the money of one, or has it. */
export const settlementParties = {
  merchant: 'el comercio',
  operator: 'el operador',
  provider: 'quien deposita',
};
