import {
  endPlan,
  getEndQuote,
  getShopPurchase,
  giveTime,
  listShopPurchases,
  saveEvidence,
  type ShopPurchase as WirePurchase,
  type ShopPurchaseStory as WireStory,
} from '@aparta/contract/counter-purchases';
import { answerClaim, refundClaim } from '@aparta/contract/counter-claims';
import { dropRefund, findPaidRefund, payRefund } from '@aparta/contract/counter-payments';
import type { DateOnly } from '@aparta/domain/calendar';
import { sum as sumOf, subtract } from '@aparta/domain/money';
import type { PurchaseShow } from '@aparta/domain/shop-lists';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { fileFrom } from './file.ts';
import type { RefundPress } from '../session/press.ts';
import { sum } from './sum.ts';

/** A purchase or reservation of the shop, in centavos. */
export type ShopPurchase = ReturnType<typeof purchaseFrom>;
/** One purchase with all that happened to it. */
export type PurchaseStory = ReturnType<typeof storyFrom>;
/** Money of a purchase that goes back. */
export type StoryRefund = PurchaseStory['refunds'][number];
/** The newest claim of a purchase. */
export type StoryClaim = NonNullable<PurchaseStory['claim']>;

const momentOf = (at: string | null): Date | undefined => (at === null ? undefined : new Date(at));

function purchaseFrom({ price, paid, balance, listed, ...rest }: WirePurchase) {
  return {
    ...rest,
    madeAt: new Date(rest.madeAt),
    expiresAt: momentOf(rest.expiresAt),
    settledAt: momentOf(rest.settledAt),
    handedOverAt: momentOf(rest.handedOverAt),
    price: sum(price),
    paid: sum(paid),
    balance: sum(balance),
    listed: sum(listed),
  };
}

function storyFrom({
  schedule,
  planChanges,
  frozen,
  payments,
  refunds,
  emails,
  cancelledAt,
  endedBy,
  cancelNotes,
  mayEnd,
  ending,
  handedOver,
  claim,
  contact,
  ...line
}: WireStory) {
  return {
    ...purchaseFrom(line),
    contact,
    cancelledAt: momentOf(cancelledAt),
    frozen: frozen && {
      ...frozen,
      penalty: sum(frozen.penalty),
      penaltyFreeUntil: new Date(frozen.penaltyFreeUntil),
    },
    handedOver: handedOver === null ? undefined : { ...handedOver, at: new Date(handedOver.at) },
    claim:
      claim === null
        ? undefined
        : {
            ...claim,
            openedAt: new Date(claim.openedAt),
            dueAt: new Date(claim.dueAt),
            answer: claim.answer === null ? undefined : { ...claim.answer, at: new Date(claim.answer.at) },
            isOpen: claim.endedAt === null,
          },
    endedBy,
    cancelNotes,
    mayEnd,
    ending:
      ending === null
        ? undefined
        : { on: ending.endsOn, toPay: sum(ending.toPay), isMoreTime: ending.moreTime },
    schedule: schedule.map((each) => ({ ...each, amount: sum(each.amount), balance: sum(each.balance) })),
    planChanges: planChanges.map(({ amount, firstPart, at, ...change }) => ({
      ...change,
      at: new Date(at),
      parts:
        firstPart === null
          ? undefined
          : { first: sum(firstPart), rest: subtract(sum(amount), sum(firstPart)) },
    })),
    payments: payments.map((each) => ({
      ...each,
      at: new Date(each.at),
      amount: sum(each.amount),
      fee: sum(each.fee),
      withdrawn: sum(each.withdrawn),
    })),
    refunds: refunds.map((each) => ({
      ...each,
      at: new Date(each.at),
      doneAt: momentOf(each.doneAt),
      amount: sum(each.amount),
    })),
    emails: emails.map((each) => ({ ...each, at: new Date(each.at) })),
  };
}

/** A list of the shop's purchases, page by page. */
export const purchasesQuery = (show: PurchaseShow, search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['purchases', show, search ?? ''],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        show,
        ...(search !== undefined && { search }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      const { data } = await call(listShopPurchases, { query }, { signal });
      return { purchases: data.purchases.map(purchaseFrom), next: data.next ?? undefined };
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ purchases }) => purchases),
  });

export const purchaseQuery = (id: number) =>
  queryOptions({
    queryKey: ['purchase', id],
    queryFn: async ({ signal }) =>
      storyFrom((await call(getShopPurchase, { params: { purchaseId: id } }, { signal })).data),
  });

/** The paper that proves what was agreed, paid and handed over of a purchase. */
export async function evidenceOf(purchaseId: number): Promise<File> {
  return fileFrom((await call(saveEvidence, { params: { purchaseId } })).data, 'application/pdf');
}

export type EndQuote = Awaited<ReturnType<typeof readEndQuote>>;

async function readEndQuote(id: number, signal: AbortSignal) {
  const { data } = await call(getEndQuote, { params: { purchaseId: id } }, { signal });
  const returns = data.returns.map((each) => ({
    folio: each.folio,
    method: each.way,
    last4: each.last4,
    amount: sum(each.amount),
  }));
  return {
    returns,
    refund: sum(data.refund),
    /** As it came, to send back. */
    refundShown: data.refund,
    inCash: sumOf(
      returns.filter(({ method, last4 }) => method === 'cash' && last4 === null).map(({ amount }) => amount),
    ),
    onTerminal: sumOf(
      returns.filter(({ method, last4 }) => method === 'cash' && last4 !== null).map(({ amount }) => amount),
    ),
    invoiced: data.invoiced,
  };
}

/** What goes back if the shop ends a purchase now, always asked for anew. */
export const endQuoteQuery = (id: number) =>
  queryOptions({
    queryKey: ['end quote', id],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => readEndQuote(id, signal),
  });

export const endPurchase = (id: number, body: { reason: string; refundShown: number }) =>
  call(endPlan, { params: { purchaseId: id }, body });

export const giveMoreTime = (id: number, body: { endsOn: DateOnly; reason: string }) =>
  call(giveTime, { params: { purchaseId: id }, body });

/** Ends a claimed purchase: everything goes back. */
export const refundClaimed = (
  id: number,
  body: { claimFolio: string; reason: string; refundShown: number },
) => call(refundClaim, { params: { purchaseId: id }, body });

export const answerTo = (
  id: number,
  body: { claimFolio: string; answer: string; promisedOn: string | null },
) => call(answerClaim, { params: { purchaseId: id }, body });

/** Says that a refund was handed over. The same press again pays once, and resolves with how it stands. */
export async function payOwed({ refundId, ...body }: RefundPress): Promise<'paid' | 'still owed'> {
  const { data } = await call(payRefund, { params: { refundId }, body });
  return data.state === 'done' ? 'paid' : 'still owed';
}

/** Gives a press up by which nothing was handed over: nothing is written by it any more. */
export const giveUpRefund = ({ id, refundId }: RefundPress): Promise<unknown> =>
  call(dropRefund, { params: { refundId }, body: { id } });

/** The refund that a press handed over; null while nothing is written of it. */
export const refundOfPress = async (id: string) => (await call(findPaidRefund, { params: { id } })).data;
