import {
  dropPayment,
  dropReversal,
  findPayment,
  getCounterReceipt,
  lookUpReference,
  reversePayment,
  takePayment,
  type CounterReceipt,
  type CounterReference,
} from '@aparta/contract/counter-payments';
import { isRefused } from '@aparta/browser/api-error.ts';
import type { Centavos } from '@aparta/domain/money';
import { queryOptions } from '@tanstack/react-query';
import type { Press, ReversalPress } from '../session/press.ts';
import { call } from './call.ts';
import { sum } from './sum.ts';

export { TAKE_REFUSALS } from '@aparta/contract/counter-payments';

/** A sum, and what it fills. */
export interface Fill {
  readonly number: number;
  readonly of: number;
  readonly amount: Centavos;
}

/** What a code stands for, in centavos. */
export type Owed = ReturnType<typeof owedFrom>;
export type Receipt = ReturnType<typeof receiptFrom>;

const sumOrNull = (pesos: number | null): Centavos | undefined => (pesos === null ? undefined : sum(pesos));
const fill = ({ number, of, amount }: { number: number; of: number; amount: number }): Fill => ({
  number,
  of,
  amount: sum(amount),
});

function owedFrom({ next, all, asked: _asked, minimum, instalments, lastPaid, ...rest }: CounterReference) {
  return {
    ...rest,
    expiresAt: rest.expiresAt === null ? undefined : new Date(rest.expiresAt),
    balance: sum(rest.balance),
    fee: sum(rest.fee),
    next: sumOrNull(next?.amount ?? null),
    all: sumOrNull(all?.amount ?? null),
    minimum: sumOrNull(minimum),
    owedBack: sum(rest.owedBack),
    lastPaid: lastPaid === null ? undefined : { amount: sum(lastPaid.amount), at: new Date(lastPaid.at) },
    instalments: instalments.map(({ amount, balance, ...instalment }) => ({
      ...instalment,
      amount: sum(amount),
      balance: sum(balance),
    })),
  };
}

function receiptFrom({ parts, reversal, refund, ...receipt }: CounterReceipt) {
  return {
    ...receipt,
    takenAt: new Date(receipt.takenAt),
    reversal: reversal === null ? undefined : { ...reversal, at: new Date(reversal.at) },
    amount: sum(receipt.amount),
    fee: sum(receipt.fee),
    tendered: sumOrNull(receipt.tendered),
    change: sumOrNull(receipt.change),
    balance: sum(receipt.balance),
    parts: parts.map(fill),
    refund:
      refund === null
        ? undefined
        : {
            amount: sum(refund.amount),
            doneAt: refund.doneAt === null ? undefined : new Date(refund.doneAt),
          },
  };
}

/** What a printed number or a folio stands for. Asked anew each time: somebody else may have paid. */
export const owedQuery = (code: string) =>
  queryOptions({
    queryKey: ['owed', code],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      owedFrom((await call(lookUpReference, { params: { code }, query: {} }, { signal })).data),
  });

export const receiptQuery = (folio: string) =>
  queryOptions({
    queryKey: ['receipt', folio],
    queryFn: async ({ signal }) =>
      receiptFrom((await call(getCounterReceipt, { params: { folio } }, { signal })).data),
  });

/** The receipt of a folio; undefined where there is none for whoever asks. */
export async function receiptIfAny(folio: string): Promise<Receipt | undefined> {
  try {
    return receiptFrom((await call(getCounterReceipt, { params: { folio } })).data);
  } catch (error) {
    if (isRefused(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** Sends a press; sent again it gets the same receipt. */
export async function take({ productName: _product, buyer: _buyer, ...body }: Press): Promise<Receipt> {
  return receiptFrom((await call(takePayment, { body })).data);
}

/** The receipt of a press; undefined while nothing was booked under its id. */
export async function receiptOfPress(id: string): Promise<Receipt | undefined> {
  try {
    return receiptFrom((await call(findPayment, { params: { id } })).data);
  } catch (error) {
    if (isRefused(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** Gives a press up, so that it is not booked any more; its receipt if it was booked after all. */
export async function giveUp({ id, branchId }: Press): Promise<Receipt | undefined> {
  try {
    const { data } = await call(dropPayment, { params: { id }, body: { branchId } });
    return data === null ? undefined : receiptFrom(data);
  } catch (error) {
    // A branch that closed, or is theirs no longer: it takes nothing.
    if (isRefused(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** Gives a press up by which nothing was given back: it takes nothing back any more. */
export const giveUpReversal = ({ id, folio }: ReversalPress): Promise<unknown> =>
  call(dropReversal, { params: { folio }, body: { id } });

/** Takes a payment back, on its day; sent again it is the same reversal. Its receipt says whose press did it. */
export async function reverse({ id, folio }: ReversalPress, reason: string, by?: string): Promise<Receipt> {
  const { data } = await call(reversePayment, { params: { folio }, body: { id, reason } });
  const { reversal } = data;
  // A server of the version before says nothing of presses: then it is whose words it has.
  const isOurs = reversal?.id === undefined && reversal?.by === by && reversal?.reason === reason;
  return receiptFrom(reversal && isOurs ? { ...data, reversal: { ...reversal, id } } : data);
}
