import {
  addInvoicingCustomer,
  confirmFiscalClient,
  deleteFiscalClient,
  emitInvoice,
  getFiscalRegime,
  getInvoicePdf,
  getInvoiceXml,
  insertFiscalClient,
  listCompanyRegimes,
  listFiscalClients,
  listPersonRegimes,
  recordInvoice,
  updateFiscalClient,
} from '@aparta/contract/invoices';
import type { Received } from '@aparta/contract/endpoint';

import { route, type Route, success } from '../platform/http/route.ts';
import type { Limiter } from '../platform/limiter.ts';
import { Refusal } from '../platform/refusal.ts';
import { correctFiscalClient } from './correct-fiscal-client.ts';
import { addCustomer } from './fiscal-clients/ensure-customer.ts';
import { addFiscalClient, ownFiscalClients, readFiscalClient } from './fiscal-clients/save-fiscal-client.ts';
import {
  presentCfdi,
  presentFiscalClient,
  presentInvoice,
  presentRegimeOf,
  presentRegimes,
} from './present.ts';
import { removeFiscalClient } from './remove-fiscal-client.ts';
import { downloadInvoice, recordedInvoice } from './invoices/read-invoice.ts';
import { requestInvoice, type RequestDeps } from './invoices/request-invoice.ts';
import type { Receiver } from './provider/port.ts';

/** The provider may be slow, and replacing a customer takes two calls. */
const CUSTOMER_LIMIT_MS = 60_000;

export function invoiceRoutes(deps: RequestDeps & { readonly limiter: Limiter }): Route[] {
  const { db } = deps;
  return [
    route(listFiscalClients, async ({ caller, params }) =>
      success((await ownFiscalClients(db, caller, params.buyerId)).map(presentFiscalClient)),
    ),

    route(insertFiscalClient, async ({ caller, body }) =>
      success(presentFiscalClient(await addFiscalClient(db, caller.id, formOf(body)))),
    ),

    route(updateFiscalClient, async ({ caller, params, body }) =>
      success(presentFiscalClient(await correctFiscalClient(db, caller.id, params.id, formOf(body)))),
    ),

    route(confirmFiscalClient, async ({ caller, params }) =>
      success(presentFiscalClient(await readFiscalClient(db, caller.id, params.id))),
    ),

    route(deleteFiscalClient, async ({ caller, params }) => {
      await removeFiscalClient(db, caller.id, params.id);
      return success(null);
    }),

    route(getFiscalRegime, async ({ params }) => {
      const regime = presentRegimeOf(params.id);
      if (regime === undefined) throw new Refusal('NOT_FOUND');
      return success(regime);
    }),
    route(listPersonRegimes, async () => success(presentRegimes('fisica'))),
    route(listCompanyRegimes, async () => success(presentRegimes('moral'))),

    route(
      addInvoicingCustomer,
      async ({ caller, body }) => {
        const request = { merchantId: body.businessId, rfc: body.customer.taxid };
        return success({ uuid: await addCustomer(deps, caller.id, request) });
      },
      { timeLimitMs: CUSTOMER_LIMIT_MS },
    ),

    route(emitInvoice, async ({ caller, body, log }) => {
      const request = { instalmentId: body.cxcId, fiscalClientId: body.clientSatId };
      const made = await requestInvoice(deps, caller.id, request, log);
      const invoice = presentInvoice(made);
      if (invoice === null) throw new Refusal('NOT_INVOICEABLE'); // its purchase was cancelled meanwhile
      return success({ cfdi: presentCfdi(made), invoice });
    }),

    route(recordInvoice, async ({ caller, body }) => {
      const invoice = await recordedInvoice(db, caller.id, body.cxcId);
      const { uuid, ...cfdi } = presentCfdi(invoice) ?? { uuid: '', folio_tax: '' };
      const ResponseFG = JSON.stringify({ response: 'success', data: { uuid, cfdi } });
      return success({ id: invoice.id, cxcId: invoice.instalmentId, ResponseFG });
    }),

    route(getInvoicePdf, async ({ caller, params }) =>
      success(presentFile(await downloadInvoice(db, { buyerId: caller.id }, params.id, 'pdf'))),
    ),

    route(getInvoiceXml, async ({ caller, params }) =>
      success(presentFile(await downloadInvoice(db, { buyerId: caller.id }, params.id, 'xml'))),
    ),
  ];
}

function formOf(body: Received<typeof insertFiscalClient, 'body'>): Receiver {
  const { regime, zip, ...same } = body;
  return { ...same, taxRegime: regime, postalCode: zip };
}

function presentFile({ fileName, bytes }: { fileName: string; bytes: Buffer }) {
  return { fileName, contentByteArray: bytes.toString('base64') };
}
