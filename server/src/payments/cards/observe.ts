import type { Centavos } from '@aparta/domain/money';
import type { ProviderPayment } from '../card-provider/port.ts';

/** What was seen of an attempt at the provider (rules/card-attempts#observations). */
export type Observation =
  | {
      readonly kind: 'approved' | 'mismatch' | 'processing' | 'declined' | 'reversed';
      readonly payment: ProviderPayment;
    }
  | { readonly kind: 'requires_action'; readonly payment: ProviderPayment; readonly threeDsUrl: string }
  | {
      readonly kind: 'not_found';
      /** The list was read so late, and so wide, that it cannot have missed a charge. */
      readonly isProof: boolean;
    }
  | { readonly kind: 'not_sent'; readonly why?: string }
  | { readonly kind: 'unreachable' | 'unusable'; readonly why: string };

export interface Expected {
  readonly attemptId: string;
  readonly totalCentavos: Centavos;
  /** What our own refunds, done or under way, may have taken from it. */
  readonly refundsExplained: Centavos;
  /** Origins whose 3DS page may be shown. */
  readonly threeDsOrigins: readonly string[];
}

const PAID = 'AP-PAI01'; // spec §9
const WAITS_3DS = 'PE-3DS01'; // spec §9
const REVERSED_CODES = new Set(['AP-REF01', 'RE-REF01']); // in part, in full

/** Compares a payment with what was agreed. Whatever does not fit exactly is not `approved`. */
export function observe(expected: Expected, payment: ProviderPayment): Observation {
  if (payment.externalReference !== expected.attemptId) {
    return { kind: 'unusable', why: 'a payment with another external reference' };
  }
  if (isContradictory(payment)) return { kind: 'mismatch', payment };
  if (
    payment.status === 'refunded' ||
    payment.refundedCentavos > 0 ||
    REVERSED_CODES.has(payment.detailCode)
  ) {
    return {
      kind: reversedCentavos(payment) > expected.refundsExplained ? 'reversed' : 'processing',
      payment,
    };
  }
  switch (payment.status) {
    case 'approved': {
      const agreed =
        payment.detailCode === PAID &&
        payment.amountCentavos === expected.totalCentavos &&
        payment.currency === 'MXN';
      return { kind: agreed ? 'approved' : 'mismatch', payment };
    }
    case 'authorized':
      return { kind: 'mismatch', payment };
    case 'pending':
      return payment.detailCode === WAITS_3DS &&
        payment.threeDsUrl !== undefined &&
        isFrom(payment.threeDsUrl, expected.threeDsOrigins)
        ? { kind: 'requires_action', payment, threeDsUrl: payment.threeDsUrl }
        : { kind: 'processing', payment };
    case 'rejected':
    case 'cancelled':
      return { kind: 'declined', payment };
    case 'other':
      return { kind: 'processing', payment };
  }
}

/** Whether its refunds cannot be: more than was paid, or a part although all of it went back. */
export function isContradictory({ status, refundedCentavos, amountCentavos }: ProviderPayment): boolean {
  const isPart = refundedCentavos > 0 && refundedCentavos < amountCentavos;
  return refundedCentavos > amountCentavos || (status === 'refunded' && isPart);
}

/** What was refunded of a payment. Where the sum is not told, it is all of it, or at least something. */
function reversedCentavos({ status, refundedCentavos, amountCentavos }: ProviderPayment): number {
  if (status === 'refunded') return Math.max(refundedCentavos, amountCentavos);
  return Math.max(refundedCentavos, 1);
}

/** What the provider holds for us of a payment: all of an approved one, nothing of one that is only authorised. */
export function capturedOf(payment: ProviderPayment): number {
  return payment.status === 'approved' || payment.status === 'refunded' ? payment.amountCentavos : 0;
}

/** What is left of what it captured; a refund whose sum is not told took all of it, one that cannot be took nothing. */
export function leftOf(payment: ProviderPayment): number {
  if (isContradictory(payment)) return capturedOf(payment);
  return payment.status === 'refunded' ? 0 : Math.max(0, capturedOf(payment) - payment.refundedCentavos);
}

/** What went back of a payment that we had captured: all of it where it is refunded or cancelled and no sum is told. */
export function gaveBackOf({ status, refundedCentavos, amountCentavos }: ProviderPayment): Centavos {
  const isOver = status === 'refunded' || status === 'cancelled';
  return isOver && refundedCentavos === 0 ? amountCentavos : refundedCentavos;
}

/** Whether less of a payment went back than the books have: a refund came back to the provider, whose sum it tells. */
export function isUndone(payment: ProviderPayment, refundedCentavos: Centavos): boolean {
  const isSumKnown = payment.refundedCentavos > 0 || !REVERSED_CODES.has(payment.detailCode);
  return (
    isSumKnown && !isContradictory(payment) && payment.amountCentavos - leftOf(payment) < refundedCentavos
  );
}

function isFrom(url: string, origins: readonly string[]): boolean {
  return URL.canParse(url) && origins.includes(new URL(url).origin);
}
