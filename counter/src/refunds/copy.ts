import { type Centavos, formatMoney } from '@aparta/domain/money';

/** How a refund goes; `last4` of the card that the shop's own terminal took, and gives it back to. */
type RefundMethod = { readonly method: 'card' | 'cash'; readonly last4: string | null };

export function refundedTo({ method, last4 }: RefundMethod): string {
  if (method === 'card') return 'A su tarjeta';
  return last4 === null ? 'En efectivo' : `En tu terminal, a la tarjeta •••• ${last4}`;
}

export const refundOf = (payer: string) => `Para ${payer}, que ayudó a pagar`;

/** Texts of handing a refund over. */
export const refundsCopy = {
  open: {
    cash: (amount: Centavos) => `Entregar ${formatMoney(amount)} en efectivo`,
    terminal: (amount: Centavos) => `Devolver ${formatMoney(amount)} en tu terminal`,
  },
  /** The payment was taken back by its store, or money of its card left it, and nobody has booked that yet. */
  storeReversed: 'No la entregues: el dinero de este pago pudo regresar ya por otro lado. Está en revisión.',
  title: 'Entregar la devolución',
  text: 'Revisa quién viene por su dinero antes de entregarlo. Queda escrito que se lo diste tú.',
  helper: 'Ayudó a pagar esta compra: el dinero es suyo, no del comprador. Pídele el folio y su ticket.',
  /** What the shop's own terminal took. */
  byTerminal: (last4: string) =>
    `Se pagó con tarjeta en tu terminal: devuélvelo ahí, a la tarjeta •••• ${last4}. Queda escrito que lo devolviste tú.`,
  method: 'Cómo lo devuelves',
  methods: { terminal: 'En la terminal', cash: 'En efectivo' },
  rarelyCash: 'Solo si la terminal no puede devolverlo: sale de tu caja.',
  amount: 'Se entrega',
  to: 'A',
  folio: 'Folio del pago',
  from: 'Sale de',
  drawer: (branch: string) => `Tu caja, ${branch}`,
  terminal: 'Tu terminal',
  noBranch: 'No tienes una sucursal abierta.',
  submit: {
    cash: (amount: Centavos) => `Entregar ${formatMoney(amount)}`,
    terminal: (amount: Centavos) => `Devolver ${formatMoney(amount)}`,
  },
  busy: 'Anotando…',
  changed: 'La cantidad cambió mientras tanto. No se anotó nada: revísala y confirma otra vez.',
  done: 'Esta devolución ya se entregó. No entregues dinero otra vez.',
  stillOwed: 'La entrega de antes no llegó y se debe otra vez. No se anotó nada ahora: toca de nuevo.',
  unanswered: 'No sabemos si quedó anotada. Toca otra vez: se anota una sola vez.',
};
