import { pesosFromCentavos } from '@aparta/contract/amount';
import type * as contract from '@aparta/contract/invoices';
import {
  defaultUse,
  parseRfc,
  regimesFor,
  type PersonType,
  type TaxRegime,
  usesFor,
} from '@aparta/domain/fiscal';

import type { InvoiceState } from '../platform/db/tables.ts';
import { WIRE_FIELD } from './fiscal-clients/fiscal-data.ts';
import type { FiscalClientRow } from './fiscal-clients/store.ts';
import type { InvoiceView } from './invoices/read-model.ts';

const REGIMES: ReadonlyMap<string, TaxRegime> = new Map(
  (['fisica', 'moral'] as const).flatMap(regimesFor).map((regime) => [regime.code, regime]),
);

export function presentFiscalClient(client: FiscalClientRow): contract.FiscalClient {
  const rfc = parseRfc(client.rfc);
  return {
    id: client.id,
    name: client.name,
    rfc: client.rfc,
    alias: client.alias,
    email: client.email,
    phone: client.phone,
    regime: client.taxRegime,
    cfdiUse: client.cfdiUse,
    street: client.street,
    suburb: client.suburb,
    zip: client.postalCode,
    fGecustomeruuid: client.customerUuid,
    regimeDescription: REGIMES.get(client.taxRegime)?.name ?? '',
    personType: rfc.ok ? rfc.personType : 'fisica',
  };
}

function presentRegime({ code, name }: TaxRegime): contract.FiscalRegime {
  return {
    regimeFiscal: code,
    description: name,
    cfdiUses: usesFor(code).map((use) => ({ cfdiUse: use.code, description: use.name })),
    defaultUse: defaultUse(code),
  };
}

/** The regimes of one type of person, each with the uses that SAT permits. */
export function presentRegimes(personType: PersonType): contract.FiscalRegime[] {
  return regimesFor(personType).map(presentRegime);
}

/** A regime by SAT's code; undefined for an unknown one. */
export function presentRegimeOf(code: string): contract.FiscalRegime | undefined {
  const regime = REGIMES.get(code);
  return regime && presentRegime(regime);
}

/** Our states in the buyer's terms. They are not shown a cancelled one. */
const STATES = {
  requested: 'inProcess',
  sending: 'inProcess',
  stamped: 'inProcess',
  issued: 'issued',
  review: 'review',
  refused: 'refused',
  cancelled: undefined,
} as const satisfies Record<InvoiceState, contract.Invoice['state'] | undefined>;

/** An invoice as its buyer sees it; null without one, and for a cancelled one. */
export function presentInvoice(invoice: InvoiceView | undefined): contract.Invoice | null {
  const state = invoice && STATES[invoice.state];
  if (invoice === undefined || state === undefined) return null;
  const isIssued = state === 'issued';
  const isRefused = state === 'refused';
  return {
    id: invoice.id,
    cxcId: invoice.instalmentId,
    state,
    amount: pesosFromCentavos(invoice.amountCentavos),
    requestedAt: new Date(invoice.createdAt).toISOString(),
    fiscalClientId: invoice.fiscalClientId,
    rfc: invoice.rfc,
    name: invoice.name,
    // One in review may have to be cancelled at SAT.
    fiscalFolio: isIssued ? invoice.fiscalFolio : null,
    folio: isIssued ? invoice.folio : '',
    credited: isIssued && invoice.isCredited,
    issuedAt: isIssued && invoice.issuedAt !== null ? new Date(invoice.issuedAt).toISOString() : null,
    hasPdf: isIssued && invoice.hasPdf,
    hasXml: isIssued && invoice.hasXml,
    field: isRefused && invoice.detailField !== null ? WIRE_FIELD[invoice.detailField] : null,
    detailCode: isRefused ? invoice.detailCode : '',
    detailMessage: isRefused ? invoice.detailMessage : '',
  };
}

/** The newest invoice where SAT cancelled it after it was issued: its buyer has the files. Null for one that never was. */
export function presentCancelledInvoice(invoice: InvoiceView | undefined): contract.CancelledInvoice | null {
  if (invoice?.state !== 'cancelled' || invoice.issuedAt === null) return null;
  const { rfc, name, folio } = invoice;
  const fiscalFolio = invoice.fiscalFolio ?? '';
  return { rfc, name, fiscalFolio, folio };
}

/** `numfactura`: the merchant's folio of an issued invoice, or SAT's where it has none; null without an issued one. */
export function folioOf(invoice: InvoiceView | undefined): string | null {
  if (invoice?.state !== 'issued') return null;
  return invoice.folio === '' ? invoice.fiscalFolio : invoice.folio;
}

/** `data.cfdi` of an issued invoice (spec §7); null before that. */
export function presentCfdi({ state, providerUuid, fiscalFolio }: InvoiceView) {
  if (state !== 'issued' || providerUuid === null || fiscalFolio === null) return null;
  return { uuid: providerUuid, folio_tax: fiscalFolio };
}
