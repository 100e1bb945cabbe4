import { ApiError } from './api-error.ts';

/** Whether the server may have done it: only what it refused by name it surely did not do. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { failure } = error;
  if (failure.kind !== 'refused') return true;
  return ['TOO_SLOW', 'BUSY', 'DATABASE_AWAY', 'UNAVAILABLE', 'INTERNAL', 'SESSION_DEAD'].includes(
    failure.code,
  );
}
