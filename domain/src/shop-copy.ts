import type { CounterMethod } from './shop-lists.ts';

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
