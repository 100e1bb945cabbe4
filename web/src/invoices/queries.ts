import { centavosFromPesos } from '@aparta/contract/amount';
import {
  deleteFiscalClient,
  emitInvoice,
  getInvoicePdf,
  getInvoiceXml,
  insertFiscalClient,
  invoice,
  listFiscalClients,
  updateFiscalClient,
  type FiscalClient as WireFiscalClient,
  type Invoice as WireInvoice,
} from '@aparta/contract/invoices';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { usesFor } from '@aparta/domain/fiscal';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { FISCAL_FIELDS, normalised, type FiscalField, type FiscalValues } from './fiscal-check.ts';

export type FiscalClient = ReturnType<typeof readFiscalClient>;

const clientsKey = (buyerId: number) => ['fiscal clients', buyerId];

/** A buyer's tax identities, newest first. */
export const fiscalClientsQuery = (buyerId: number) =>
  queryOptions({
    queryKey: clientsKey(buyerId),
    // Another tab may have corrected one.
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(listFiscalClients, { params: { buyerId } }, { signal })).data.map(readFiscalClient),
  });

/** Registers a tax identity, or corrects the one of `id`. */
export const savingFiscalClient = (queries: QueryClient, buyerId: number, id: number | undefined) =>
  mutationOptions({
    mutationFn: async (values: FiscalValues) => {
      const body = Object.fromEntries(
        FISCAL_FIELDS.map((field) => [field, normalised(field, values)]),
      ) as Record<FiscalField, string>;
      const { data } =
        id === undefined
          ? await call(insertFiscalClient, { body })
          : await call(updateFiscalClient, { params: { id }, body });
      return readFiscalClient(data);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey(buyerId) }),
  });

export const deletingFiscalClient = (queries: QueryClient, buyerId: number) =>
  mutationOptions({
    mutationFn: (id: number) => call(deleteFiscalClient, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey(buyerId) }),
  });

export type Invoice = ReturnType<typeof readInvoice>;

/** Asks for an instalment's invoice. Asked twice, by two tabs or after a lost answer, it is one invoice. */
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

function readFiscalClient(wire: WireFiscalClient) {
  const use = usesFor(wire.regime).find(({ code }) => code === wire.cfdiUse);
  return {
    id: wire.id,
    values: {
      ...(Object.fromEntries(FISCAL_FIELDS.map((field) => [field, wire[field]])) as Record<FiscalField, string>),
      chosenType: wire.personType,
    } satisfies FiscalValues,
    regime: `${wire.regime} · ${wire.regimeDescription}`,
    use: use ? `${use.code} · ${use.name}` : wire.cfdiUse,
    providerId: wire.fGecustomeruuid,
  };
}

export function readInvoice(wire: WireInvoice) {
  return {
    id: wire.id,
    state: wire.state,
    amount: centavosFromPesos(wire.amount),
    clientId: wire.fiscalClientId,
    rfc: wire.rfc,
    name: wire.name,
    folio: wire.folio,
    fiscalFolio: wire.fiscalFolio ?? undefined,
    issuedOn: wire.issuedAt === null ? undefined : mexicoCityDate(new Date(wire.issuedAt)),
    hasPdf: wire.hasPdf,
    hasXml: wire.hasXml,
    field: wire.field ?? undefined,
    /** SAT's code and the provider's words, for who asks support; '' where there are none. */
    detail: [wire.detailCode, wire.detailMessage].filter(Boolean).join(': '),
  };
}

/** The field that SAT refused, where the call that asked for the invoice tells it. */
export function faultIn(error: unknown): Invoice['field'] {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return undefined;
  return v.parse(v.fallback(v.optional(invoice.entries.field.wrapped), undefined), error.failure.facts.field);
}

/** The fields that a call refused, by their wire names; those that the form does not have are left out. */
export function refusedFields(error: unknown): FiscalField[] {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return [];
  const { code, fields } = error.failure;
  if (code === 'FISCAL_CLIENT_EXISTS') return ['rfc'];
  return FISCAL_FIELDS.filter((field) => field in fields);
}

