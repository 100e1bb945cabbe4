import { getReceipt, getReceiptPdf } from '@aparta/contract/receipts';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { presentReceipt } from './present.ts';
import { printReceipt, readReceipt } from './read-receipt.ts';

export function receiptRoutes(deps: { db: Db; productName: string }): Route[] {
  return [
    route(getReceipt, async ({ caller, params }) =>
      success(presentReceipt(await readReceipt(deps.db, caller.id, params.folio))),
    ),

    route(getReceiptPdf, async ({ caller, params }) => {
      const { fileName, pdf } = await printReceipt(deps, caller.id, params.folio);
      return success({ fileName, contentByteArray: pdf.toString('base64') });
    }),
  ];
}
