import { checkShelf, type KeptUnit, readShelf as read } from '@aparta/contract/counter-shelf';
import { shortName } from '@aparta/domain/short-name';

import { presentPictures } from '../../../catalogue/present.ts';
import type { Db } from '../../../platform/db/db.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import { checkUnit, readShelf } from './check-shelf.ts';
import type { KeptRow } from './shelf.read-model.ts';

export function shelfRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    route(read, async ({ caller, query }) => {
      const { units, total } = await readShelf(db, caller, query.branchId);
      return success({ units: units.map(presentKept), total });
    }),

    route(checkShelf, async ({ caller, body }) => success(presentKept(await checkUnit(db, caller, body)))),
  ];
}

function presentKept(row: KeptRow): KeptUnit {
  return {
    reference: row.reference,
    productName: row.productName,
    pictures: presentPictures(row.productId, row.picture),
    buyer: shortName(row.buyerName),
    purchaseId: row.purchaseId,
    isPaidOff: row.isPaidOff,
    since: row.since.toISOString(),
    checkedAt: row.checkedAt?.toISOString() ?? null,
    missingSince: row.missingSince?.toISOString() ?? null,
  };
}
