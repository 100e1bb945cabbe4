import { KEY_UNOPENED, openCredential } from '../card-keys/credential.ts';
import { findUsableCredential, type SealedCredential } from '../card-keys/store.ts';
import type { CardCredential, ProviderPayment } from '../card-provider/port.ts';
import type { Attempt } from '../cards/store.ts';
import type { RefundDeps } from './refund-card-payment.ts';

/** A payment as the provider has it now, or why nobody knows. */
export type PaymentRead =
  | { readonly kind: 'payment'; readonly payment: ProviderPayment }
  | { readonly kind: 'unread'; readonly why: string };

/** Asks the provider for the payment of an attempt, by a key that still opens: outside any transaction. */
export async function readPaymentOf(
  deps: RefundDeps,
  attempt: Attempt,
  paymentId: string,
): Promise<PaymentRead> {
  const sealed = await findUsableCredential(deps.db, attempt);
  if (sealed === undefined) return { kind: 'unread', why: 'refunds_paused' };
  const credential = openOrUndefined(deps, sealed);
  if (credential === undefined) return { kind: 'unread', why: KEY_UNOPENED };
  const found = await deps.card.find(credential, paymentId);
  return found.kind === 'payment' ? found : { kind: 'unread', why: found.why };
}

function openOrUndefined(deps: RefundDeps, sealed: SealedCredential): CardCredential | undefined {
  try {
    return openCredential(deps, sealed);
  } catch {
    return undefined;
  }
}
