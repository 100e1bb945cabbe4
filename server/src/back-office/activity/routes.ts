import { type Activity, listActivity } from '@aparta/contract/activity';
import { pesosFromCentavos } from '@aparta/contract/amount';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { type ActivityRow, listActivityOf } from './read-model.ts';

const PAGE = 30;

export function activityRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    route(listActivity, async ({ caller, query }) => {
      const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
      // One more than is shown tells whether there are more.
      const rows = await listActivityOf(db, caller.id, { before, limit: PAGE + 1 });
      const shown = rows.slice(0, PAGE);
      const last = rows.length > PAGE ? shown.at(-1) : undefined;
      return { ...success(shown.map(present)), next: last === undefined ? null : `${last.us}.${last.key}` };
    }),
  ];
}

function readCursor(cursor: string): Pick<ActivityRow, 'us' | 'key'> {
  const dot = cursor.indexOf('.');
  return { us: Number(cursor.slice(0, dot)), key: cursor.slice(dot + 1) };
}

function present({ us: _us, key, kind, at, purchaseId, amountCentavos, ...row }: ActivityRow): Activity {
  return {
    ...row,
    activityId: key,
    activityKind: kind,
    at: at.toISOString(),
    ventaId: purchaseId,
    amount: amountCentavos === null ? null : pesosFromCentavos(amountCentavos),
  };
}
