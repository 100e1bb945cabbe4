import type { Centavos } from '@aparta/domain/money';
import { findRefund } from '../../ledger/refunds/store.ts';
import { KEY_UNOPENED, openCredential } from '../card-keys/credential.ts';
import { findUsableCredential, type SealedCredential } from '../card-keys/store.ts';
import type { CardCredential } from '../card-provider/port.ts';
import { gaveBackOf } from '../cards/observe.ts';
import { findAttempt } from '../cards/store.ts';
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
  const sealed = await findUsableCredential(deps.db, attempt);
  if (sealed === undefined) return { kind: 'unread', why: 'refunds_paused' };
  const credential = openOrUndefined(deps, sealed);
  if (credential === undefined) return { kind: 'unread', why: KEY_UNOPENED };
  const found = await deps.card.find(credential, paymentId);
  return found.kind === 'payment'
    ? { kind: 'read', centavos: gaveBackOf(found.payment) }
    : { kind: 'unread', why: found.why };
}

function openOrUndefined(deps: RefundDeps, sealed: SealedCredential): CardCredential | undefined {
  try {
    return openCredential(deps, sealed);
  } catch {
    return undefined;
  }
}
