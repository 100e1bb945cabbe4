import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { invoice } from './invoice.ts';
import { idField, idParam, ignored, line } from './text.ts';

export type { CancelledInvoice, Invoice } from './invoice.ts';

/** Spec §3, ClientSat: a tax identity of a buyer. */
export const fiscalClient = v.object({
  id: idField,
  name: v.string(),
  rfc: v.string(),
  alias: v.string(),
  email: v.string(),
  phone: v.string(),
  /** SAT's c_RegimenFiscal. */
  regime: v.string(),
  /** SAT's c_UsoCFDI. */
  cfdiUse: v.string(),
  street: v.string(),
  suburb: v.string(),
  zip: v.string(),
  /** The newest of its ids at the invoicing provider; '' before its first invoice. */
  fGecustomeruuid: v.string(),

  // Ours, from here on.
  regimeDescription: v.string(),
  /** From the RFC's length (rules/invoicing#fiscal-data). */
  personType: v.picklist(['fisica', 'moral']),
});
export type FiscalClient = v.InferOutput<typeof fiscalClient>;

/**
 * The fiscal form (spec §2). The server normalises it and checks it against SAT's tables; each wrong field is named in
 * `fields`.
 */
const fiscalForm = v.object({
  name: line(254),
  rfc: line(30),
  alias: v.optional(line(120), ''),
  email: line(254),
  phone: v.optional(line(30), ''),
  regime: line(3),
  cfdiUse: line(4),
  street: v.optional(line(200), ''),
  suburb: v.optional(line(120), ''),
  zip: line(10),
});

export const listFiscalClients = defineEndpoint({
  name: 'listFiscalClients',
  summary: "The buyer's tax identities, newest first.",
  method: 'GET',
  path: '/v1/ClientSat/GetAllBySecurityBuyerIdAsync/:buyerId',
  access: ['buyer'],
  params: v.object({ buyerId: idParam }),
  reply: envelope(v.array(fiscalClient)),
  refusals: ['NOT_FOUND'],
});

export const insertFiscalClient = defineEndpoint({
  name: 'insertFiscalClient',
  summary: 'Registers a tax identity; the same RFC once per buyer.',
  method: 'POST',
  path: '/v1/ClientSat/InsertAsync',
  access: ['buyer'],
  body: fiscalForm,
  reply: envelope(fiscalClient),
  refusals: ['FISCAL_DATA_WRONG', 'FISCAL_CLIENT_EXISTS', 'FISCAL_CLIENTS_FULL', 'TOO_MANY'],
});

export const updateFiscalClient = defineEndpoint({
  name: 'updateFiscalClient',
  summary: 'Corrects a tax identity. Invoices made before keep what they were made with.',
  method: 'PUT',
  path: '/v1/ClientSat/UpdateAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  body: fiscalForm,
  reply: envelope(fiscalClient),
  refusals: ['NOT_FOUND', 'FISCAL_DATA_WRONG', 'FISCAL_CLIENT_EXISTS'],
});

/**
 * Spec §7. The provider's id is the server's own knowledge: whatever the browser sends is not read, and what is known is
 * answered.
 */
export const confirmFiscalClient = defineEndpoint({
  name: 'confirmFiscalClient',
  summary: 'Answers a tax identity with its id at the invoicing provider; changes nothing.',
  method: 'PUT',
  path: '/v1/ClientSat/UpdateFGecustomeruuidasync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  body: v.optional(v.unknown()),
  reply: envelope(fiscalClient),
  refusals: ['NOT_FOUND'],
});

export const deleteFiscalClient = defineEndpoint({
  name: 'deleteFiscalClient',
  summary: 'Takes a tax identity off the list. Its invoices stay.',
  method: 'DELETE',
  path: '/v1/ClientSat/DeleteAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND', 'FISCAL_CLIENT_IN_USE'],
});

/** Spec §3, fiscal regime, and the uses that SAT lets a receiver in it take. */
const fiscalRegime = v.object({
  regimeFiscal: v.string(),
  description: v.string(),
  // Ours.
  cfdiUses: v.array(v.object({ cfdiUse: v.string(), description: v.string() })),
  /** The use that is offered first. */
  defaultUse: v.string(),
});
export type FiscalRegime = v.InferOutput<typeof fiscalRegime>;

export const getFiscalRegime = defineEndpoint({
  name: 'getFiscalRegime',
  summary: 'One of SAT’s regimes, by its code.',
  method: 'GET',
  path: '/v1/fiscalregime/GetfiscalRegimeByIdAsync/:id',
  access: ['buyer'],
  params: v.object({ id: line(3) }),
  reply: envelope(fiscalRegime),
  refusals: ['NOT_FOUND'],
});

export const listPersonRegimes = defineEndpoint({
  name: 'listPersonRegimes',
  summary: 'The regimes that a natural person may have.',
  method: 'GET',
  path: '/v1/fiscalregime/GetAllFisicaAsync',
  access: ['buyer'],
  reply: envelope(v.array(fiscalRegime)),
  refusals: [],
});

export const listCompanyRegimes = defineEndpoint({
  name: 'listCompanyRegimes',
  summary: 'The regimes that a company may have.',
  method: 'GET',
  path: '/v1/fiscalregime/GetAllMoralAsync',
  access: ['buyer'],
  reply: envelope(v.array(fiscalRegime)),
  refusals: [],
});

/** Spec §7. The server makes the customer itself before the invoice; this call stays, and asked again answers the same id. */
export const addInvoicingCustomer = defineEndpoint({
  name: 'addInvoicingCustomer',
  summary: "Makes one of the buyer's tax identities known under a merchant at the invoicing provider.",
  method: 'POST',
  path: '/v1/FacturaGreen/CustomerAddAsync',
  access: ['buyer'],
  body: v.object({
    businessId: idField,
    /** Of it only `taxid` is read, to find the identity; the rest is what was registered. */
    customer: v.object({
      name: ignored,
      taxid: line(30),
      alias: ignored,
      email: ignored,
      phone: ignored,
      taxregime: ignored,
      invoiceuse: ignored,
      address: ignored,
    }),
  }),
  reply: envelope(v.object({ uuid: v.string() })),
  refusals: ['NOT_FOUND', 'INVOICING_NOT_OFFERED', 'TOO_MANY', 'INVOICE_REFUSED', 'PROVIDER_DOWN'],
});

/**
 * Spec §7. `cxcId` and `clientSatId` are ours (rules/wire#additions). Uuids, form, method, price and observations of
 * `data.cfdi` are not read (rules/invoicing#one-per-instalment). Asked again, however often: the same invoice; with
 * another RFC a refusal, since that one says whose it is.
 */
export const emitInvoice = defineEndpoint({
  name: 'emitInvoice',
  summary: 'Asks for the invoice of a paid instalment, once; answers where it stands.',
  method: 'POST',
  path: '/v1/FacturaGreen/cfdiemmitAsync',
  access: ['buyer'],
  body: v.object({
    businessId: ignored,
    data: ignored,
    cxcId: idField,
    clientSatId: idField,
  }),
  reply: envelope(
    v.object({
      /** Once it is stamped; null while it is in process. */
      cfdi: v.nullable(v.object({ uuid: v.string(), folio_tax: v.string() })),
      /** Ours. */
      invoice,
    }),
  ),
  refusals: [
    'NOT_FOUND',
    'NOT_INVOICEABLE',
    'INVOICING_NOT_OFFERED',
    'INVOICE_TOO_LATE',
    'INVOICE_OTHER_RFC',
    'FISCAL_DATA_WRONG',
    'INVOICE_REFUSED',
    'TOO_MANY',
  ],
});

/** Spec §7. What the server recorded itself is answered; `ResponseFG` from the browser is not read. */
export const recordInvoice = defineEndpoint({
  name: 'recordInvoice',
  summary: 'Answers the invoice recorded for an instalment; changes nothing.',
  method: 'POST',
  path: '/v1/CxcCfdiEmmit/InsertAsync',
  access: ['buyer'],
  body: v.object({ id: ignored, cxcId: idField, ResponseFG: ignored }),
  reply: envelope(v.object({ id: idField, cxcId: idField, ResponseFG: v.string() })),
  refusals: ['NOT_FOUND'],
});

const file = envelope(v.object({ fileName: v.string(), contentByteArray: v.string() }));

export const getInvoicePdf = defineEndpoint({
  name: 'getInvoicePdf',
  summary: "The PDF of one of the buyer's invoices, in base64.",
  method: 'GET',
  path: '/v1/Invoices/PdfAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: file,
  refusals: ['NOT_FOUND'],
});

export const getInvoiceXml = defineEndpoint({
  name: 'getInvoiceXml',
  summary: "The stamped XML of one of the buyer's invoices, in base64.",
  method: 'GET',
  path: '/v1/Invoices/XmlAsync/:id',
  access: ['buyer'],
  params: v.object({ id: idParam }),
  reply: file,
  refusals: ['NOT_FOUND'],
});
