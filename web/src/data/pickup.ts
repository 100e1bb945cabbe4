import type { ReplyData } from '@aparta/contract/endpoint';
import {
  getPickup,
  nameCollector,
  replacePickupCode,
  type Pickup as WirePickup,
} from '@aparta/contract/pickup';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { PURCHASES } from './purchases-key.ts';

/** How the goods of a purchase that is paid whole are collected, or were. */
export type Pickup = ReturnType<typeof readPickup>;

export const pickupQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: [...PURCHASES, 'pickup', purchaseId],
    queryFn: async ({ signal }) =>
      readPickup((await call(getPickup, { params: { saleId: purchaseId } }, { signal })).data),
  });

/** Another code for the one that was shown. */
export const replacingCode = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: (replaces: string) =>
      call(replacePickupCode, { params: { saleId: purchaseId }, body: { replaces } }),
    onSuccess: ({ data }) => show(queries, purchaseId, data),
  });

/** Says who may collect; null: the buyer. */
export const namingCollector = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: (collector: string | null) =>
      call(nameCollector, { params: { saleId: purchaseId }, body: { collector } }),
    onSuccess: ({ data }) => show(queries, purchaseId, data),
  });

function show(queries: QueryClient, purchaseId: number, data: ReplyData<typeof getPickup>): void {
  queries.setQueryData(pickupQuery(purchaseId).queryKey, readPickup(data));
}

function readPickup({ code, collector, handedOver }: WirePickup) {
  return {
    code: code ?? undefined,
    collector: collector ?? undefined,
    handedOver: handedOver ? { ...handedOver, at: new Date(handedOver.at) } : undefined,
  };
}
