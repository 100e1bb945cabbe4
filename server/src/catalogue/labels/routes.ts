import { centavosFromPesos } from '@aparta/contract/amount';
import {
  addCounterProduct,
  type CounterProductEntry,
  editCounterProduct,
  getCounterProduct,
  getPlanTerms,
  listProducts,
  setOnSale,
  setProductPicture,
  setUnits,
  stopCounting,
} from '@aparta/contract/counter-products';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import type { Staff } from '../../platform/principal.ts';
import {
  addProductByStaff,
  editProductByStaff,
  type ProductEntry,
  setOnSaleByStaff,
} from '../merchants/save-product-by-staff.ts';
import { setPicture } from '../pictures/set-picture.ts';
import { listUnits } from '../units/read-model.ts';
import { setUnitsByStaff, stopCountingByStaff } from '../units/set-units.ts';
import { offerOf, offersOf, planTermsOf } from './offers.ts';
import { presentOffer } from './present.ts';

export function productRoutes({
  db,
  publicOrigin,
}: {
  readonly db: Db;
  readonly publicOrigin: string;
}): Route[] {
  const offered = async (caller: Staff, id: number) => {
    const [offer, units] = await Promise.all([offerOf(db, caller, id), listUnits(db, [id])]);
    return success(presentOffer(offer, publicOrigin, units));
  };

  return [
    route(listProducts, async ({ caller, query }) => {
      const after = query.cursor === undefined ? undefined : Number(query.cursor);
      const { offers, next, total } = await offersOf(db, caller, {
        search: query.search,
        isWithdrawn: query.show === 'withdrawn',
        after,
      });
      const counted = offers.filter(({ countsUnits }) => countsUnits).map(({ productId }) => productId);
      const units = Map.groupBy(
        counted.length === 0 ? [] : await listUnits(db, counted),
        ({ productId }) => productId,
      );
      return {
        ...success(
          offers.map((offer) => presentOffer(offer, publicOrigin, units.get(offer.productId) ?? [])),
        ),
        next: next === undefined ? null : String(next),
        total: total ?? null,
      };
    }),

    route(getCounterProduct, async ({ caller, params }) => offered(caller, params.id)),

    route(getPlanTerms, async ({ caller }) => {
      const plan = await planTermsOf(db, caller);
      return success({
        depositPercent: plan.deposit_basis_points / 100,
        everyDays: plan.frequency_days,
        durationDays: plan.plan_duration_days,
      });
    }),

    route(addCounterProduct, async ({ caller, body: { pressId, ...entry } }) =>
      offered(caller, await addProductByStaff(db, caller, pressId, entryFrom(entry))),
    ),

    route(editCounterProduct, async ({ caller, params: { id }, body: { version, ...entry } }) => {
      await editProductByStaff(db, caller, { id, version, entry: entryFrom(entry) });
      return offered(caller, id);
    }),

    route(setOnSale, async ({ caller, params: { id }, body }) => {
      await setOnSaleByStaff(db, caller, id, body);
      return offered(caller, id);
    }),

    route(setUnits, async ({ caller, params: { id }, body }) => {
      await setUnitsByStaff(db, caller, id, body);
      return offered(caller, id);
    }),

    route(stopCounting, async ({ caller, params: { id } }) => {
      await stopCountingByStaff(db, caller, id);
      return offered(caller, id);
    }),

    route(setProductPicture, async ({ caller, params: { id }, body: { picture } }) => {
      await setPicture(db, caller, id, picture === null ? undefined : Buffer.from(picture, 'base64'));
      return offered(caller, id);
    }),
  ];
}

function entryFrom(given: CounterProductEntry): ProductEntry {
  return {
    sku: given.sku,
    name: given.name,
    description: given.description,
    priceCentavos: centavosFromPesos(given.price),
    ivaBasisPoints: given.ivaPercent * 100,
    invoicingProductUuid: given.invoicingKey,
  };
}
