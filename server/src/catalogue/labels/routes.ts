import { getCounterProduct, listProducts } from '@aparta/contract/counter-products';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { offerOf, offersOf } from './offers.ts';
import { presentOffer } from './present.ts';

export function productRoutes({
  db,
  publicOrigin,
}: {
  readonly db: Db;
  readonly publicOrigin: string;
}): Route[] {
  return [
    route(listProducts, async ({ caller, query }) => {
      const after = query.cursor === undefined ? undefined : Number(query.cursor);
      const { offers, next, total } = await offersOf(db, caller, { search: query.search, after });
      return {
        ...success(offers.map((offer) => presentOffer(offer, publicOrigin))),
        next: next === undefined ? null : String(next),
        total: total ?? null,
      };
    }),

    route(getCounterProduct, async ({ caller, params }) =>
      success(presentOffer(await offerOf(db, caller, params.id), publicOrigin)),
    ),
  ];
}
