import {
  INVOICE_ASKINGS,
  INVOICE_GROUPS,
  INVOICE_SHOWS,
  SHOP_INVOICE_STATES,
} from '@aparta/domain/shop-lists';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { askedMonth, day, idField, idParam, moment } from './text.ts';

const figure = v.object({ amount: pesos, count: v.number() });

const invoiceFiles = {
  id: idField,
  /** Null, and `folio` '', before it is issued: one in review may have to be cancelled at SAT. */
  fiscalFolio: v.nullable(v.string()),
  folio: v.string(),
  hasPdf: v.boolean(),
  hasXml: v.boolean(),
};

const shopInvoice = v.object({
  ...invoiceFiles,
  state: v.picklist(SHOP_INVOICE_STATES),
  rfc: v.string(),
  issuedAt: v.nullable(moment),
  /** Of a refused one, in the provider's words. */
  reason: v.string(),
});

const paidInstalment = v.object({
  id: idField,
  purchaseId: idField,
  productName: v.string(),
  buyer: v.string(),
  number: v.number(),
  of: v.number(),
  /** Of its last payment. */
  paidAt: moment,
  receiptFolio: v.string(),
  amount: pesos,
  paymentForm: v.string(),
  group: v.picklist(INVOICE_GROUPS),
  /** Of one that is not invoiced; null of all else. */
  asking: v.nullable(v.picklist(INVOICE_ASKINGS)),
  /** The last day to ask; null where there is none. */
  until: v.nullable(day),
  /** The newest; null while nobody asked. */
  invoice: v.nullable(shopInvoice),
  /** Those before it that were issued and cancelled at SAT, the newest first: books keep them too. */
  cancelled: v.optional(v.array(v.object(invoiceFiles)), []),
});
export type PaidInstalment = v.InferOutput<typeof paidInstalment>;

export const listShopInvoices = defineEndpoint({
  name: 'listShopInvoices',
  summary:
    'The instalments whose last payment came in a month of Mexico City, each with its invoice, the newest first, 50 a page; the first page has the sums. For owners and accountants.',
  method: 'GET',
  path: '/v1/counter/invoices',
  access: ['staff'],
  act: 'see_invoices',
  query: v.object({
    month: askedMonth,
    show: v.optional(v.picklist(INVOICE_SHOWS), 'all'),
    /** The page follows this one. */
    cursor: v.optional(idParam),
  }),
  reply: envelope(
    v.object({
      instalments: v.array(paidInstalment),
      next: v.nullable(v.string()),
      /** Of the whole month, whatever is shown; null on a page that follows another. */
      sums: v.nullable(
        v.object({
          all: figure,
          invoiced: figure,
          in_process: figure,
          not_invoiced: figure,
          ended: figure,
        }),
      ),
    }),
  ),
  refusals: [],
});

export const saveInvoiceFile = defineEndpoint({
  name: 'saveInvoiceFile',
  summary:
    "A file of one of the merchant's invoices that was issued, cancelled since or not, in base64. Recorded.",
  method: 'POST',
  path: '/v1/counter/invoices/:invoiceId/file',
  access: ['staff'],
  act: 'see_invoices',
  params: v.object({ invoiceId: idParam }),
  body: v.object({ format: v.picklist(['pdf', 'xml']) }),
  reply: envelope(v.object({ fileName: v.string(), contentByteArray: v.string() })),
  refusals: ['NOT_FOUND'],
});
