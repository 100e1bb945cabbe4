import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';

export interface CashReferenceRequest {
  /** Ours, a UUID: the same one asks for the same reference. */
  readonly externalRequestId: string;
  /** The payment reference of the instalment. */
  readonly identifier: string;
  readonly amountCentavos: Centavos;
  readonly buyerEmail: string;
  readonly buyerId: number;
  /** The last day on which it can be paid, Mexico City. */
  readonly expiresOn: DateOnly;
}

/**
 * What became of a request for a reference. `refused`: the provider will not, as asked. `not_sent`: it was certainly not made.
 * `unreachable`: nobody knows; asked again with the same id it is the same one.
 */
export type IssueOutcome =
  | { readonly kind: 'issued'; readonly reference: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'not_sent' | 'unreachable'; readonly why: string };

/** What a store did with a reference, in our words: an observation, never an order. */
export interface CashOperation {
  /** The provider's, at most 100 characters. A reversal has one of its own. */
  readonly operationId: string;
  readonly status: 'processing' | 'confirmed' | 'failed' | 'reversed' | 'other';
  /** Of a reversal: the operation that it takes back; its own id where the provider does not tell them apart. */
  readonly reverses: string | undefined;
  readonly reference: string | undefined;
  readonly externalRequestId: string | undefined;
  /** Undefined when it is no amount of money above zero. */
  readonly amountCentavos: Centavos | undefined;
  /** '' when it is not said. */
  readonly currency: string;
  readonly paidAt: Date | undefined;
  /** The chain and who took the money there, as the provider spells them; '' when not said. */
  readonly store: string;
}

/**
 * `forged`: without our key. `elsewhere`: with it, from where Tapi never calls. `unreadable`: with it, and not even a
 * number of an operation.
 */
export type NoticeReading =
  | { readonly kind: 'notice'; readonly operation: CashOperation }
  | { readonly kind: 'forged' | 'elsewhere' | 'unreadable' };

/** What the product needs of a provider that takes cash in stores. Every call happens outside any transaction. */
export interface CashProvider {
  issue(request: CashReferenceRequest): Promise<IssueOutcome>;
  findOperation(
    operationId: string,
  ): Promise<
    | { readonly kind: 'found'; readonly operation: CashOperation }
    | { readonly kind: 'not_found' }
    | { readonly kind: 'unreachable'; readonly why: string }
  >;
  /** Reads a notice, given the key that came with it and from where. It moves nothing: whoever has the key can send one. */
  readNotice(sender: { key: string | undefined; address: string }, body: unknown): NoticeReading;
}
