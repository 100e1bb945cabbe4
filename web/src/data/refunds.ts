import { queryOptions } from '@tanstack/react-query';
import type { Refund } from './cancellations.ts';
import { PURCHASES } from './purchases-key.ts';

/** The refunds of a purchase. Most have none: what reads them comes with the first. */
export const refundsQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'refunds', purchaseId],
    queryFn: async ({ signal }): Promise<Refund[]> =>
      (await import('./cancellations.ts')).fetchRefunds(purchaseId, signal),
  });
