import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '../data/receipts.ts';

const methods: Record<PaymentMethod, string> = { card: 'tarjeta', till: 'caja', cash: 'tienda' };
/** A card, by its last digits where they are known. */
export const cardWords = (last4: string | undefined) =>
  last4 === undefined ? 'tarjeta' : `tarjeta\u00a0••••\u00a0${last4}`;

/** Texts of a purchase. Spec §2's and spec §8's are literal. */
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
      `${formatDate(on)} · ${payer === undefined ? '' : `${payer} · `}${method === 'card' ? cardWords(last4) : methods[method]}`,
    receipt: 'Ver recibo',
    receiptOf: (folio: string) => folio,
    client: (name: string) => `Cliente: ${name}`,
    endsLate: (days: number) =>
      `Si un abono pasa ${days} días vencido, la compra se cancela sola. Antes te avisamos dos veces por correo.`,
  },
} as const;
