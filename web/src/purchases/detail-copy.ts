import { formatDate, formatDateLong, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '../data/receipts.ts';

const methods: Record<PaymentMethod, string> = { card: 'tarjeta', till: 'caja', cash: 'tienda' };
const card = (last4: string | undefined) =>
  last4 === undefined ? 'tarjeta' : `tarjeta\u00a0••••\u00a0${last4}`;

/** Texts of a purchase, its late ones and its refunds. Spec §2's and spec §8's are literal. */
export const detailCopy = {
  kept: {
    at: (branch: string) => `Guardado en ${branch}`,
    since: (date: string) => `La tienda lo guarda para ti desde el ${date}.`,
    checked: (date: string) => `La tienda lo revisó el ${date}.`,
  },

  detail: {
    title: 'Tu compra',
    back: 'Pagos pendientes',
    failed: 'No pudimos cargar tu compra',
    missing: {
      title: 'No encontramos esta compra',
      text: 'No existe o no es de tu cuenta.',
      toList: 'Ver mis compras',
    },
    askForHelp: 'Que me ayuden',
    payments: 'Tus pagos',
    invoicedByShop: 'Este comercio todavía no factura aquí. Pide tu factura directamente al comercio.',
    left: (owed: Centavos) => `Faltan ${formatMoney(owed)}`,
    item: (number: number, of: number) => {
      if (number === 1) return 'Pago 1 · Adelanto';
      return number === of ? `Pago ${number} · Último` : `Pago ${number}`;
    },
    wouldBeDue: (on: DateOnly) => `Iba a vencer el ${formatDate(on)}`,
    change: 'Cambiar fecha',
    changeOf: (number: number) => `del pago ${number}`,
    was: (on: DateOnly) => `Antes: ${formatDate(on)}`,
    isPart: 'Es parte de un pago que partiste en dos',
    dropped: 'Ya no se cobra',
    partial: 'Pago parcial',
    applied: 'Abono aplicado',
    how: ({
      on,
      method,
      last4,
      payer,
    }: {
      on: DateOnly;
      method: PaymentMethod;
      last4: string | undefined;
      payer: string | undefined;
    }) =>
      `${formatDate(on)} · ${payer === undefined ? '' : `${payer} · `}${method === 'card' ? card(last4) : methods[method]}`,
    receipt: 'Ver recibo',
    receiptOf: (folio: string) => folio,
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
    client: (name: string) => `Cliente: ${name}`,
    endsLate: (days: number) =>
      `Si un abono pasa ${days} días vencido, la compra se cancela sola. Antes te avisamos dos veces por correo.`,
  },

  refunds: {
    title: 'Tu devolución',
    bill: 'La cuenta de tu devolución',
    keptInvoice: 'Lo que no se devuelve no se factura aquí. Si necesitas su factura, pídela al comercio.',
    returned: 'Se devuelve',
    several: 'Tus devoluciones',
    loading: 'Cargando tus devoluciones',
    failed: 'No pudimos cargar tus devoluciones',
    toCard: (amount: Centavos, last4: string | undefined, payer: string | undefined) =>
      `${formatMoney(amount)} a ${payer === undefined ? `tu ${card(last4)}` : `la tarjeta de ${payer}`}`,
    /** With `last4`, what the shop's own terminal took goes back to that card there. */
    byShop: (amount: Centavos, last4: string | undefined, payer: string | undefined) =>
      `${formatMoney(amount)} en ${last4 !== undefined ? `la tienda, a la ${card(last4)}` : `efectivo${payer === undefined ? '' : ` para ${payer}`}`}`,
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

  together: {
    open: (count: number) => `Pagar lo atrasado de ${count} compras`,
    title: 'Ponerte al corriente',
    text: (merchant: string) =>
      `Un solo cobro con tarjeta para lo atrasado de tus compras en ${merchant}. Se abona a todas o se te devuelve completo.`,
    fee: 'Cargo por servicio',
    total: 'Total',
    pay: (total: Centavos) => `Pagar ${formatMoney(total)} con tarjeta`,
    close: 'Cerrar',
  },
} as const;
