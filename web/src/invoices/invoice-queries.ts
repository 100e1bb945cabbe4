import { centavosFromPesos } from '@aparta/contract/amount';
import { invoice, type Invoice as WireInvoice } from '@aparta/contract/invoice';
import { emitInvoice, getInvoicePdf, getInvoiceXml } from '@aparta/contract/invoices';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { mutationOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';

export type Invoice = ReturnType<typeof readInvoice>;

/** Requests an instalment's invoice. Idempotent: two tabs or a lost reply lead to one invoice. */
export const emitting = mutationOptions({
  mutationFn: async ({ instalmentId, clientId }: { instalmentId: number; clientId: number }) => {
    const body = { cxcId: instalmentId, clientSatId: clientId };
    const { data } = await call(emitInvoice, { body });
    return readInvoice(data.invoice);
  },
});

/** An invoice's PDF or XML as a file. */
export async function invoiceFile(id: number, what: 'pdf' | 'xml'): Promise<File> {
  const { data } = await call(what === 'pdf' ? getInvoicePdf : getInvoiceXml, { params: { id } });
  const bytes = Uint8Array.from(atob(data.contentByteArray), (character) => character.charCodeAt(0));
  return new File([bytes], data.fileName, { type: what === 'pdf' ? 'application/pdf' : 'text/xml' });
}

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
    hasPdf: wire.hasPdf,
    hasXml: wire.hasXml,
    field: wire.field ?? undefined,
    /** SAT's code and the provider's message, for support; '' if none. */
    detail: [wire.detailCode, wire.detailMessage].filter(Boolean).join(': '),
  };
}

/** The field that SAT refused, if the refusal names it. */
export function faultIn(error: unknown): Invoice['field'] {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return undefined;
  return v.parse(v.fallback(v.optional(invoice.entries.field.wrapped), undefined), error.failure.facts.field);
}
