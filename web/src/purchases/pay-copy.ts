import { formatMoney, type Centavos } from '@aparta/domain/money';
import { numberOf } from './copy.ts';

const includes = (fee: Centavos) => (fee > 0 ? `Incluye ${formatMoney(fee)} de cargo por servicio. ` : '');

/** Texts of the ways to pay an instalment. Spec §2's are literal. */
export const payCopy = {
  title: 'Realizar pago',
  of: (product: string, number: number, of: number) => `${product}\u00a0· ${numberOf(number, of)}`,
  // Spec §2; rules/layaways#paying: at the purchase's last instalment.
  last: 'Ultimo pago a realizar!',
  howMuch: '¿Cuánto quieres pagar?',
  next: (sum: Centavos) => `Lo que sigue: ${formatMoney(sum)}`,
  late: (sum: Centavos) => `Ponerme al corriente: ${formatMoney(sum)}`,
  all: (sum: Centavos) => `Todo lo que falta: ${formatMoney(sum)}`,
  other: 'Otro monto',
  otherField: 'Monto en pesos',
  otherHint: (least: Centavos, most: Centavos) => `De ${formatMoney(least)} a ${formatMoney(most)}.`,
  otherWrong: (least: Centavos, most: Centavos) =>
    `Escribe un monto de ${formatMoney(least)} a ${formatMoney(most)}. Los centavos van con punto.`,
  card: 'Pago con clip',
  cardText: (fee: Centavos) => `${includes(fee)}Se refleja al momento.`,
  noCards: 'Este comercio no acepta pagos con tarjeta.',
  store: 'Pago presencial',
  storeText: (fee: Centavos) =>
    `En efectivo en tienda. ${includes(fee)}Se refleja en minutos o al día siguiente.`,
  till: (merchant: string) => `En la caja de ${merchant}`,
  tillText: (fee: Centavos) => `Muestra tu número. ${includes(fee)}Se refleja al momento.`,
  close: 'Cerrar',
} as const;
