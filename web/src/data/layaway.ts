import { centavosFromPesos } from '@aparta/contract/amount';
import type { Reply } from '@aparta/contract/endpoint';
import { createLayawayReference, getLayawayReference, REFERENCE_STATUS } from '@aparta/contract/layaway';
import type { LayawayReference as ScannedReference } from '@aparta/domain/layaway-reference';
import type { Centavos } from '@aparta/domain/money';
import { mutationOptions, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { call } from '../api/client.ts';
import { madeReference } from '../session/made-reference.ts';
import { reference } from '../session/reference.ts';
import { useUser } from '../session/session.ts';
import { toPay } from '../session/to-pay.ts';
import { isAwaited } from './is-awaited.ts';
import { LAYAWAY_REFERENCE } from './purchases-key.ts';
import { readCardAttempt, type CardAttempt } from './card-attempt.ts';

const STATES = {
  [REFERENCE_STATUS.waiting]: 'waiting',
  [REFERENCE_STATUS.paid]: 'paid',
  [REFERENCE_STATUS.expired]: 'expired',
  [REFERENCE_STATUS.cancelled]: 'cancelled',
} as const;

/** A layaway's frozen terms, and where paying its deposit stands. */
export type LayawayReference = {
  id: number;
  /** As the server last reported it; the phone's clock does not count. A card attempt may be open in any of them. */
  state: (typeof STATES)[keyof typeof STATES];
  /** The QR's text. */
  qrText: string;
  paymentReference: string;
  expiresAt: Date;
  merchantId: number;
  productId: number;
  merchantName: string;
  productName: string;
  logoFile: string;
  price: Centavos;
  deposit: Centavos;
  cardFee: Centavos;
  tillFee: Centavos;
  /** The deposit with the fee. */
  cardTotal: Centavos;
  tillTotal: Centavos;
  /** At stores. */
  cashFee: Centavos;
  cashTotal: Centavos;
  /** Within how many days of its last payment the shop hands it over. */
  deliveryDays: number;
  /** How many days late it ends by itself; null: never. */
  endDaysLate: number | null;
  acceptsCards: boolean;
  /** With which the card form opens. */
  cardKey: string;
  /** The newest card attempt. */
  attempt: CardAttempt | undefined;
  /** Number of instalments after the deposit. */
  later: number;
  /** Amount of each of them; `last` takes the rounding. */
  each: Centavos;
  last: Centavos;
  /** What was paid without reserving: what the merchant gives back, and what still goes to a card. */
  owedBack: Centavos;
  owedToCard: Centavos;
  purchaseId: number | undefined;
  /** The deposit's receipt, however it was paid. */
  folio: string | undefined;
};

/** A reference, always refetched: it may be paid at a till at any time. */
export const layawayReferenceQuery = (id: number) =>
  queryOptions({
    queryKey: [...LAYAWAY_REFERENCE, id],
    staleTime: 0,
    queryFn: ({ signal }) => call(getLayawayReference, { params: { id } }, { signal }),
    select: readReference,
  });

/** The same for the card screens. Caches the model and not the reply, so that a newer attempt can be put into it. */
export const layawayToPayQuery = (id: number) =>
  queryOptions({
    queryKey: [...LAYAWAY_REFERENCE, id, 'to pay'],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      readReference(await call(getLayawayReference, { params: { id } }, { signal })),
  });

/** Who has just seen it may see it again until the server answers. */
const FRESH_MS = 10_000;
const kept = v.object({
  buyerId: v.number(),
  id: v.number(),
  at: v.number(),
  reply: getLayawayReference.reply,
});

/** Keeps what the screen shows of a reference for its card screen, which opens with it and asks again at once. */
export function keepToPay(queries: QueryClient, buyerId: number, id: number): void {
  const reply = queries.getQueryData(layawayReferenceQuery(id).queryKey);
  if (reply) toPay.keep({ buyerId, id, at: Date.now(), reply });
}

/** The other end, before the card screen's query begins. */
export function takeToPay(queries: QueryClient, buyerId: number, id: number): void {
  const { success, output: was } = v.safeParse(kept, toPay.take());
  if (!success || was.buyerId !== buyerId || was.id !== id || Date.now() - was.at > FRESH_MS) return;
  queries.setQueryData(layawayToPayQuery(id).queryKey, readReference(was.reply));
}

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

/** Remembers on this device which reference was made of what was scanned here. */
export const keepMade = (id: number): void => madeReference.save(id);

/**
 * Whether the purchase of what was scanned exists: a till or a store may have taken the deposit while no screen was open that would
 * have dropped the reference.
 */
export function useWhetherMade(scanned: ScannedReference | undefined): Made['purchase'] {
  return useMade(scanned).purchase;
}

type Made = { purchase: 'made' | 'unknown' | undefined; reference: LayawayReference | undefined };

/** The same, with the reference that was made of it here, once it is known. */
export function useMade(scanned: ScannedReference | undefined): Made {
  const buyerId = useUser()?.id ?? 0;
  const [id] = useState(madeReference.id);
  // The label bears no buyer: scanned again, it is another one to finish.
  const isAsked = id !== undefined && scanned?.buyerId === buyerId;
  const query = useQuery({ ...layawayReferenceQuery(id ?? 0), enabled: isAsked });
  const { data } = query;
  const isOfIt = isAsked && data?.merchantId === scanned.businessId && data.productId === scanned.productId;
  const isMade = isOfIt && data.state === 'paid';
  useEffect(() => {
    if (isMade) reference.clear();
  }, [isMade]);
  const purchase = isMade ? 'made' : isAsked && isAwaited(query) ? 'unknown' : undefined;
  return { purchase, reference: isOfIt ? data : undefined };
}

export function readReference({ data }: Pick<Reply<typeof getLayawayReference>, 'data'>): LayawayReference {
  const [, first, ...others] = data.instalments;
  const each = centavosFromPesos(first?.amount ?? 0);
  return {
    id: data.id,
    state: STATES[data.Estatus],
    qrText: data.Referencia,
    paymentReference: data.paymentReference,
    expiresAt: new Date(data.expiresAt),
    merchantId: data.businessId,
    productId: data.productId,
    merchantName: data.tradeName,
    productName: data.productName,
    logoFile: data.logofileName,
    price: centavosFromPesos(data.price),
    deposit: centavosFromPesos(data.deposit),
    cardFee: centavosFromPesos(data.cardFee),
    tillFee: centavosFromPesos(data.tillFee),
    cardTotal: centavosFromPesos(data.cardTotal),
    tillTotal: centavosFromPesos(data.tillTotal),
    cashFee: centavosFromPesos(data.cashFee ?? 0),
    cashTotal: centavosFromPesos(data.cashTotal ?? data.deposit),
    deliveryDays: data.deliveryDays,
    endDaysLate: data.endDaysLate,
    acceptsCards: data.acceptsCards,
    cardKey: data.cardKey,
    attempt: data.attempt ? readCardAttempt(data.attempt) : undefined,
    later: data.instalments.length - 1,
    each,
    last: centavosFromPesos(others.at(-1)?.amount ?? first?.amount ?? 0),
    owedBack: centavosFromPesos(data.owedBack),
    owedToCard: centavosFromPesos(data.owedToCard),
    purchaseId: data.ventaId ?? undefined,
    folio: data.folio ?? undefined,
  };
}
