import { centavosFromPesos } from '@aparta/contract/amount';
import {
  closeCut,
  getCut,
  getCutPdf,
  listClosedBranches,
  listCuts,
  listShifts,
} from '@aparta/contract/counter-cuts';

import type { Db } from '../../../platform/db/db.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import { closeDrawer } from './close-cut.ts';
import { presentCut, presentCutSummary, presentShift } from './present.ts';
import { printCut, readClosedBranches, readCut, readCuts, readShifts } from './read-cuts.ts';

export function cutRoutes(deps: { readonly db: Db; readonly productName: string }): Route[] {
  const { db } = deps;
  return [
    route(listShifts, async ({ caller, query }) =>
      success((await readShifts(db, caller, query.branchId)).map(presentShift)),
    ),

    route(listClosedBranches, async ({ caller }) => success(await readClosedBranches(db, caller))),

    route(closeCut, async ({ caller, body }) => {
      const { id, branchId, positionId, movements, reason, floatBefore } = body;
      const cut = await closeDrawer(deps, caller, {
        id,
        branchId,
        positionId,
        reason,
        seen: {
          movements,
          cashTakenCentavos: centavosFromPesos(body.cashTaken),
          cashReturnedCentavos: centavosFromPesos(body.cashReturned),
          floatBeforeCentavos: typeof floatBefore === 'number' ? centavosFromPesos(floatBefore) : floatBefore,
        },
        floatCentavos: centavosFromPesos(body.float),
        countedCentavos: centavosFromPesos(body.counted),
      });
      return success(presentCut(await readCut(db, caller, cut.id)));
    }),

    route(listCuts, async ({ caller, query }) => {
      const { cuts, next, total } = await readCuts(db, caller, query);
      return { ...success(cuts.map(presentCutSummary)), next: next === null ? null : String(next), total };
    }),

    route(getCut, async ({ caller, params }) => success(presentCut(await readCut(db, caller, params.id)))),

    route(getCutPdf, async ({ caller, params }) => {
      const { fileName, pdf } = await printCut(deps, caller, params.id);
      return success({ fileName, contentByteArray: pdf.toString('base64') });
    }),
  ];
}
