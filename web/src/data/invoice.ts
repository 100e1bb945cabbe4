import { centavosFromPesos } from '@aparta/contract/amount';
import type { Invoice as WireInvoice } from '@aparta/contract/invoice';
import { mexicoCityDate } from '@aparta/domain/calendar';

// Apart from the calls (invoices.ts): every instalment carries its invoice.

export type { CancelledInvoice } from '@aparta/contract/invoice';
export type Invoice = ReturnType<typeof readInvoice>;

export function readInvoice(wire: WireInvoice) {
  return {
    id: wire.id,
    state: wire.state,
    amount: centavosFromPesos(wire.amount),
    requestedAt: new Date(wire.requestedAt),
    clientId: wire.fiscalClientId,
    rfc: wire.rfc,
    name: wire.name,
    folio: wire.folio,
    fiscalFolio: wire.fiscalFolio ?? undefined,
    issuedOn: wire.issuedAt === null ? undefined : mexicoCityDate(new Date(wire.issuedAt)),
    isCredited: wire.credited,
    hasPdf: wire.hasPdf,
    hasXml: wire.hasXml,
    /** The field that SAT refused, if it is one of the buyer's. */
    field: wire.field ?? undefined,
    /** SAT's code and the provider's message, for support; '' if none. */
    detail: [wire.detailCode, wire.detailMessage].filter(Boolean).join(': '),
  };
}
