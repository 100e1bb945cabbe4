import { getShopRules } from '@aparta/contract/counter-rules';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { sum } from './sum.ts';

/** What the shop asks and promises today. The operator changes it: asked anew each time. */
export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const { penalty, cardFee, tillFee, cashFee, ...rules } = (await call(getShopRules, {}, { signal })).data;
    return {
      ...rules,
      penalty: sum(penalty),
      cardFee: sum(cardFee),
      tillFee: sum(tillFee),
      cashFee: sum(cashFee),
    };
  },
});

export type ShopRules = Awaited<ReturnType<NonNullable<typeof rulesQuery.queryFn>>>;
