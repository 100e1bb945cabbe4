import { type Centavos, formatMoney } from '@aparta/domain/money';

/** Texts of handing a refund over. */
export const refundsCopy = {
  open: (amount: Centavos) => `Entregar ${formatMoney(amount)} en efectivo`,
  title: 'Entregar la devolución',
  text: 'Revisa quién viene por su dinero antes de entregarlo. Queda escrito que se lo diste tú.',
  helper: 'Ayudó a pagar esta compra: el dinero es suyo, no del comprador. Pídele el folio y su ticket.',
  amount: 'Se entrega',
  to: 'A',
  folio: 'Folio del pago',
  from: 'Sale de',
  drawer: (branch: string) => `Tu caja, ${branch}`,
  noBranch: 'No tienes una sucursal abierta.',
  submit: (amount: Centavos) => `Entregar ${formatMoney(amount)}`,
  busy: 'Anotando…',
  changed: 'La cantidad cambió mientras tanto. No se anotó nada: revísala y confirma otra vez.',
  done: 'Esta devolución ya se entregó. No entregues dinero otra vez.',
  stillOwed: 'La entrega de antes no llegó y se debe otra vez. No se anotó nada ahora: toca de nuevo.',
  unanswered: 'No sabemos si quedó anotada. Toca otra vez: sale de tu caja una sola vez.',
};
