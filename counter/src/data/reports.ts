import {
  listOwedRefunds,
  listShopRefunds,
  listTakings,
  readShopToday,
  type OwedRefund as WireRefund,
  type RefundLine as WireGivenBack,
  type ShopToday,
  type TakenOnDay as WireDay,
  type Taking as WireTaking,
} from '@aparta/contract/counter-reports';
import type { CounterMethod } from '@aparta/domain/shop-lists';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { sum } from './sum.ts';

/** Where the shop stands today, in centavos. */
export type Today = ReturnType<typeof todayFrom>;

/** From one day to another. */
export interface DaysOf {
  readonly from: string;
  readonly to: string;
}

/** Days, and how the money came. */
export interface TakingsOf extends DaysOf {
  readonly method?: CounterMethod | undefined;
}

/** `amount` is less what was taken back, and so may be below zero. */
const netOf = <T extends { readonly amount: number; readonly withdrawn: number }>(of: T) => ({
  ...of,
  amount: sum(of.amount) - sum(of.withdrawn),
  withdrawn: sum(of.withdrawn),
});
const inCentavos = <T extends { readonly amount: number }>(of: T) => ({ ...of, amount: sum(of.amount) });

function todayFrom(wire: ShopToday) {
  return {
    day: wire.day,
    today: wire.today.map(netOf),
    week: wire.week.map(netOf),
    weeks: wire.weeks.map(netOf),
    due: wire.due.map(inCentavos),
    overdue: inCentavos(wire.overdue),
    balances: wire.balances.map(inCentavos),
    expiring: inCentavos(wire.expiring),
    refunds: inCentavos(wire.refunds),
    toHandOver: inCentavos(wire.toHandOver),
    claims: inCentavos(wire.claims),
    uncut: inCentavos(wire.uncut),
  };
}

/** What was collected on a day, less what of earlier days was taken back on it, in centavos. */
export type TakenOnDay = ReturnType<typeof netOf<WireDay>>;

const takingFrom = (wire: WireTaking) => ({ ...netOf(wire), fee: sum(wire.fee), at: new Date(wire.at) });
const refundFrom = (wire: WireRefund) => ({ ...inCentavos(wire), since: new Date(wire.since) });

export const todayQuery = queryOptions({
  queryKey: ['today'],
  queryFn: async ({ signal }) => todayFrom((await call(readShopToday, {}, { signal })).data),
});

/** What the shop collected in some days, page by page. */
export const takingsQuery = ({ from, to, method }: TakingsOf) =>
  infiniteQueryOptions({
    queryKey: ['takings', from, to, method ?? ''],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        from,
        to,
        ...(method !== undefined && { method }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      const { data } = await call(listTakings, { query }, { signal });
      return {
        takings: data.takings.map(takingFrom),
        next: data.next ?? undefined,
        days: data.days?.map(netOf) ?? [],
      };
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({
      takings: pages.flatMap(({ takings }) => takings),
      days: pages.flatMap(({ days }) => days),
    }),
  });

/** Money that the shop gave back, or owes. */
export type GivenBack = ReturnType<typeof givenBackFrom>;
const givenBackFrom = (wire: WireGivenBack) => ({ ...inCentavos(wire), at: new Date(wire.at) });

/** What the shop gave back in some days, and what it owes since one of them, page by page. */
export const refundsQuery = ({ from, to }: DaysOf) =>
  infiniteQueryOptions({
    queryKey: ['refunds', from, to],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { from, to, ...(pageParam !== undefined && { cursor: pageParam }) };
      const { data } = await call(listShopRefunds, { query }, { signal });
      return {
        refunds: data.refunds.map(givenBackFrom),
        next: data.next ?? undefined,
        sums: data.sums && { done: inCentavos(data.sums.done), open: inCentavos(data.sums.open) },
      };
    },
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({
      refunds: pages.flatMap(({ refunds }) => refunds),
      sums: pages[0]?.sums ?? null,
    }),
  });

export const owedRefundsQuery = queryOptions({
  queryKey: ['owed-refunds'],
  queryFn: async ({ signal }) => (await call(listOwedRefunds, {}, { signal })).data.map(refundFrom),
});
