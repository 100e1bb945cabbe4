import { openClaim, withdrawClaim } from '@aparta/contract/claims';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { refreshPurchases } from './purchases-key.ts';

/** Opens a claim; while one is open the server answers that one. */
export const opening = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: (notes: string) => call(openClaim, { params: { saleId: purchaseId }, body: { notes } }),
    onSettled: () => refreshPurchases(queries),
  });

export const withdrawing = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: (claimFolio: string) =>
      call(withdrawClaim, { params: { saleId: purchaseId }, body: { claimFolio } }),
    onSettled: () => refreshPurchases(queries),
  });
