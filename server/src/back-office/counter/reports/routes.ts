import {
  listOwedRefunds as listOwed,
  listShopRefunds as listGivenBack,
  listTakings as listMoney,
  readShopToday,
} from '@aparta/contract/counter-reports';

import { listUncutDrawers } from '../../../payments/counter/cuts/read-model.ts';
import type { Db } from '../../../platform/db/db.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import { countedFor, readTakingCursor, refuseTooLong, takingCursorOf } from './asked.ts';
import {
  presentDayTaken,
  presentMorning,
  presentOwedRefund,
  presentRefund,
  presentRefundSums,
  presentTaking,
} from './present.ts';
import { listRefunds, sumRefunds } from './refunds.read-model.ts';
import { listOwedRefunds, listTakings, sumTakings } from './takings.read-model.ts';
import { readMorning } from './today.read-model.ts';

const PAGE = 50;
const MOST_REFUNDS = 500;

export function reportRoutes({ db }: { db: Db }): Route[] {
  return [
    route(readShopToday, async ({ caller }) => {
      const of = countedFor(caller);
      const [morning, drawers] = await Promise.all([readMorning(db, of), listUncutDrawers(db, of)]);
      return success(presentMorning(morning, drawers));
    }),

    route(listMoney, async ({ caller, query: { cursor, ...of } }) => {
      refuseTooLong(of);
      const asked = { ...of, ...countedFor(caller) };
      const [rows, days] = await Promise.all([
        listTakings(db, { ...asked, after: readTakingCursor(cursor), limit: PAGE + 1 }),
        cursor === undefined ? sumTakings(db, asked) : null,
      ]);
      const takings = rows.slice(0, PAGE);
      const next = rows.length > PAGE ? takingCursorOf(takings.at(-1)) : null;
      return success({ takings: takings.map(presentTaking), next, days: days && days.map(presentDayTaken) });
    }),

    route(listGivenBack, async ({ caller, query: { cursor, ...of } }) => {
      refuseTooLong(of);
      const asked = { ...of, ...countedFor(caller) };
      const [rows, sums] = await Promise.all([
        listRefunds(db, { ...asked, after: cursor, limit: PAGE + 1 }),
        cursor === undefined ? sumRefunds(db, asked) : null,
      ]);
      const refunds = rows.slice(0, PAGE);
      const next = rows.length > PAGE ? String(refunds.at(-1)?.id) : null;
      return success({ refunds: refunds.map(presentRefund), next, sums: sums && presentRefundSums(sums) });
    }),

    route(listOwed, async ({ caller }) =>
      success((await listOwedRefunds(db, caller.merchantId, MOST_REFUNDS)).map(presentOwedRefund)),
    ),
  ];
}
