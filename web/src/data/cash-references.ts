import { centavosFromPesos, pesosFromCentavos } from '@aparta/contract/amount';
import { cashReference, generateReference, type CashReference } from '@aparta/contract/cash';
import type { DateOnly } from '@aparta/domain/calendar';
import { subtract, type Centavos } from '@aparta/domain/money';
import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import { call } from '../api/client.ts';
import { shownCashReference } from '../session/cash-reference.ts';
import type { Instalment } from './instalments.ts';

/** What a store needs to take an instalment's balance, or a layaway's deposit, in cash. */
export type StoreReference = {
  /** What it pays: an instalment of a purchase, or a deposit. */
  of: { purchaseId: number } | { layawayId: number };
  number: number;
  count: number;
  product: string;
  merchant: string;
  dueOn: DateOnly;
  /** For people; `bars` is for the scanner. */
  value: string;
  bars: string;
  /** What it pays, without fee. */
  balance: Centavos;
  /** Whether the buyer chose that; else it is what is left of the instalment. */
  isChosen: boolean;
  fee: Centavos;
  total: Centavos;
  expiresAt: Date;
  /** `takesIt`: this amount is within the chain's limit. */
  stores: readonly { name: string; limit: Centavos; takesIt: boolean }[];
  /** In wire form, as the device keeps it. */
  answer: CashReference;
};

/** The server may have to ask the store network twice. */
const ISSUE_TIMEOUT_MS = 35_000;

/**
 * The store reference for a balance, or for a sum that the buyer chose. Asking again returns the live one; a different sum gets a
 * new one.
 */
export const cashReferenceQuery = (
  { paymentReference, balance }: Pick<Instalment, 'paymentReference' | 'balance'>,
  chosen?: Centavos,
) =>
  queryOptions({
    queryKey: ['cash reference', paymentReference, balance, chosen],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const sum = chosen !== undefined && { monto: pesosFromCentavos(chosen) };
      const body = { generationData: [{ identifierValue: paymentReference, ...sum }] };
      return (await call(generateReference, { body }, { signal, timeoutMs: ISSUE_TIMEOUT_MS })).data;
    },
    select: readReference,
  });

/** The reference last shown on this device for an instalment, and when, if it can still be paid. */
export function savedReference(
  buyerId: number,
  instalmentId: number,
  now: Date,
): (StoreReference & { seenAt: Date }) | undefined {
  const saved = shownCashReference.of(buyerId, instalmentId);
  const { success, output } = v.safeParse(cashReference, saved?.reference);
  if (!saved || !success || new Date(output.expiresAt) <= now) return undefined;
  return { ...readReference(output), seenAt: new Date(saved.seenAt) };
}

function readReference(wire: CashReference): StoreReference {
  const total = centavosFromPesos(wire.amount);
  const fee = centavosFromPesos(wire.fee);
  return {
    of: wire.ventaId === null ? { layawayId: wire.layawayId ?? 0 } : { purchaseId: wire.ventaId },
    number: wire.identificador,
    count: wire.numCxc,
    product: wire.productName,
    merchant: wire.tradeName,
    dueOn: wire.fechaVencimiento,
    value: wire.references[0]?.value ?? wire.barcode,
    bars: wire.barcode,
    balance: subtract(total, fee),
    isChosen: wire.chosen,
    fee,
    total,
    expiresAt: new Date(wire.expiresAt),
    stores: wire.stores.map(({ name, limit }) => {
      const most = centavosFromPesos(limit);
      return { name, limit: most, takesIt: most >= total };
    }),
    answer: wire,
  };
}
