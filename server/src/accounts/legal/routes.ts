import * as contract from '@aparta/contract/legal';

import type { Db } from '../../platform/db/db.ts';
import type { LegalKind } from '../../platform/db/tables.ts';
import { route, success, type Route } from '../../platform/http/route.ts';
import { presentText } from './present.ts';
import { readText } from './read-text.ts';

export function legalRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    route(contract.getLegalText, ({ params }) => answerText(db, params.kind), {
      // The same for everybody. Short, since a new wording is in force at once.
      cacheControl: 'public, max-age=60',
    }),
  ];
}

/** The wording in force, as its endpoint answers it. Refuses with NOT_FOUND while none is published. */
export async function answerText(db: Db, kind: LegalKind) {
  return success(presentText(await readText(db, kind)));
}
