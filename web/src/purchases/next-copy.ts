import { formatDate, formatDateLong, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';

/** Texts of the payment that comes next. Spec §2's are literal. */
export const nextCopy = {
  next: 'Siguiente pago',
  amount: 'Valor',
  paid: 'Pagos',
  balance: 'Saldo',
  withCard: (total: Centavos, fee: Centavos) =>
    `Con tarjeta pagas ${formatMoney(total)}: incluye ${formatMoney(fee)} de cargo por servicio.`,
  pay: 'Realizar pago',
  atTill: (number: string) => `En caja: ${number}`,
  cardNeedsInternet: 'Para pagar con tarjeta necesitas internet',
  loadingAct: 'Preparando tu pago',
  actFailed: 'No pudimos preparar tu pago',
  confirming: {
    title: 'Estamos confirmando tu pago con tarjeta.',
    text: 'No vuelvas a pagar hasta que te digamos cómo quedó.',
    go: 'Ver cómo va',
  },
  /** The bank waits for the buyer: as a deposit's says it. */
  threeDs: {
    title: 'Falta que autorices tu pago',
    text: 'Termina la autenticación con tu banco. No pagues de otra forma mientras tanto.',
    go: 'Continuar mi pago',
  },
  atStore: { title: 'Tu referencia para pagar en tienda sigue vigente.', go: 'Ver referencia' },
  dueOn: (on: DateOnly) => `Vence el ${formatDate(on)}`,
  lateSince: (on: DateOnly) => `Venció el ${formatDate(on)}`,
} as const;

/** Texts of a purchase that ends by itself. */
export const endingCopy = {
  title: (on: DateOnly) => `Se cancela el ${formatDateLong(on)} si antes no se paga`,
  moreTime: (on: DateOnly) => `La tienda te da más tiempo: hasta el ${formatDateLong(on)}`,
  text: (sum: Centavos) => `Paga los ${formatMoney(sum)} del abono vencido y tu compra sigue.`,
} as const;
