import { paymentForm, type PaymentForm, type PaidWith } from '@aparta/domain/fiscal';

import type { PaidPart } from './instalment.read-model.ts';

const CARD: Readonly<Record<string, PaidWith>> = {
  credit_card: 'card-credit',
  debit_card: 'card-debit',
  prepaid_card: 'card-prepaid',
};

type Part = Pick<PaidPart, 'channel' | 'cardType' | 'isTerminal' | 'amountCentavos'>;

/** The form that an invoice of what these payments paid names (rules/invoicing#payment-form). */
export function paymentFormOf(parts: readonly Part[]): PaymentForm {
  return paymentForm(parts.map((part) => ({ method: paidWith(part), amountCentavos: part.amountCentavos })));
}

function paidWith({ channel, cardType, isTerminal }: Part): PaidWith {
  if (channel === 'card' || isTerminal) return CARD[cardType ?? ''] ?? 'card-unknown';
  return channel === 'till' ? 'till' : 'cash';
}
