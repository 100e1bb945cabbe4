import { COUNTER_METHODS, INVOICE_SHOWS, PURCHASE_SHOWS } from '@aparta/domain/shop-lists';
import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { askedDay, askedMonth, idField, idParam, line, takingCursor } from './text.ts';

/** What a list can be saved as. */
export const LIST_FORMATS = ['csv', 'xlsx'] as const;
const format = v.picklist(LIST_FORMATS);

/** A list as a file, in base64. `isWhole`: false when it holds the newest lines alone. */
const file = { fileName: v.string(), contentByteArray: v.string(), isWhole: v.boolean() };
const listFile = envelope(v.object(file));
/** One that another follows, where it has a `next`. */
const filePart = envelope(v.object({ ...file, next: v.nullable(v.string()) }));

export const savePurchases = defineEndpoint({
  name: 'savePurchases',
  summary: "A list of the merchant's purchases as a file, at most its 5,000 newest lines. Recorded.",
  method: 'POST',
  path: '/v1/counter/files/purchases',
  access: ['staff'],
  act: 'save_lists',
  body: v.object({
    format,
    show: v.optional(v.picklist(PURCHASE_SHOWS), 'all'),
    search: v.optional(v.pipe(line(80), v.minLength(2))),
  }),
  reply: listFile,
  refusals: ['ROLE_NOT_ALLOWED'],
});

export const saveTakings = defineEndpoint({
  name: 'saveTakings',
  summary:
    'What the merchant collected from one day to another, at most 400 of them, as a file of at most 5,000 lines, the newest first; the `next` of a file is the `cursor` of the one that follows. Recorded.',
  method: 'POST',
  path: '/v1/counter/files/takings',
  access: ['staff'],
  act: 'save_lists',
  body: v.object({
    format,
    from: askedDay,
    to: askedDay,
    method: v.optional(v.picklist(COUNTER_METHODS)),
    cursor: v.optional(takingCursor),
  }),
  reply: filePart,
  refusals: [],
});

export const saveRefunds = defineEndpoint({
  name: 'saveRefunds',
  summary:
    'What the merchant gave back from one day to another, at most 400 of them, and what it owes since one of them, as a file of at most 5,000 lines, the newest first; the `next` of a file is the `cursor` of the one that follows. Recorded.',
  method: 'POST',
  path: '/v1/counter/files/refunds',
  access: ['staff'],
  act: 'save_lists',
  body: v.object({ format, from: askedDay, to: askedDay, cursor: v.optional(idParam) }),
  reply: filePart,
  refusals: [],
});

export const saveInvoices = defineEndpoint({
  name: 'saveInvoices',
  summary:
    'The instalments whose last payment came in a month, each with its invoice, as a file of at most 5,000 lines, the newest first; the `next` of a file is the `cursor` of the one that follows. Recorded.',
  method: 'POST',
  path: '/v1/counter/files/invoices',
  access: ['staff'],
  act: 'see_invoices',
  body: v.object({
    format,
    month: askedMonth,
    show: v.optional(v.picklist(INVOICE_SHOWS), 'all'),
    cursor: v.optional(idParam),
  }),
  reply: filePart,
  refusals: [],
});

export const saveSettlements = defineEndpoint({
  name: 'saveSettlements',
  summary:
    'What the operator noted of the merchant as a file of at most 5,000 lines, the newest first; the `next` of a file is the `cursor` of the one that follows. For owners and accountants. Recorded.',
  method: 'POST',
  path: '/v1/counter/files/settlements',
  access: ['staff'],
  act: 'see_settlements',
  body: v.object({ format, cursor: v.optional(idParam) }),
  reply: filePart,
  refusals: [],
});

export const saveCuts = defineEndpoint({
  name: 'saveCuts',
  summary:
    "The closed cuts of a branch as a file, at most the 5,000 newest; of a cashier's own drawer alone. Recorded.",
  method: 'POST',
  path: '/v1/counter/files/cuts',
  access: ['staff'],
  act: 'see_cuts',
  body: v.object({ format, branchId: idField }),
  reply: listFile,
  refusals: ['NOT_FOUND'],
});
