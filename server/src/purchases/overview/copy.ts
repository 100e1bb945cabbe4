import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import type { PaymentMethod } from '@aparta/domain/service-fee';

const METHOD_NAMES = {
  card: 'con tarjeta',
  till: 'en caja',
  cash: 'en tienda',
} as const satisfies Record<PaymentMethod, string>;

/** `notasCxc` of an instalment that is paid in part: 'Pago parcial en caja 12 nov' (rules/wire#fields-that-nobody-explains). */
export function partialPaymentNote(method: PaymentMethod, paidAt: Date): string {
  return `Pago parcial ${METHOD_NAMES[method]} ${formatDate(mexicoCityDate(paidAt)).replace(/ \d+$/, '')}`;
}
