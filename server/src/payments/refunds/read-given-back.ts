import type { Centavos } from '@aparta/domain/money';
import { findRefund } from '../../ledger/refunds/store.ts';
import { gaveBackOf } from '../cards/observe.ts';
import { findAttempt } from '../cards/store.ts';
import { readPaymentOf } from './read-payment.ts';
import type { RefundDeps } from './refund-card-payment.ts';

/** What the provider says went back of a payment, or why nobody knows. */
export type GivenBack =
  | { readonly kind: 'read'; readonly centavos: Centavos }
  | { readonly kind: 'unread'; readonly why: string };

/** Reads what went back of the payment that a refund is of. Asks the provider: outside any transaction. */
export async function readGivenBack(deps: RefundDeps, refundId: number): Promise<GivenBack> {
  const refund = await findRefund(deps.db, refundId);
  const attemptId = refund?.attemptId ?? undefined;
  const attempt = attemptId === undefined ? undefined : await findAttempt(deps.db, attemptId);
  const paymentId = attempt?.providerPaymentId ?? undefined;
  if (attempt === undefined || paymentId === undefined) return { kind: 'unread', why: 'no payment' };
  const read = await readPaymentOf(deps, attempt, paymentId);
  return read.kind === 'payment' ? { kind: 'read', centavos: gaveBackOf(read.payment) } : read;
}
