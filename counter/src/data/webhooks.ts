import {
  addWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhook,
  rotateWebhook,
  switchWebhook,
  testWebhook,
} from '@aparta/contract/counter-webhooks';
import type { ReplyData } from '@aparta/contract/endpoint';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** An address that the shop's system listens at. */
export type Webhook = ReturnType<typeof webhookFrom>;
/** Something that it was sent, or is to be. */
export type Delivery = ReturnType<typeof deliveryFrom>;

const webhookFrom = ({ since, bothUntil, ...rest }: ReplyData<typeof listWebhooks>[number]) => ({
  ...rest,
  since: new Date(since),
  bothUntil: bothUntil === null ? undefined : new Date(bothUntil),
});

const deliveryFrom = ({ createdAt, ...rest }: ReplyData<typeof listWebhookDeliveries>[number]) => ({
  ...rest,
  createdAt: new Date(createdAt),
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(listWebhooks, {}, { signal })).data.map(webhookFrom),
});

/** What an address was sent, newest first, page by page. */
export const deliveriesQuery = (endpointId: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', endpointId],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { show: 'all', ...(pageParam !== undefined && { cursor: pageParam }) } as const;
      const { data, next } = await call(listWebhookDeliveries, { params: { endpointId }, query }, { signal });
      return { deliveries: data.map(deliveryFrom), next: next ?? undefined };
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });

/** Adds an address, and answers its secret, which is shown once. */
export async function add(url: string): Promise<string> {
  return (await call(addWebhook, { body: { url } })).data.secret;
}

/** Answers the new secret, which is shown once. */
export async function rotate(endpointId: string): Promise<string> {
  return (await call(rotateWebhook, { params: { endpointId } })).data.secret;
}

export async function turn(endpointId: string, isOn: boolean): Promise<void> {
  await call(switchWebhook, { params: { endpointId }, body: { isOn } });
}

export async function sendTest(endpointId: string): Promise<void> {
  await call(testWebhook, { params: { endpointId } });
}

export async function resend(endpointId: string, deliveryId: string): Promise<void> {
  await call(resendWebhook, { params: { endpointId, deliveryId } });
}
