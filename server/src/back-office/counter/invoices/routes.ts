import { listShopInvoices, saveInvoiceFile as saveFile } from '@aparta/contract/counter-invoices';

import type { Db } from '../../../platform/db/db.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import { listPaidInstalments, sumPaidInstalments } from './invoices.read-model.ts';
import { presentInvoiceSums, presentPaidInstalment } from './present.ts';
import { saveInvoiceFile } from './save-invoice-file.ts';

const PAGE = 50;

/** What a shop's accountant reads of a month's invoices. */
export function shopInvoiceRoutes({ db }: { db: Db }): Route[] {
  return [
    route(listShopInvoices, async ({ caller, query: { month, show, cursor } }) => {
      const of = { merchantId: caller.merchantId, month: `${month}-01` };
      const [rows, sums] = await Promise.all([
        listPaidInstalments(db, { ...of, show, after: cursor, limit: PAGE + 1 }),
        cursor === undefined ? sumPaidInstalments(db, of) : null,
      ]);
      const page = rows.slice(0, PAGE);
      return success({
        instalments: page.map(presentPaidInstalment),
        next: rows.length > PAGE ? String(page.at(-1)?.allocationId) : null,
        sums: sums && presentInvoiceSums(sums),
      });
    }),

    route(saveFile, async ({ caller, params: { invoiceId }, body: { format } }) => {
      const { fileName, bytes } = await saveInvoiceFile(db, caller, invoiceId, format);
      return success({ fileName, contentByteArray: bytes.toString('base64') });
    }),
  ];
}
