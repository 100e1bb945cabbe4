import type { QueryClient } from '@tanstack/react-query';

/** Prefix of the keys of purchases, their instalments, receipts and refunds, so that one call refreshes them all. */
export const PURCHASES = ['purchases'] as const;
/** The same of layaway references. */
export const LAYAWAY_REFERENCE = ['layaway-reference'] as const;

/** Refetches every list and detail of purchases. */
export function refreshPurchases(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: PURCHASES });
}
