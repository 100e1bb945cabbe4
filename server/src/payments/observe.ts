import type { Centavos } from '@aparta/domain/money';
import type { ProviderPayment } from '../providers/card/port.ts';

/** What was seen of an attempt at the provider (payments.md §1.2). `foreign` rings: somebody else's payment was answered. */
export type Observation =
  | { readonly kind: 'ok' | 'odd' | 'slow' | 'no' | 'back'; readonly payment: ProviderPayment }
  | { readonly kind: 'wait'; readonly payment: ProviderPayment; readonly threeDsUrl: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'never'; readonly why?: string }
  | { readonly kind: 'dark'; readonly why: string; readonly foreign?: boolean };

export interface Expected {
  readonly attemptId: string;
  readonly totalCentavos: Centavos;
  /** What our own refunds, done or under way, may have taken from it. */
  readonly refundsExplained: Centavos;
  /** Origins whose 3DS page may be shown. */
  readonly threeDsOrigins: readonly string[];
}

const PAID = 'AP-PAI01'; // §9
const WAITS_3DS = 'PE-3DS01'; // §9

/** Reads a provider's payment against what was agreed. Pure; whatever does not fit exactly is not `ok`. */
export function observe(expected: Expected, payment: ProviderPayment): Observation {
  if (payment.externalReference !== expected.attemptId) {
    return { kind: 'dark', why: 'a payment with another external reference', foreign: true };
  }
  if (payment.status === 'refunded' || payment.refundedCentavos > 0) {
    return { kind: payment.refundedCentavos > expected.refundsExplained ? 'back' : 'slow', payment };
  }
  switch (payment.status) {
    case 'approved': {
      const agreed =
        payment.detailCode === PAID &&
        payment.amountCentavos === expected.totalCentavos &&
        payment.currency === 'MXN';
      return { kind: agreed ? 'ok' : 'odd', payment };
    }
    case 'authorized':
      return { kind: 'odd', payment };
    case 'pending':
      return payment.detailCode === WAITS_3DS &&
        payment.threeDsUrl !== undefined &&
        isFrom(payment.threeDsUrl, expected.threeDsOrigins)
        ? { kind: 'wait', payment, threeDsUrl: payment.threeDsUrl }
        : { kind: 'slow', payment };
    case 'rejected':
    case 'cancelled':
      return { kind: 'no', payment };
    case 'other':
      return { kind: 'slow', payment };
  }
}

/** What the provider holds for us of a payment: all of an approved one, nothing of one that is only authorised. */
export function capturedOf(payment: ProviderPayment): number {
  return payment.status === 'approved' || payment.status === 'refunded' ? payment.amountCentavos : 0;
}

function isFrom(url: string, origins: readonly string[]): boolean {
  return URL.canParse(url) && origins.includes(new URL(url).origin);
}
