import * as v from 'valibot';

import { defineEndpoint, envelope, pageEnvelope } from './endpoint.ts';
import { line, moment, secret, uuid } from './text.ts';

/** What a shop's POS or ERP is told, by the name of the event. */
export const WEBHOOK_TYPES = [
  'payment.taken',
  'payment.reversed',
  'purchase.paid_off',
  'purchase.cancelled',
  'webhook.test',
] as const;

/** A screen of the version before knows no tests. */
export const DELIVERY_SHOWS = ['events', 'all'] as const;

const endpointParam = v.object({ endpointId: uuid });
const ACT = { access: ['staff'], act: 'manage_webhooks' } as const;

export const listWebhooks = defineEndpoint({
  name: 'listWebhooks',
  summary: "The addresses that hear of the merchant's money, those that are off last.",
  method: 'GET',
  path: '/v1/counter/webhooks',
  ...ACT,
  reply: envelope(
    v.array(
      v.object({
        id: uuid,
        url: v.string(),
        state: v.picklist(['on', 'failing', 'off', 'dead']),
        since: moment,
        /** Null unless two secrets sign. */
        bothUntil: v.nullable(moment),
        waiting: v.number(),
      }),
    ),
  ),
  refusals: [],
});

export const addWebhook = defineEndpoint({
  name: 'addWebhook',
  summary:
    'Adds an address, which hears of what happens from now on. The secret is told this once. Five at most.',
  method: 'POST',
  path: '/v1/counter/webhooks',
  ...ACT,
  body: v.object({ url: v.pipe(line(500), v.url(), v.regex(/^https?:\/\/[^@]+$/i)) }),
  reply: envelope(v.object({ id: uuid, secret })),
  refusals: [],
});

export const rotateWebhook = defineEndpoint({
  name: 'rotateWebhook',
  summary: 'Gives an address a new secret, told this once. For 24 hours both sign.',
  method: 'POST',
  path: '/v1/counter/webhooks/:endpointId/rotate',
  ...ACT,
  params: endpointParam,
  reply: envelope(v.object({ secret })),
  refusals: ['NOT_FOUND'],
});

export const switchWebhook = defineEndpoint({
  name: 'switchWebhook',
  summary: 'Switches an address off or on. On again, it hears of all that happened meanwhile.',
  method: 'POST',
  path: '/v1/counter/webhooks/:endpointId/switch',
  ...ACT,
  params: endpointParam,
  body: v.object({ isOn: v.boolean() }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});

export const testWebhook = defineEndpoint({
  name: 'testWebhook',
  summary:
    'Sends an address a `webhook.test`, signed and numbered as every other event. Nothing more while one waits.',
  method: 'POST',
  path: '/v1/counter/webhooks/:endpointId/test',
  ...ACT,
  params: endpointParam,
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});

export const listWebhookDeliveries = defineEndpoint({
  name: 'listWebhookDeliveries',
  summary: 'What an address was sent in the last 30 days, newest first, and what became of it.',
  method: 'GET',
  path: '/v1/counter/webhooks/:endpointId/deliveries',
  ...ACT,
  params: endpointParam,
  query: v.object({
    cursor: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/))),
    show: v.optional(v.picklist(DELIVERY_SHOWS), 'events'),
  }),
  reply: pageEnvelope(
    v.object({
      id: uuid,
      sequence: v.number(),
      type: v.picklist(WEBHOOK_TYPES),
      createdAt: moment,
      outcome: v.picklist(['waiting', 'delivered', 'given_up']),
      tries: v.number(),
      problem: v.nullable(v.string()),
    }),
  ),
  refusals: ['NOT_FOUND'],
});

export const resendWebhook = defineEndpoint({
  name: 'resendWebhook',
  summary: 'Sends an event once more, under the same `webhook-id`.',
  method: 'POST',
  path: '/v1/counter/webhooks/:endpointId/deliveries/:deliveryId/resend',
  ...ACT,
  params: v.object({ endpointId: uuid, deliveryId: uuid }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND'],
});
