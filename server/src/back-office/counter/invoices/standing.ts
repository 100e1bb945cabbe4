import { isPastCutOff, lastDayToInvoice } from '@aparta/domain/invoice-cut-off';
import type { DateOnly } from '@aparta/domain/calendar';
import type { InvoiceAsking, ShopInvoiceState } from '@aparta/domain/shop-lists';

import { paymentFormOf } from '../../../invoicing/invoices/payment-form.ts';
import type { PaidInstalmentRow, ShopInvoiceRow } from './invoices.read-model.ts';

/** What an accountant is told of a paid instalment beside its row. */
export interface Standing {
  /** SAT's form: the invoice's, or the one that it would have. */
  readonly paymentForm: string;
  /** Of one that is not invoiced. */
  readonly asking: InvoiceAsking | null;
  readonly until: DateOnly | null;
  readonly state: ShopInvoiceState | null;
  /** Of a refused one. */
  readonly reason: string;
}

export function standingOf({
  group,
  invoice,
  parts,
  isOffered,
  cutOffDays,
  now,
}: PaidInstalmentRow): Standing {
  const closedAt = invoice?.closedAt ?? null;
  const isOpen = group === 'not_invoiced' && isOffered;
  const until = isOpen
    ? lastDayToInvoice(
        parts.map((part) => ({ ...part, paidAt: new Date(part.paidAt), bookedAt: new Date(part.bookedAt) })),
        cutOffDays,
        closedAt === null ? null : new Date(closedAt),
      )
    : null;
  const stands = invoice !== null && closedAt === null;
  return {
    paymentForm: stands ? invoice.paymentForm : paymentFormOf(parts),
    asking:
      group !== 'not_invoiced' ? null : isOpen ? (isPastCutOff(until, now) ? 'over' : 'open') : 'not_offered',
    until,
    state: invoice && stateOf(invoice),
    reason:
      invoice?.state === 'refused'
        ? [invoice.detailCode, invoice.detailMessage].filter(Boolean).join(': ')
        : '',
  };
}

function stateOf({ state, isCredited }: ShopInvoiceRow): ShopInvoiceState {
  if (state === 'issued') return isCredited ? 'credited' : 'issued';
  return state === 'review' || state === 'refused' || state === 'cancelled' ? state : 'in_process';
}

/** Whether its folios are shown: one in review may have to be cancelled at SAT. */
export function showsFolio({ issuedAt, state }: ShopInvoiceRow): boolean {
  return issuedAt !== null && (state === 'issued' || state === 'cancelled');
}
