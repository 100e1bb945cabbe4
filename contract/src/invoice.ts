import * as v from 'valibot';

import { pesos } from './amount.ts';
import { idField, moment } from './text.ts';

/**
 * Where an instalment's invoice stands, for the buyer. `inProcess`: asked for, and finished by us, the browser need not
 * wait. `review`: a person checks it. `refused`: SAT or the provider will not; `field` is what to correct, null when it is
 * none of the buyer's. Apart from the calls about it, because every list of instalments carries it.
 */
export const invoice = v.object({
  id: idField,
  cxcId: idField,
  state: v.picklist(['inProcess', 'issued', 'review', 'refused']),
  amount: pesos,
  requestedAt: moment,
  fiscalClientId: idField,
  /** As they stand on the invoice. */
  rfc: v.string(),
  name: v.string(),
  /** SAT's folio, and the merchant's own number ('' when it has none). */
  fiscalFolio: v.nullable(v.string()),
  folio: v.string(),
  /** Of an issued one: it stands, beside the merchant's credit note for it. */
  credited: v.optional(v.boolean(), false),
  issuedAt: v.nullable(moment),
  /** Whether each file can be downloaded already. */
  hasPdf: v.boolean(),
  hasXml: v.boolean(),
  field: v.nullable(v.picklist(['rfc', 'name', 'zip', 'regime', 'cfdiUse', 'email'])),
  /** SAT's code and the provider's own words, for who asks support; '' without a refusal. */
  detailCode: v.string(),
  detailMessage: v.string(),
});
export type Invoice = v.InferOutput<typeof invoice>;

/** An invoice that its buyer had the files of, and that SAT cancelled. */
export const cancelledInvoice = v.object({
  rfc: v.string(),
  name: v.string(),
  fiscalFolio: v.string(),
  folio: v.string(),
});
export type CancelledInvoice = v.InferOutput<typeof cancelledInvoice>;
