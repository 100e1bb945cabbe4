import { saveEvidence } from '@aparta/contract/counter-purchases';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { printEvidenceForStaff } from './print-evidence.ts';

export function evidenceRoutes(deps: { readonly db: Db; readonly productName: string }): Route[] {
  return [
    route(saveEvidence, async ({ caller, params }) => {
      const { fileName, pdf } = await printEvidenceForStaff(deps, caller, params.purchaseId);
      return success({ fileName, contentByteArray: pdf.toString('base64') });
    }),
  ];
}
