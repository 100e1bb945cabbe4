import {
  listOwedRefunds,
  listTakings,
  readShopToday,
  type OwedRefund as WireRefund,
  type ShopToday,
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
const inCentavos = <T extends { readonly amount: number }>(of: T) => ({ ...of, amount: sum(of.amount) });

function todayFrom(wire: ShopToday) {
  return {
    day: wire.day,
    today: wire.today.map(inCentavos),
    week: wire.week.map(inCentavos),
    weeks: wire.weeks.map(inCentavos),
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

/** What was collected on a day, in centavos. */
export interface TakenOnDay {
  readonly day: string;
  readonly amount: Centavos;
  readonly count: number;
}

const takingFrom = (wire: WireTaking) => ({ ...inCentavos(wire), fee: sum(wire.fee), at: new Date(wire.at) });
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
        days: data.days?.map(inCentavos) ?? [],
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
