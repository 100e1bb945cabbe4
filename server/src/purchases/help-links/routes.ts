import { centavosFromPesos } from '@aparta/contract/amount';
import { listHelpLinks, makeHelpLink as make, revokeHelpLink as revoke } from '@aparta/contract/help';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { makeHelpLink, readHelpLinks, revokeHelpLink } from './make-link.ts';
import { presentHelpLink } from './present.ts';
import type { HelpLinkRow } from './read-model.ts';

export function helpLinkRoutes({ db, keyRing }: { readonly db: Db; readonly keyRing: KeyRing }): Route[] {
  const shown = (links: readonly HelpLinkRow[]) =>
    success(links.map((link) => presentHelpLink(keyRing, link)));
  return [
    route(listHelpLinks, async ({ caller, params }) =>
      shown(await readHelpLinks(db, caller.id, params.saleId)),
    ),

    route(make, async ({ caller, params, body }) =>
      shown(
        await makeHelpLink(db, caller.id, params.saleId, {
          message: body.helpMessage,
          goalCentavos: body.goal === null ? null : centavosFromPesos(body.goal),
        }),
      ),
    ),

    route(revoke, async ({ caller, params, body }) =>
      shown(await revokeHelpLink(db, caller.id, params.saleId, body.linkId)),
    ),
  ];
}
