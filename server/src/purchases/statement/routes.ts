import { getStatement, getStatementFile } from '@aparta/contract/statements';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { presentStatement } from './present.ts';
import { readStatement, saveStatement } from './read-statement.ts';

export function statementRoutes(deps: { db: Db; productName: string }): Route[] {
  return [
    route(getStatement, async ({ caller, query }) =>
      success(presentStatement(await readStatement(deps.db, { buyerId: caller.id, ...query }))),
    ),

    route(getStatementFile, async ({ caller, query }) => {
      const { fileName, bytes } = await saveStatement(deps, { buyerId: caller.id, ...query });
      return success({ fileName, contentByteArray: bytes.toString('base64') });
    }),
  ];
}
