import { getShopPurchase, listShopPurchases as listPurchases } from '@aparta/contract/counter-purchases';
import { may } from '@aparta/domain/staff-rights';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { Refusal } from '../../platform/refusal.ts';
import { demandSearch } from './demand-search.ts';
import { presentShopPurchase, presentStory } from './present.ts';
import { findPurchaseStory } from './purchase.read-model.ts';
import { listShopPurchases } from './purchases.read-model.ts';

const PAGE = 50;

export function shopRoutes({ db }: { db: Db }): Route[] {
  return [
    route(listPurchases, async ({ caller, query }) => {
      const rows = await listShopPurchases(db, {
        merchantId: caller.merchantId,
        show: query.show,
        search: demandSearch(caller, query.search),
        before: query.cursor,
        limit: PAGE + 1,
      });
      const purchases = rows.slice(0, PAGE);
      const next = rows.length > PAGE ? String(purchases.at(-1)?.id) : null;
      return success({ purchases: purchases.map(presentShopPurchase), next });
    }),

    route(getShopPurchase, async ({ caller: { merchantId, role }, params: { purchaseId: id } }) => {
      const [[line], story] = await Promise.all([
        listShopPurchases(db, { merchantId, show: 'all', search: { by: 'id', id }, limit: 1 }),
        findPurchaseStory(db, merchantId, id),
      ]);
      if (line === undefined || story === undefined) throw new Refusal('NOT_FOUND');
      return success(presentStory(line, story, may(role, 'find_buyers')));
    }),
  ];
}
