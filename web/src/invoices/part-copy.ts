import { formatDate, type DateOnly } from '@aparta/domain/calendar';

/** Spec §2: 'Facturar pago'. Apart from what an invoice itself says (copy.ts). */
export const invoicePartCopy = {
  ask: 'Facturar pago',
  askOf: (number: number) => String(number),
  until: (day: DateOnly) => `Puedes pedir tu factura hasta el ${formatDate(day)}.`,
  tooLate: (day: DateOnly, merchant: string) =>
    `Podías pedir esta factura hasta el ${formatDate(day)}. Si la necesitas, pregunta en ${merchant}; sus datos están en Ayuda.`,
  again: 'Facturar otra vez',
} as const;
