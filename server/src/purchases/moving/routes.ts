import { centavosFromPesos } from '@aparta/contract/amount';
import { moveInstalment, splitInstalment } from '@aparta/contract/moving';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { changePlan } from './change-plan.ts';
import { presentMoving } from './present.ts';

export function movingRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    route(moveInstalment, async ({ caller, params, body }) => {
      const { changeNumber: sequence, amount, ...change } = body;
      const asked = { ...change, sequence, amountCentavos: centavosFromPesos(amount) };
      return success(presentMoving(await changePlan(db, caller.id, params.saleId, asked)));
    }),

    route(splitInstalment, async ({ caller, params, body }) => {
      const { changeNumber: sequence, amount, firstPart, ...change } = body;
      const asked = {
        ...change,
        sequence,
        amountCentavos: centavosFromPesos(amount),
        firstCentavos: centavosFromPesos(firstPart),
      };
      return success(presentMoving(await changePlan(db, caller.id, params.saleId, asked)));
    }),
  ];
}
