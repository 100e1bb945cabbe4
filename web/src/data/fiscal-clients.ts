import {
  deleteFiscalClient,
  insertFiscalClient,
  listFiscalClients,
  updateFiscalClient,
  type FiscalClient as WireFiscalClient,
} from '@aparta/contract/invoices';
import type { PersonType } from '@aparta/domain/fiscal';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '@aparta/browser/api-error.ts';
import { call } from '../api/client.ts';

/** What a buyer fills in (spec §2), by wire name. */
export const FISCAL_FIELDS = [
  'rfc',
  'alias',
  'name',
  'regime',
  'cfdiUse',
  'email',
  'phone',
  'street',
  'suburb',
  'zip',
] as const;
export type FiscalField = (typeof FISCAL_FIELDS)[number];
/** `chosenType` counts only while the RFC does not decide. */
export type FiscalValues = Record<FiscalField, string> & { chosenType: PersonType | '' };

export type FiscalClient = ReturnType<typeof readFiscalClient>;

const clientsKey = (buyerId: number) => ['fiscal clients', buyerId];

/** A buyer's fiscal clients, newest first. */
export const fiscalClientsQuery = (buyerId: number) =>
  queryOptions({
    queryKey: clientsKey(buyerId),
    // Another tab may have changed one.
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(listFiscalClients, { params: { buyerId } }, { signal })).data.map(readFiscalClient),
  });

/** Creates a fiscal client, or updates the one of `id`. */
export const savingFiscalClient = (queries: QueryClient, buyerId: number, id: number | undefined) =>
  mutationOptions({
    mutationFn: async (body: Record<FiscalField, string>) => {
      const { data } =
        id === undefined
          ? await call(insertFiscalClient, { body })
          : await call(updateFiscalClient, { params: { id }, body });
      return readFiscalClient(data);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey(buyerId) }),
  });

/**
 * What a save made that got no answer: the client that the list, read since, has with just these values. It would be saved
 * once, however often it is sent.
 */
export function savedUnanswered(
  queries: QueryClient,
  buyerId: number,
  body: Record<FiscalField, string>,
  error: unknown,
): FiscalClient | undefined {
  if (error instanceof ApiError && error.failure.kind === 'refused') return undefined;
  const listed = queries.getQueryState<readonly FiscalClient[]>(clientsKey(buyerId));
  if (!listed || listed.isInvalidated) return undefined;
  return listed.data?.find(({ values }) => FISCAL_FIELDS.every((field) => values[field] === body[field]));
}

export const deletingFiscalClient = (queries: QueryClient, buyerId: number) =>
  mutationOptions({
    mutationFn: (id: number) => call(deleteFiscalClient, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey(buyerId) }),
  });

function readFiscalClient(wire: WireFiscalClient) {
  return {
    id: wire.id,
    values: {
      ...(Object.fromEntries(FISCAL_FIELDS.map((field) => [field, wire[field]])) as Record<
        FiscalField,
        string
      >),
      chosenType: wire.personType,
    } satisfies FiscalValues,
    regime: `${wire.regime} · ${wire.regimeDescription}`,
    providerId: wire.fGecustomeruuid,
  };
}

/** The refused fields, without those that the form does not have. */
export function refusedFields(error: unknown): FiscalField[] {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return [];
  const { code, fields } = error.failure;
  if (code === 'FISCAL_CLIENT_EXISTS') return ['rfc'];
  return FISCAL_FIELDS.filter((field) => field in fields);
}
