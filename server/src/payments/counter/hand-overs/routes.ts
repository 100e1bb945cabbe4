import { pesosFromCentavos } from '@aparta/contract/amount';
import {
  findHandedOver,
  findHandOver,
  handOver,
  type HandOverReceipt,
} from '@aparta/contract/counter-hand-overs';
import { shortName, wholeName } from '@aparta/domain/short-name';

import { presentPictures } from '../../../catalogue/present.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import type { HandOverRow } from '../../../purchases/hand-over/read-model.ts';
import { demandHandedOver, type HandOverDeps, handOverAtCounter, offerHandOver } from './hand-over.ts';

export function handOverRoutes(deps: HandOverDeps): Route[] {
  return [
    route(findHandOver, async ({ caller, body }) => {
      const { subject, code } = await offerHandOver(deps, caller, body);
      return success({
        purchaseId: subject.id,
        productId: subject.productId,
        productName: subject.productName,
        pictures: presentPictures(subject.productId, subject.picture),
        // The code was right: its name is compared with an identification.
        buyer: wholeName(subject.buyerName),
        collector: code.collectorName,
        paid: pesosFromCentavos(subject.paidCentavos),
        wantsSignature: subject.wantsSignature,
      });
    }),

    route(handOver, async ({ caller, body }) => {
      const { id, branchId, purchaseId, digits, signature } = body;
      const press = { id, branchId, purchaseId, digits, signature };
      return success(presentHandOver(await handOverAtCounter(deps, caller, press)));
    }),

    route(findHandedOver, async ({ caller, params }) =>
      success(presentHandOver(await demandHandedOver(deps.db, caller, params.id))),
    ),
  ];
}

function presentHandOver(row: HandOverRow): HandOverReceipt {
  return {
    id: row.requestId,
    purchaseId: row.purchaseId,
    at: row.at.toISOString(),
    branchId: row.branchId,
    branch: row.branchName,
    handedBy: row.handedBy,
    device: row.deviceName,
    productName: row.productName,
    buyer: shortName(row.buyerName),
    collector: row.collectorName,
    signed: row.isSigned,
    paid: pesosFromCentavos(row.paidCentavos),
  };
}
