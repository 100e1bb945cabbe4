import { formatMoment } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';

/** A moment as a reference's end is said. */
export const until = (expiry: Date) => `${formatMoment(expiry)} h`;

/** What is said of a reference to pay at a store, whoever pays it. */
export const storeTexts = {
  total: 'Total en caja',
  waits: 'Esperando pago',
  fee: 'Cargo por servicio',
  reference: 'Referencia',
  /** Not 'vence': the instalment's due date may stand above it. */
  goodUntil: (expiry: Date) => `Vigente hasta el ${until(expiry)}`,

  how: 'Cómo pagar',
  steps: (total: Centavos) => [
    'Ve a una de estas tiendas.',
    'Pide un pago de servicio con referencia y muestra el código de barras.',
    `Paga ${formatMoney(total)} en efectivo y guarda tu ticket.`,
  ],
  where: 'Dónde pagar',
  takes: (limit: Centavos, takesIt: boolean) =>
    takesIt ? `Hasta ${formatMoney(limit)}` : `No es posible: recibe hasta ${formatMoney(limit)}`,
  when: 'Tu pago se refleja aquí en minutos. Algunas tiendas lo avisan al día siguiente.',
  check: '¿Ya pagaste en la tienda? Revisar ahora',
  checking: 'Revisando…',

  picture: {
    heading: 'Paga en tienda',
    goodUntil: (expiry: Date) => `Vigente hasta el ${until(expiry)} (Ciudad de México).`,
    instruction: (stores: readonly string[], total: Centavos) =>
      `Pide un pago de servicio con referencia y paga ${formatMoney(total)} en efectivo en ${stores.join(', ')}.`,
  },
};
