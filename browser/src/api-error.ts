import type { RefusalCode } from '@aparta/contract/refusals';
import type { AlertText } from '@aparta/ui/alert.tsx';

/**
 * Why a call failed: refused by the server (with code and facts), no network, timed out (the server may have
 * acted), or a reply that does not match the contract.
 */
export type Failure =
  | {
      kind: 'refused';
      code: RefusalCode;
      status: number;
      fields: Readonly<Record<string, string>>;
      facts: Readonly<Record<string, unknown>>;
      retryAfterSeconds: number | undefined;
      /** What the reader is told. */
      said: AlertText;
    }
  | { kind: 'network' }
  | { kind: 'timeout' }
  | { kind: 'nonsense'; status: number };

/** The only error that calls throw, besides the caller's own AbortError. */
export class ApiError extends Error {
  readonly failure: Failure;
  /** The request id, for finding the call in the server's logs; shown to whoever asks for help. */
  readonly requestId: string;

  constructor(failure: Failure, requestId: string, options?: ErrorOptions) {
    super(failure.kind === 'refused' ? `refused: ${failure.code}` : failure.kind, options);
    this.name = 'ApiError';
    this.failure = failure;
    this.requestId = requestId;
  }
}

/** Whether an error is a refusal with one of these codes. */
export function isRefused(error: unknown, ...codes: RefusalCode[]): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && codes.includes(error.failure.code);
}
