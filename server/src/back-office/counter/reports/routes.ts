import {
  listOwedRefunds as listRefunds,
  listTakings as listMoney,
  readShopToday,
} from '@aparta/contract/counter-reports';
import { daysBetween, type DateOnly } from '@aparta/domain/calendar';
import { worksInBranches } from '@aparta/domain/staff-rights';

import { listUncutDrawers } from '../../../payments/counter/cuts/read-model.ts';
import type { Db } from '../../../platform/db/db.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import type { Staff } from '../../../platform/principal.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { presentMorning, presentOwedRefund, presentTaking } from './present.ts';
import { listOwedRefunds, listTakings } from './takings.read-model.ts';
import { type Counted, readMorning } from './today.read-model.ts';

const PAGE = 50;
const MOST_REFUNDS = 500;
const MOST_DAYS = 92;

export function reportRoutes({ db }: { db: Db }): Route[] {
  return [
    route(readShopToday, async ({ caller }) => {
      const of = countedFor(caller);
      const [morning, drawers] = await Promise.all([readMorning(db, of), listUncutDrawers(db, of)]);
      return success(presentMorning(morning, drawers));
    }),

    route(listMoney, async ({ caller, query: { cursor, ...of } }) => {
      refuseTooLong(of);
      const rows = await listTakings(db, { ...of, ...countedFor(caller), before: cursor, limit: PAGE + 1 });
      const takings = rows.slice(0, PAGE);
      const next = rows.length > PAGE ? String(takings.at(-1)?.id) : null;
      return success({ takings: takings.map(presentTaking), next });
    }),

    route(listRefunds, async ({ caller }) =>
      success((await listOwedRefunds(db, caller.merchantId, MOST_REFUNDS)).map(presentOwedRefund)),
    ),
  ];
}

/** Who works in branches, and who works on a shared device, is told what their counters took. */
function countedFor({ merchantId, role, branchIds, device }: Staff): Counted {
  return { merchantId, branchIds: worksInBranches(role) || device !== undefined ? branchIds : undefined };
}

/** Refuses INVALID_INPUT for days in the wrong order, or too many. */
function refuseTooLong({ from, to }: { readonly from: DateOnly; readonly to: DateOnly }): void {
  const days = daysBetween(from, to);
  if (days < 0 || days >= MOST_DAYS)
    throw new Refusal('INVALID_INPUT', {
      fields: { to: `at most ${MOST_DAYS} days, none before the first` },
    });
}
