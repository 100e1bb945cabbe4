import { formatDate, formatDateLong, type DateOnly } from '@aparta/domain/calendar';
import { formatMoney, subtract, type Centavos } from '@aparta/domain/money';

/** Apart from the other words of purchases, since it is loaded with its sheet or its history alone. */
export const moveCopy = {
  title: (number: number) => `Cambiar el pago ${number}`,
  left: (left: number) =>
    left === 1
      ? 'Es el último cambio que te queda en esta compra.'
      : `Te quedan ${left} cambios en esta compra.`,
  what: '¿Qué quieres hacer?',
  move: 'Otra fecha',
  split: 'En 2 pagos',
  when: '¿Para cuándo?',
  whenRest: '¿Cuándo pagas lo demás?',
  on: (day: DateOnly, days: number) => `${formatDate(day)}, ${days === 1 ? '1 día' : `${days} días`} después`,
  otherDay: 'Otro día',
  day: 'Día',
  dayHint: (from: DateOnly, to: DateOnly) =>
    from === to ? `Solo el ${formatDate(from)}.` : `Del ${formatDate(from)} al ${formatDate(to)}.`,
  dayWrong: (from: DateOnly, to: DateOnly) =>
    from === to
      ? `Elige el ${formatDate(from)}.`
      : `Elige un día del ${formatDate(from)} al ${formatDate(to)}.`,
  first: (day: DateOnly) => `¿Cuánto pagas el ${formatDate(day)}?`,
  firstLate: '¿Cuánto pagas ya?',
  firstHint: (least: Centavos, most: Centavos) =>
    least === most ? `Solo ${formatMoney(least)}.` : `De ${formatMoney(least)} a ${formatMoney(most)}.`,
  staysLate: (day: DateOnly) => `Esta parte sigue vencida desde el ${formatDate(day)}. `,
  firstWrong: (least: Centavos, most: Centavos) =>
    `Escribe una cantidad de ${formatMoney(least)} a ${formatMoney(most)}. Los centavos van con punto.`,
  before: (amount: Centavos, day: DateOnly) => `Antes: ${formatMoney(amount)} el ${formatDate(day)}`,
  after: (amount: Centavos, day: DateOnly) => `Así queda: ${formatMoney(amount)} el ${formatDate(day)}`,
  afterSplit: (parts: string) => `Así queda: ${parts}`,
  /** `day` is undefined of a first part that is late. */
  parts: (first: Centavos, day: DateOnly | undefined, rest: Centavos, later: DateOnly) =>
    `${formatMoney(first)} ${day === undefined ? 'que ya vencieron' : `el ${formatDate(day)}`} y ${formatMoney(rest)} el ${formatDate(later)}`,
  same: 'El total y el último día de tu plan no cambian.',
  moveTo: (day: DateOnly) => `Cambiar al ${formatDate(day)}`,
  submitMove: 'Cambiar la fecha',
  submitSplit: 'Partir en dos pagos',
  saving: 'Guardando…',
  moved: {
    title: 'Listo, cambiamos la fecha',
    text: (number: number, day: DateOnly) => `Tu pago ${number} ahora vence el ${formatDateLong(day)}.`,
  },
  splitDone: {
    title: 'Listo, partimos tu pago',
    text: (parts: string) => `${parts}.`,
  },

  history: (count: number) =>
    count === 1 ? 'Cambiaste este plan 1 vez' : `Cambiaste este plan ${count} veces`,
  leftNow: (left: number) =>
    left === 0
      ? 'No te quedan cambios en esta compra.'
      : left === 1
        ? 'Te queda 1 cambio.'
        : `Te quedan ${left} cambios.`,
  wasMoved: (number: number, from: DateOnly, to: DateOnly) =>
    `El pago ${number} pasó del ${formatDate(from)} al ${formatDate(to)}`,
  wasSplit: (number: number, amount: Centavos, first: Centavos, from: DateOnly, to: DateOnly) =>
    `El pago ${number} de ${formatMoney(amount)} se partió: ${formatMoney(first)} el ${formatDate(from)} y ${formatMoney(subtract(amount, first))} el ${formatDate(to)}`,
  madeOn: (on: DateOnly) => `Lo cambiaste el ${formatDate(on)}.`,
} as const;
