import {
  findHandedOver,
  findHandOver,
  handOver,
  type HandOverOffer,
  type HandOverReceipt,
} from '@aparta/contract/counter-hand-overs';
import { isRefused } from '@aparta/browser/api-error.ts';
import { queryOptions } from '@tanstack/react-query';
import type * as v from 'valibot';
import { call } from './call.ts';
import { sum } from './sum.ts';

/** A code that was shown, and what it is of. */
export interface Shown {
  /** What the QR holds, or a printed number or folio. */
  readonly code: string;
  readonly digits: string;
}

export type HandOverPress = v.InferInput<typeof handOver.body>;

const inCentavos = <T extends { readonly paid: number }>(of: T) => ({
  ...of,
  paid: sum(of.paid),
});
const offerFrom = (wire: HandOverOffer) => inCentavos(wire);
const handedOverFrom = (wire: HandOverReceipt) => ({ ...inCentavos(wire), at: new Date(wire.at) });

/** What may be handed over, in centavos. */
export type Offer = ReturnType<typeof offerFrom>;
export type HandedOver = ReturnType<typeof handedOverFrom>;

/** What a code opens. A wrong one counts, so nothing asks twice by itself. */
export async function findOffer(shown: Shown): Promise<Offer> {
  return offerFrom((await call(findHandOver, { body: shown })).data);
}

/** Sends a press; sent again it gets the same receipt. */
export async function sendHandOver(press: HandOverPress): Promise<HandedOver> {
  return handedOverFrom((await call(handOver, { body: press })).data);
}

/** The receipt of a press. */
export const handedOverQuery = (id: string) =>
  queryOptions({
    queryKey: ['handed over', id],
    queryFn: async ({ signal }) =>
      handedOverFrom((await call(findHandedOver, { params: { id } }, { signal })).data),
  });

/** The receipt of a press whose answer was lost; null: nothing was handed over by it. */
export async function receiptOfHandOver(id: string): Promise<HandedOver | null> {
  try {
    return handedOverFrom((await call(findHandedOver, { params: { id } })).data);
  } catch (error) {
    if (isRefused(error, 'NOT_FOUND')) return null;
    throw error;
  }
}
