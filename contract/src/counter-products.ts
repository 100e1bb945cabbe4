import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope, pageEnvelope } from './endpoint.ts';
import { idField, idParam, line } from './text.ts';

/** A product on sale, with the plan that a buyer would be offered today. */
export const counterProduct = v.object({
  id: idField,
  sku: v.string(),
  name: v.string(),
  description: v.string(),
  price: pesos,
  /** Null where the price makes no plan: it cannot be reserved. */
  plan: v.nullable(
    v.object({
      deposit: pesos,
      payments: v.number(),
      each: pesos,
      last: pesos,
      everyDays: v.number(),
      /** What the label's QR says: a buyer's phone opens it. */
      link: v.string(),
    }),
  ),
});
export type CounterProduct = v.InferOutput<typeof counterProduct>;

export const listProducts = defineEndpoint({
  name: 'listProducts',
  summary: "The merchant's products on sale, by number; `search` is a part of the name, or a code.",
  method: 'GET',
  path: '/v1/counter/products',
  access: ['staff'],
  act: 'see_products',
  query: v.object({
    search: v.optional(line(60), ''),
    cursor: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/))),
  }),
  reply: pageEnvelope(counterProduct),
  refusals: [],
});

export const getCounterProduct = defineEndpoint({
  name: 'getCounterProduct',
  summary: 'One of them.',
  method: 'GET',
  path: '/v1/counter/products/:id',
  access: ['staff'],
  act: 'see_products',
  params: v.object({ id: idParam }),
  reply: envelope(counterProduct),
  refusals: ['NOT_FOUND'],
});
