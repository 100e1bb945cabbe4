import { getShopRules } from '@aparta/contract/counter-rules';
import * as contract from '@aparta/contract/merchants';

import type { Db } from '../../platform/db/db.ts';
import { route, success, type Route } from '../../platform/http/route.ts';
import { company, logoNamed, merchantFor, merchantOf, productOnSale } from './catalogue.ts';
import { presentCompany, presentMerchant, presentProduct, presentRules } from './present.ts';

export function merchantRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    route(contract.getMerchant, async ({ params, caller }) =>
      success(presentMerchant(await merchantFor(db, params.id, caller.id))),
    ),

    route(contract.getProduct, async ({ params, caller }) =>
      success(presentProduct(await productOnSale(db, params.id, caller.id))),
    ),

    route(getShopRules, async ({ caller }) => success(presentRules(await merchantOf(db, caller)))),

    route(contract.getCompany, async ({ params }) => success(presentCompany(await company(db, params.id)))),

    route(contract.downloadLogo, async ({ params }) => {
      const { bytes, type } = await logoNamed(db, params.fileName);
      return success({ contentByteArray: bytes.toString('base64'), contentType: type });
    }),
  ];
}
