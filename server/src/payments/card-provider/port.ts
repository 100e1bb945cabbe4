import type { Centavos } from '@aparta/domain/money';

/** A merchant's key pair, opened for one call. */
export interface CardCredential {
  readonly publicKey: string;
  readonly secret: string;
}

/** A payment as the provider has it now. An observation, never an order. */
export interface ProviderPayment {
  readonly id: string;
  readonly status: 'approved' | 'authorized' | 'pending' | 'rejected' | 'cancelled' | 'refunded' | 'other';
  readonly detailCode: string;
  readonly amountCentavos: Centavos;
  readonly currency: string;
  readonly externalReference: string | undefined;
  readonly refundedCentavos: Centavos;
  readonly threeDsUrl: string | undefined;
  /** `credit_card`, `debit_card`, `prepaid_card` or the provider's other word; undefined when it does not say. */
  readonly cardType: string | undefined;
  readonly cardBrand: string | undefined;
  readonly cardLast4: string | undefined;
  /** The same for the same card, as far as the provider tells cards apart; a hash. */
  readonly cardFingerprint: Buffer | undefined;
  readonly receipt: string | undefined;
  /** When it was approved, as the provider says. */
  readonly approvedAt: Date | undefined;
}

/** `not_sent`: certainly not charged. `unreachable`: unknown. */
export type NoAnswer = { readonly kind: 'not_sent' | 'unreachable'; readonly why: string };

export interface ChargeRequest {
  readonly attemptId: string;
  readonly amountCentavos: Centavos;
  readonly token: string;
  readonly description: string;
  readonly customer: {
    readonly email: string;
    readonly phone: string;
    readonly street: string;
    readonly number: string;
    readonly postalCode: string;
  };
  /** What the provider's SDK collected in the browser for its risk rules. */
  readonly sessionId: string | undefined;
  readonly userAgent: string | undefined;
  readonly request3ds: boolean;
  readonly webhookUrl: string;
  readonly requestId: string;
}

export type RefundOutcome =
  | { readonly kind: 'approved'; readonly refundId: string; readonly amountCentavos: Centavos }
  | { readonly kind: 'declined' | 'refused'; readonly code: string }
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'unreachable'; readonly why: string };

/** What the product needs of a card provider. Every call happens outside any transaction and at most once. */
export interface CardProvider {
  charge(
    credential: CardCredential,
    request: ChargeRequest,
  ): Promise<{ kind: 'payment'; payment: ProviderPayment } | NoAnswer>;
  find(
    credential: CardCredential,
    paymentId: string,
  ): Promise<{ kind: 'payment'; payment: ProviderPayment } | NoAnswer>;
  /**
   * All payments created in a window by the provider's clock, which `at` tells; `unreachable` unless every page was read and their
   * number did not change meanwhile.
   */
  list(
    credential: CardCredential,
    from: Date,
    to: Date,
  ): Promise<{ kind: 'payments'; payments: ProviderPayment[]; at: Date | undefined } | NoAnswer>;
  refund(
    credential: CardCredential,
    request: {
      /** The payment by its id, or by the number of its receipt. */
      of: { readonly type: 'payment' | 'receipt'; readonly id: string };
      amountCentavos: Centavos;
      idempotencyKey: string;
      reason: string;
    },
  ): Promise<RefundOutcome>;
}
