import {
  listOwedRefunds,
  listTakings,
  readShopToday,
  type OwedRefund as WireRefund,
  type ShopToday,
  type TakenOnDay as WireDay,
  type Taking as WireTaking,
} from '@aparta/contract/counter-reports';
import { pesosToCentavos, zero, type Centavos } from '@aparta/domain/money';
import type { CounterMethod } from '@aparta/domain/shop-lists';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** Where the shop stands today, in centavos. */
export type Today = ReturnType<typeof todayFrom>;

/** Days, and how the money came. */
export interface TakingsOf {
  readonly from: string;
  readonly to: string;
  readonly method?: CounterMethod | undefined;
}

const sum = (pesos: number): Centavos => pesosToCentavos(pesos) ?? zero;
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

export const owedRefundsQuery = queryOptions({
  queryKey: ['owed-refunds'],
  queryFn: async ({ signal }) => (await call(listOwedRefunds, {}, { signal })).data.map(refundFrom),
});
