import type { DateOnly } from '@aparta/domain/calendar';
import { isPastCutOff, lastDayToInvoice } from '@aparta/domain/invoice-cut-off';

import type { ReceiptRow } from './read-model.ts';

/** Whether an invoice of what a receipt paid can be asked for, and until when: of several parts, the one that ends first. */
export function invoicingOf({ parts, cutOffDays, now }: ReceiptRow): {
  readonly mayBeInvoiced: boolean;
  readonly invoiceUntil: DateOnly | null;
} {
  const days = parts
    .filter(({ isInvoiceable }) => isInvoiceable)
    .map(({ payments, closedAt }) =>
      lastDayToInvoice(
        payments.map(({ paidAt, bookedAt, cutOffDays: promised }) => ({
          paidAt: new Date(paidAt),
          bookedAt: new Date(bookedAt),
          cutOffDays: promised,
        })),
        cutOffDays,
        closedAt === null ? null : new Date(closedAt),
      ),
    );
  const open = days.filter((day) => !isPastCutOff(day, now));
  // While one part can be asked for, its day is the one to know.
  const [invoiceUntil = null] = (open.length > 0 ? open : days).flatMap((day) => day ?? []).toSorted();
  return { mayBeInvoiced: open.length > 0, invoiceUntil };
}
