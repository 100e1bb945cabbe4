import { listShopSettlements, type ShopSettlement as Wire } from '@aparta/contract/counter-settlements';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { sum } from './sum.ts';

/** What the operator noted of the shop's money, in centavos. */
export type ShopSettlement = ReturnType<typeof settlementFrom>;
const settlementFrom = (wire: Wire) => ({
  ...wire,
  amount: sum(wire.amount),
  commission: sum(wire.commission),
  missing: sum(wire.missing),
  over: sum(wire.over),
});

export const settlementsQuery = queryOptions({
  queryKey: ['settlements'],
  queryFn: async ({ signal }) => (await call(listShopSettlements, {}, { signal })).data.map(settlementFrom),
});
