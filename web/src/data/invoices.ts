import { invoice } from '@aparta/contract/invoice';
import { emitInvoice, getInvoicePdf, getInvoiceXml } from '@aparta/contract/invoices';
import { mutationOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { ApiError } from '@aparta/browser/api-error.ts';
import { call } from '../api/client.ts';
import { fileOf } from './file.ts';
import { readInvoice, type Invoice } from './invoice.ts';

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
  return fileOf(data, what === 'pdf' ? 'application/pdf' : 'text/xml');
}

/** The field that SAT refused, if the refusal names it. */
export function faultIn(error: unknown): Invoice['field'] {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return undefined;
  return v.parse(v.fallback(v.optional(invoice.entries.field.wrapped), undefined), error.failure.facts.field);
}
