import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { ProviderCheck } from '../../platform/provider-check.ts';

export interface CashReferenceRequest {
  /** Ours, a UUID: the same one asks for the same reference. */
  readonly externalRequestId: string;
  /** The payment reference of the instalment. */
  readonly identifier: string;
  readonly amountCentavos: Centavos;
  readonly payerEmail: string;
  readonly buyerId: number;
  /** The last day on which it can be paid, Mexico City. */
  readonly expiresOn: DateOnly;
}

/**
 * What became of a request for a reference. `refused`: the provider will not issue it. `not_sent`: it was certainly not issued.
 * `unreachable`: unknown; the same id asks for the same reference again.
 */
export type IssueOutcome =
  | { readonly kind: 'issued'; readonly reference: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'not_sent' | 'unreachable'; readonly why: string };

/** What a store did with a reference. An observation, never an order. */
export interface CashOperation {
  /** The provider's, at most 100 characters. A reversal has one of its own. */
  readonly operationId: string;
  readonly status: 'processing' | 'confirmed' | 'failed' | 'reversed' | 'other';
  /** Of a reversal: the operation that it reverses, or its own id where the provider gives it no other. */
  readonly reverses: string | undefined;
  readonly reference: string | undefined;
  readonly externalRequestId: string | undefined;
  /** Undefined unless above zero. */
  readonly amountCentavos: Centavos | undefined;
  /** '' when not given. */
  readonly currency: string;
  readonly paidAt: Date | undefined;
  /** The chain and its agent, as the provider spells them; '' when not given. */
  readonly store: string;
}

/**
 * `forged`: without our key. `elsewhere`: with it, but from an address that is not Tapi's. `unreadable`: with it, but without an
 * operation's id.
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
  /** What stores did with a reference, named by our request's id; `isPartial` where some of it cannot be read. */
  findOperationsOf(
    externalRequestId: string,
  ): Promise<
    | { readonly kind: 'found'; readonly operations: readonly CashOperation[]; readonly isPartial?: boolean }
    | { readonly kind: 'not_found' }
    | { readonly kind: 'unreachable'; readonly why: string }
  >;
  /** Signs in and asks for an operation that nobody made. */
  check(): Promise<ProviderCheck>;
  /** Reads a notice by the key that came with it and the sender's address. It proves nothing: anybody with the key can send one. */
  readNotice(sender: { key: string | undefined; address: string }, body: unknown): NoticeReading;
}
