import { formatDate, formatDateLong, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import { cardWords } from './detail-copy.ts';

/** Texts of a purchase that is paid off or cancelled, and of refunds. Spec §2's are literal. */
export const endedCopy = {
  paidOff: {
    label: 'Compra liquidada',
    paid: 'Pagaste en total',
    text: 'Liquidaste tu compra: no te falta ningún pago.',
  },
  endedBy: {
    buyer: (on) => `Cancelaste esta compra el ${formatDateLong(on)}.`,
    merchant: (on) => `La tienda terminó esta compra el ${formatDateLong(on)} y te devuelve todo.`,
    rule: (on) => `Esta compra terminó el ${formatDateLong(on)}, por la regla de atraso de su contrato.`,
    claim: (on) => `Esta compra terminó el ${formatDateLong(on)} por tu reclamo, y se te devuelve todo.`,
    reversal: (on) => `Esta compra terminó el ${formatDateLong(on)}: se quitó lo que se había pagado.`,
  } satisfies Record<string, (on: DateOnly) => string>,
  reason: (reason: string) => `Motivo: ${reason}`,
  refunds: {
    title: 'Tu devolución',
    bill: 'La cuenta de tu devolución',
    keptInvoice: 'Lo que no se devuelve no se factura aquí. Si necesitas su factura, pídela al comercio.',
    returned: 'Se devuelve',
    several: 'Tus devoluciones',
    loading: 'Cargando tus devoluciones',
    failed: 'No pudimos cargar tus devoluciones',
    toCard: (amount: Centavos, last4: string | undefined, payer: string | undefined) =>
      `${formatMoney(amount)} a ${payer === undefined ? `tu ${cardWords(last4)}` : `la tarjeta de ${payer}`}`,
    /** With `last4`, what the shop's own terminal took goes back to that card there. */
    byShop: (amount: Centavos, last4: string | undefined, payer: string | undefined) =>
      `${formatMoney(amount)} en ${last4 !== undefined ? `la tienda, a la ${cardWords(last4)}` : `efectivo${payer === undefined ? '' : ` para ${payer}`}`}`,
    none: 'De esta compra no quedó nada por devolver.',
    states: (isHelp: boolean) => ({
      card: {
        owed: `Por enviar. La enviamos a ${isHelp ? 'su' : 'tu'} banco en cuanto se pueda.`,
        confirming: `Enviada. Estamos confirmando que ${isHelp ? 'su' : 'tu'} banco la recibió.`,
        in_review: 'En revisión. Una persona la está viendo; no tienes que hacer nada.',
      },
      cash: {
        owed: isHelp
          ? 'Por entregar. El comercio se lo entrega a quien te ayudó.'
          : 'Por entregar. El comercio te lo entrega: pídelo en su caja.',
        confirming: 'Por entregar. Estamos confirmando la entrega con el comercio.',
        in_review: 'En revisión. Una persona la está viendo; no tienes que hacer nada.',
      },
    }),
    done: {
      card: (on: DateOnly, isHelp: boolean) =>
        `Devuelta el ${formatDate(on)}. ${isHelp ? 'Su' : 'Tu'} banco puede tardar unos días en mostrarla.`,
      cash: (on: DateOnly) => `Entregada el ${formatDate(on)}.`,
    },
    doneAt: { card: 'Devuelta.', cash: 'Entregada.' },
    of: (folio: string) => `Del pago con folio ${folio}.`,
  },
} as const;
