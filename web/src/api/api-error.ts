import type { RefusalCode } from '@aparta/contract/refusals';

/**
 * Why a call brought no reply: the server refused, with its code and facts; the network did not carry it; it took too
 * long (the server may have acted); or what came back is not what the contract says.
 */
export type Failure =
  | {
      kind: 'refused';
      code: RefusalCode;
      status: number;
      fields: Readonly<Record<string, string>>;
      facts: Readonly<Record<string, unknown>>;
      retryAfterSeconds: number | undefined;
    }
  | { kind: 'network' }
  | { kind: 'timeout' }
  | { kind: 'nonsense'; status: number };

/** The one error that calls throw, apart from the AbortError of a caller that gave up. */
export class ApiError extends Error {
  readonly failure: Failure;
  /** Finds the call in the server's logs; shown to a buyer who asks for help. */
  readonly requestId: string;

  constructor(failure: Failure, requestId: string, options?: ErrorOptions) {
    super(failure.kind === 'refused' ? `refused: ${failure.code}` : failure.kind, options);
    this.name = 'ApiError';
    this.failure = failure;
    this.requestId = requestId;
  }
}

/** Whether an error is the server's refusal with this code. */
export function isRefused(error: unknown, ...codes: RefusalCode[]): boolean {
  return error instanceof ApiError && error.failure.kind === 'refused' && codes.includes(error.failure.code);
}
