import { isIvaRate } from '@aparta/domain/fiscal';
import { PRODUCT_LENGTHS } from '@aparta/domain/product-lengths';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope, pageEnvelope } from './endpoint.ts';
import { productPictures } from './pictures.ts';
import { idField, idParam, line, uuid } from './text.ts';

/** A product, with the plan that a buyer would be offered today. */
export const counterProduct = v.object({
  id: idField,
  sku: v.string(),
  name: v.string(),
  description: v.string(),
  price: pesos,
  /** 16 % = 16. */
  ivaPercent: v.number(),
  invoicingKey: v.string(),
  onSale: v.boolean(),
  pictures: productPictures,
  /** Grows with each change. */
  version: v.number(),
  /** Null where the shop does not count it: then it is never sold out. */
  units: v.nullable(
    v.object({
      free: v.number(),
      branches: v.array(
        v.object({
          branchId: idField,
          branch: v.string(),
          /** For sale. */
          free: v.number(),
          /** Kept for buyers. */
          held: v.number(),
        }),
      ),
    }),
  ),
  /** Null where it cannot be reserved: it is not on sale, or its price makes no plan. */
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
  summary:
    "The merchant's products on sale, by number; `search` is words of the name or parts of them, with accents or without, or a part of the code. `show` lists those taken off sale instead.",
  method: 'GET',
  path: '/v1/counter/products',
  access: ['staff'],
  act: 'see_products',
  query: v.object({
    search: v.optional(line(60), ''),
    show: v.optional(v.picklist(['on_sale', 'withdrawn']), 'on_sale'),
    cursor: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/))),
  }),
  reply: pageEnvelope(counterProduct),
  refusals: [],
});

export const getCounterProduct = defineEndpoint({
  name: 'getCounterProduct',
  summary: 'One of them, on sale or not.',
  method: 'GET',
  path: '/v1/counter/products/:id',
  access: ['staff'],
  act: 'see_products',
  params: v.object({ id: idParam }),
  reply: envelope(counterProduct),
  refusals: ['NOT_FOUND'],
});

const sized = <Most extends number>([least, most]: readonly [number, Most]) =>
  v.pipe(line(most), v.minLength(least));

/** What an owner says of a product: the columns of a product file. */
const productEntry = v.object({
  name: sized(PRODUCT_LENGTHS.name),
  sku: v.optional(sized(PRODUCT_LENGTHS.sku), ''),
  description: v.optional(sized(PRODUCT_LENGTHS.description), ''),
  price: v.pipe(pesos, v.minValue(0.01)),
  ivaPercent: v.optional(
    v.pipe(
      v.number(),
      v.check((percent) => isIvaRate(percent * 100), 'not a rate of IVA'),
    ),
    16,
  ),
  invoicingKey: v.optional(sized(PRODUCT_LENGTHS.invoicingProductUuid), ''),
});
export type CounterProductEntry = v.InferOutput<typeof productEntry>;

export const getPlanTerms = defineEndpoint({
  name: 'getPlanTerms',
  summary: "The merchant's plan, for showing what it makes of a price that is not saved yet.",
  method: 'GET',
  path: '/v1/counter/plan',
  access: ['staff'],
  act: 'edit_products',
  reply: envelope(v.object({ depositPercent: v.number(), everyDays: v.number(), durationDays: v.number() })),
  refusals: [],
});

export const addCounterProduct = defineEndpoint({
  name: 'addCounterProduct',
  summary:
    'Adds a product and puts it on sale. `pressId` is made by the device: repeated, it is the same product.',
  method: 'POST',
  path: '/v1/counter/products',
  access: ['staff'],
  act: 'edit_products',
  body: v.object({ pressId: uuid, ...productEntry.entries }),
  reply: envelope(counterProduct),
  refusals: ['SKU_TAKEN', 'PRICE_WITHOUT_PLAN'],
});

export const editCounterProduct = defineEndpoint({
  name: 'editCounterProduct',
  summary:
    'Changes a product, if its `version` is still the one that was read. What was reserved or bought keeps its terms.',
  method: 'POST',
  path: '/v1/counter/products/:id',
  access: ['staff'],
  act: 'edit_products',
  params: v.object({ id: idParam }),
  body: v.object({ version: idField, ...productEntry.entries }),
  reply: envelope(counterProduct),
  refusals: ['NOT_FOUND', 'PRODUCT_CHANGED', 'SKU_TAKEN', 'PRICE_WITHOUT_PLAN'],
});

export const setOnSale = defineEndpoint({
  name: 'setOnSale',
  summary: 'Takes a product off sale, or puts it back; what was reserved or bought goes on.',
  method: 'POST',
  path: '/v1/counter/products/:id/sale',
  access: ['staff'],
  act: 'edit_products',
  params: v.object({ id: idParam }),
  body: v.object({ onSale: v.boolean() }),
  reply: envelope(counterProduct),
  refusals: ['NOT_FOUND', 'PRICE_WITHOUT_PLAN'],
});

/** More than a branch has room for. */
const MOST_UNITS = 99_999;
const units = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_UNITS));

export const setUnits = defineEndpoint({
  name: 'setUnits',
  summary:
    'Says how many units of a product a branch has for sale, if there are still as many as `was`. From then on it is counted, and sold out when none is left.',
  method: 'POST',
  path: '/v1/counter/products/:id/units',
  access: ['staff'],
  act: 'edit_units',
  params: v.object({ id: idParam }),
  body: v.object({ branchId: idField, free: units, was: units }),
  reply: envelope(counterProduct),
  refusals: ['NOT_FOUND', 'UNITS_CHANGED'],
});

export const stopCounting = defineEndpoint({
  name: 'stopCounting',
  summary: 'Stops counting a product: it is never sold out. What is kept for buyers stays kept.',
  method: 'POST',
  path: '/v1/counter/products/:id/stop-counting',
  access: ['staff'],
  act: 'edit_products',
  params: v.object({ id: idParam }),
  reply: envelope(counterProduct),
  refusals: ['NOT_FOUND'],
});

/** 8 MB, as base64. */
const PICTURE_CHARACTERS = 11_200_000;

export const setProductPicture = defineEndpoint({
  name: 'setProductPicture',
  summary:
    'Gives a product another picture, or none. A JPEG, PNG or WebP of 8 MB and 50 million pixels at most is drawn anew, without its metadata.',
  method: 'POST',
  path: '/v1/counter/products/:id/picture',
  access: ['staff'],
  act: 'edit_products',
  params: v.object({ id: idParam }),
  body: v.object({
    picture: v.nullable(v.pipe(v.string(), v.maxLength(PICTURE_CHARACTERS))),
  }),
  reply: envelope(counterProduct),
  refusals: ['NOT_FOUND', 'PICTURE_UNREADABLE', 'PICTURE_TOO_LARGE'],
  bodyLimitBytes: PICTURE_CHARACTERS + 1_000,
});
