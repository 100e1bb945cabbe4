import { ApiError } from './api-error.ts';

/** Whether a call found no network, or no answer in time. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof ApiError && (error.failure.kind === 'network' || error.failure.kind === 'timeout');
}
