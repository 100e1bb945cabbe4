import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply } from '@aparta/contract/endpoint';
import {
  createLayawayReference,
  getLayawayReference,
  REFERENCE_STATUS,
  type LayawayReference as WireReference,
} from '@aparta/contract/layaway';
import { OPEN_ATTEMPT_STATES, type AttemptState } from '@aparta/contract/payments';
import type { Centavos } from '@aparta/domain/money';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** State of a reference, as the server last reported it. `confirming`: a card payment is open. */
export type ReferenceState = 'waiting' | 'confirming' | 'paid' | 'expired' | 'cancelled';

/** A layaway's frozen terms, and where paying its deposit stands. */
export type LayawayReference = {
  id: number;
  state: ReferenceState;
  /** The QR's text. */
  qrText: string;
  paymentReference: string;
  expiresAt: Date;
  merchantId: number;
  productId: number;
  merchantName: string;
  productName: string;
  price: Centavos;
  deposit: Centavos;
  cardFee: Centavos;
  tillFee: Centavos;
  /** The deposit with the fee. */
  cardTotal: Centavos;
  tillTotal: Centavos;
  acceptsCards: boolean;
  /** The newest card attempt. */
  attempt: { state: AttemptState; refund: Centavos | undefined; paidAt: Date | undefined } | undefined;
  /** Number of instalments after the deposit. */
  later: number;
  /** Amount of each of them; `last` takes the rounding. */
  each: Centavos;
  last: Centavos;
  purchaseId: number | undefined;
};

/** A reference, always refetched: it may be paid at a till at any time. */
export const layawayReferenceQuery = (id: number) =>
  queryOptions({
    queryKey: ['layaway-reference', id],
    staleTime: 0,
    queryFn: ({ signal }) => call(getLayawayReference, { params: { id } }, { signal }),
    select: readReference,
  });

/** Whether what `layawayReferenceQuery` has fetched is still to be paid. */
export function isUnpaid({ data }: Reply<typeof getLayawayReference>): boolean {
  return data.Estatus === REFERENCE_STATUS.waiting;
}

/** Freezes the terms of a QR's text (`POST /v1/PullApartReference`). Idempotent. */
export const makeReference = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: async ({ qrText, repeat }: { qrText: string; repeat: boolean }): Promise<number> => {
      const reply = await call(createLayawayReference, { body: { Referencia: qrText, repeat } });
      queries.setQueryData(layawayReferenceQuery(reply.data.id).queryKey, reply);
      return reply.data.id;
    },
  });

function readReference({ data }: Reply<typeof getLayawayReference>): LayawayReference {
  const [, first, ...others] = data.instalments;
  const each = centavosFromPesos(first?.amount ?? 0);
  return {
    id: data.id,
    state: stateOf(data),
    qrText: data.Referencia,
    paymentReference: data.paymentReference,
    expiresAt: new Date(data.expiresAt),
    merchantId: data.businessId,
    productId: data.productId,
    merchantName: data.tradeName,
    productName: data.productName,
    price: centavosFromPesos(data.price),
    deposit: centavosFromPesos(data.deposit),
    cardFee: centavosFromPesos(data.cardFee),
    tillFee: centavosFromPesos(data.tillFee),
    cardTotal: centavosFromPesos(data.cardTotal),
    tillTotal: centavosFromPesos(data.tillTotal),
    acceptsCards: data.acceptsCards,
    attempt: data.attempt
      ? {
          state: data.attempt.state,
          refund: data.attempt.refund ? centavosFromPesos(data.attempt.refund.amount) : undefined,
          paidAt: data.attempt.paidAt === null ? undefined : new Date(data.attempt.paidAt),
        }
      : undefined,
    later: data.instalments.length - 1,
    each,
    last: centavosFromPesos(others.at(-1)?.amount ?? first?.amount ?? 0),
    purchaseId: data.ventaId ?? undefined,
  };
}

/**
 * Only the server's state counts, never the phone's clock. An open attempt comes first, since it may have
 * begun in time.
 */
function stateOf({ Estatus, attempt }: WireReference): ReferenceState {
  if (Estatus === REFERENCE_STATUS.paid) return 'paid';
  if (attempt && OPEN_ATTEMPT_STATES.includes(attempt.state)) return 'confirming';
  if (Estatus === REFERENCE_STATUS.expired) return 'expired';
  return Estatus === REFERENCE_STATUS.cancelled ? 'cancelled' : 'waiting';
}
