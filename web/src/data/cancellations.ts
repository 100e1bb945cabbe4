import { centavosFromPesos } from '@aparta/contract/amount';
import {
  cancelPurchase,
  getCancelQuote,
  listRefunds,
  type CancelQuote,
  type Refund as WireRefund,
} from '@aparta/contract/cancellations';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { add, zero } from '@aparta/domain/money';
import { STATUS_CODES } from '@aparta/domain/purchase-status';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { refreshPurchases } from './purchases-key.ts';

export type Quote = ReturnType<typeof readQuote>;

/** The current cost and refund of cancelling, always refetched. */
export const quoteQuery = (purchaseId: number) =>
  queryOptions({
    queryKey: ['cancel quote', purchaseId],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      readQuote((await call(getCancelQuote, { params: { saleId: purchaseId } }, { signal })).data),
  });

/** Cancels for the refund that was shown, then refreshes the lists in any case. */
export const cancelling = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, reason, refundShown }: { id: number; reason: string; refundShown: number }) =>
      call(cancelPurchase, {
        params: { saleId: id },
        body: { id, saleStatusId: STATUS_CODES.cancelled, cancelNotes: reason, refundShown },
      }),
    onSettled: () => refreshPurchases(queries),
  });

export type Refund = ReturnType<typeof readRefund>;

/** What `refundsQuery` fetches. */
export async function fetchRefunds(purchaseId: number, signal: AbortSignal): Promise<Refund[]> {
  return (await call(listRefunds, { params: { saleId: purchaseId } }, { signal })).data.map(readRefund);
}

function readQuote(wire: CancelQuote) {
  const freeUntil = new Date(wire.penaltyFreeUntil);
  return {
    paid: centavosFromPesos(wire.paid),
    penalty: centavosFromPesos(wire.penalty),
    /** Until when cancelling is free. */
    freeUntil: wire.penalty === 0 && freeUntil > new Date() ? freeUntil : undefined,
    feesReturned: centavosFromPesos(wire.feesReturned),
    feesKept: centavosFromPesos(wire.feesKept),
    refund: centavosFromPesos(wire.refund),
    /** In wire form, to send back with the cancel call. */
    refundShown: wire.refund,
    returns: perDestination(wire.returns),
    invoiced: wire.invoiced,
  };
}

/** Refunds to the same card, or in cash, are summed for display. */
function perDestination(lines: CancelQuote['returns']) {
  const destinations = new Map<string, ReturnType<typeof readReturn>>();
  for (const line of lines.map(readReturn)) {
    const key = `${line.method} ${line.last4} ${line.payer}`;
    const before = destinations.get(key)?.amount ?? zero;
    destinations.set(key, { ...line, amount: add(before, line.amount) });
  }
  return [...destinations.values()];
}

function readReturn({ amount, way: method, last4, payerName }: CancelQuote['returns'][number]) {
  return {
    amount: centavosFromPesos(amount),
    method,
    last4: last4 ?? undefined,
    payer: payerName ?? undefined,
  };
}

function readRefund(wire: WireRefund) {
  return {
    id: wire.id,
    amount: centavosFromPesos(wire.amount),
    method: wire.way,
    state: wire.state,
    last4: wire.last4 ?? undefined,
    /** Whose money it is, of a helper. */
    payer: wire.payerName ?? undefined,
    folio: wire.folio,
    doneOn: wire.doneAt === null ? undefined : mexicoCityDate(new Date(wire.doneAt)),
  };
}
